import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import { type EmittedFile, GENERATED_HEADER } from '../../generator/emit/files.js'

const createdFolders: string[] = []

afterEach(() => {
  for (const folder of createdFolders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Creates a folder with files for a test. It is removed after the test. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'routewright-test-')))
  createdFolders.push(folder)
  for (const [path, text] of Object.entries(files)) write(folder, path, text)
  return folder
}

/** Writes a file and creates its folders. */
export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Reads every file in a folder: path with forward slashes → text. Does not follow links. */
export function read(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesBelow(folder)
      .map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/**
 * Not with `readdirSync`, because from Node 24 on its option `recursive` follows links, such as `node_modules` of a test's
 * project.
 */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
  })
}

/** An emitted file in a model's folder. */
export function modelFile(path: string, model: string, body = 'export {}'): EmittedFile {
  return {
    path,
    text: `${GENERATED_HEADER}\n// Source: model ${model}. Regenerate with \`prisma generate\`.\n\n${body}\n`,
  }
}

/** An emitted file at the top level of the output folder. */
export function rootFile(path: string, body = 'export {}'): EmittedFile {
  return {
    path,
    text: `${GENERATED_HEADER}\n// Source: the Prisma schema. Regenerate with \`prisma generate\`.\n\n${body}\n`,
  }
}
