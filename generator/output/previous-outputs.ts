import { closeSync, type Dirent, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isGeneratedFile, ROOT_FILES } from './ownership.js'

/** Where routes are looked for, and what makes them those of our schema. */
export interface Search {
  /** The project's folder, absolute. */
  readonly root: string
  /** The folders that the schema's routes are written to, absolute. */
  readonly outputs: readonly string[]
  /** What the files of the first of them import the Prisma client from. */
  readonly clientImport: string
}

/** How far the search goes. What it has not found by then, it does not find. */
export interface SearchLimits {
  /** So many files and folders are looked at. */
  readonly entries: number
  readonly ms: number
}

const LIMITS: SearchLimits = { entries: 5000, ms: 200 }

/** Folders of other people's files, or of files that are made again at any time. Those that begin with a dot too. */
const SKIPPED: readonly string[] = [
  'node_modules',
  'bower_components',
  'vendor',
  'dist',
  'build',
  'out',
  'target',
  'coverage',
]

/**
 * Finds folders that hold routes of the same schema from before `output` was changed: an index of ours, in a folder that is no
 * output any more, whose files import the same Prisma client. Routes of another schema import another one, and are no concern
 * of ours. Nothing says where the output was before, so the project is searched, the folders next to its root first.
 */
export function findPreviousOutputs(search: Search, limits: SearchLimits = LIMITS): string[] {
  const [output = '', ...others] = search.outputs
  const outputs = new Set([output, ...others].map((folder) => resolve(folder)))
  const client = identityOf(search.clientImport, output)
  const found: string[] = []
  const queue = [search.root]
  const start = performance.now()
  let entries = 0
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const inside = list(folder)
    entries += inside.length
    if (entries > limits.entries || performance.now() - start > limits.ms) break
    const isIndexed = inside.some((entry) => entry.isFile() && entry.name === 'index.ts')
    if (isIndexed && !outputs.has(folder) && isIndexOfOurs(join(folder, 'index.ts'))) {
      if (importedIn(folder, inside).has(client)) found.push(folder)
    }
    for (const entry of inside) {
      if (!entry.isDirectory() || entry.name.startsWith('.') || SKIPPED.includes(entry.name)) continue
      queue.push(join(folder, entry.name))
    }
  }
  return found
}

/** Whatever the emitted files of a folder import, the Prisma client among it: files of the folder itself do, in any version. */
function importedIn(folder: string, inside: readonly Dirent[]): Set<string> {
  const files = inside.filter((entry) => entry.isFile() && ROOT_FILES.includes(entry.name))
  return new Set(
    files.flatMap(({ name }) => importsOf(join(folder, name)).map((specifier) => identityOf(specifier, folder))),
  )
}

/** What a specifier leads to: a file, whatever the ending it is imported with, or the specifier itself. */
function identityOf(specifier: string, from: string): string {
  return specifier.startsWith('.') ? resolve(from, specifier).replace(/\.[cm]?[jt]s$/, '') : specifier
}

function importsOf(path: string): string[] {
  try {
    return [...readFileSync(path, 'utf8').matchAll(/^import [^;]*? from ["']([^"']+)["']/gm)].map(
      ([, from = '']) => from,
    )
  } catch {
    return []
  }
}

function isIndexOfOurs(path: string): boolean {
  const buffer = Buffer.alloc(200)
  try {
    const file = openSync(path, 'r')
    try {
      return isGeneratedFile('index.ts', buffer.toString('utf8', 0, readSync(file, buffer)))
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}

/** Folders that cannot be read are empty to us. */
function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
