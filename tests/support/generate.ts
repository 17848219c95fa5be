import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { generate, type GenerateResult } from '../../generator/generate.js'
import { loadSchema } from '../../generator/load-schema.js'

/** The head of a schema, for tests that do not depend on it. Its routes are not formatted, which would be most of the work. */
export const SCHEMA_HEAD = `
generator client {
  provider = "prisma-client"
  output   = "./client"
}
generator routes {
  provider = "routewright"
  output   = "./routes"
  format   = "none"
}
datasource db {
  provider = "sqlite"
}
`

/** The same head with formatted routes. */
export const FORMATTED_HEAD = SCHEMA_HEAD.replace('  format   = "none"\n', '')

/** Generates from a schema on disk. Returns the files by path. */
export async function generateAt(
  schemaPath: string,
): Promise<GenerateResult & { readonly byPath: ReadonlyMap<string, string> }> {
  const [input] = await loadSchema(schemaPath)
  if (!input) throw new Error('the schema has no routes generator')
  const generated = await generate(input)
  return { ...generated, byPath: new Map(generated.files.map((file) => [file.path, file.text])) }
}

/**
 * Generates from the text of a schema.
 * @param schema the text of one file, or of several files by name
 */
export async function generateFrom(schema: string | Readonly<Record<string, string>>) {
  const folder = freeFolders.pop() ?? mkdtempSync(path.join(tmpdir(), 'routewright-test-'))
  // For the cache of formatted files. The next call in the same folder formats only the files that differ.
  mkdirSync(path.join(folder, 'node_modules'), { recursive: true })
  try {
    const files = typeof schema === 'string' ? { 'schema.prisma': schema } : schema
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      writeFileSync(path.join(folder, name), text)
    }
    return await generateAt(typeof schema === 'string' ? path.join(folder, 'schema.prisma') : folder)
  } finally {
    for (const name of readdirSync(folder)) {
      if (name !== 'node_modules') rmSync(path.join(folder, name), { recursive: true })
    }
    freeFolders.push(folder)
  }
}

/** The folders that no call of {@link generateFrom} is using. */
const freeFolders: string[] = []
process.on('exit', () => {
  for (const folder of freeFolders) rmSync(folder, { recursive: true, force: true })
})

/** Reads all files in a folder: path with forward slashes → text. */
export function readTree(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(folder, file).replaceAll(path.sep, '/'), readFileSync(file, 'utf8')] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** Counts the lines that differ between two trees, added and removed, like `diff`. */
export function changedLines(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Map<string, number> {
  const changed = new Map<string, number>()
  for (const file of new Set([...before.keys(), ...after.keys()])) {
    const a = (before.get(file) ?? '').split('\n')
    const b = (after.get(file) ?? '').split('\n')
    const common = longestCommon(a, b)
    if (a.length + b.length - 2 * common > 0) changed.set(file, a.length + b.length - 2 * common)
  }
  return changed
}

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let previous = new Array<number>(b.length + 1).fill(0)
  for (const line of a) {
    const row = [0]
    for (const [j, other] of b.entries()) {
      row.push(line === other ? (previous[j] ?? 0) + 1 : Math.max(previous[j + 1] ?? 0, row[j] ?? 0))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}
