import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import { type EmittedFile, GENERATED_HEADER } from '../../generator/emit/files.js'

const createdFolders: string[] = []

afterEach(() => {
  for (const folder of createdFolders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder of its own for a test, with these files in it; it is removed after the test. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'routewright-test-')))
  createdFolders.push(folder)
  for (const [path, text] of Object.entries(files)) write(folder, path, text)
  return folder
}

/** Writes a file, and the folders it needs. */
export function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Every file below a folder with its text, by path with forward slashes. What a link leads to is not below it. */
export function read(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesBelow(folder)
      .map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** Walked by hand: from Node 24 on, `recursive` of `readdirSync` follows links, and `node_modules` of a test's project is one. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
  })
}

/** A file of a model's folder, as emitted. */
export function modelFile(path: string, model: string, body = 'export {}'): EmittedFile {
  return {
    path,
    text: `${GENERATED_HEADER}\n// Source: model ${model}. Regenerate with \`prisma generate\`.\n\n${body}\n`,
  }
}

/** A file of the output folder itself, as emitted. */
export function rootFile(path: string, body = 'export {}'): EmittedFile {
  return {
    path,
    text: `${GENERATED_HEADER}\n// Source: the Prisma schema. Regenerate with \`prisma generate\`.\n\n${body}\n`,
  }
}
