import { closeSync, type Dirent, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isGeneratedFile, ROOT_FILES } from './ownership.js'

/** Parameters of a search for previous output folders. */
export interface Search {
  /** Absolute path of the project's folder. */
  readonly root: string
  /** Absolute paths of the schema's current output folders. */
  readonly outputs: readonly string[]
  /** The import specifier of the Prisma client in the first output folder. */
  readonly clientImport: string
}

/** Limits of the search. When one is reached, the search ends and returns the folders found so far. */
export interface SearchLimits {
  /** Maximum number of files and folders to visit. */
  readonly entries: number
  readonly ms: number
}

const LIMITS: SearchLimits = { entries: 5000, ms: 200 }

/** Folders with third-party or build files, which are not searched. Folders whose name begins with a dot are skipped too. */
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
 * Finds folders with routes that were generated for the same schema before its `output` was changed. These folders contain a generated
 * index, are not current outputs, and contain files that import the same Prisma client. Routes of a different schema import a different
 * client. The previous output is not recorded anywhere, so the project is searched breadth-first.
 */
export function findPreviousOutputs(search: Search, limits: SearchLimits = LIMITS): string[] {
  const [output = '', ...others] = search.outputs
  const outputs = new Set([output, ...others].map((folder) => resolve(folder)))
  const client = resolveIdentity(search.clientImport, output)
  const found: string[] = []
  const queue = [search.root]
  const start = performance.now()
  let entries = 0
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const children = list(folder)
    entries += children.length
    if (entries > limits.entries || performance.now() - start > limits.ms) break
    const isIndexed = children.some((entry) => entry.isFile() && entry.name === 'index.ts')
    if (isIndexed && !outputs.has(folder) && isGeneratedIndex(join(folder, 'index.ts'))) {
      if (findImports(folder, children).has(client)) found.push(folder)
    }
    for (const entry of children) {
      if (!entry.isDirectory() || entry.name.startsWith('.') || SKIPPED.includes(entry.name)) continue
      queue.push(join(folder, entry.name))
    }
  }
  return found
}

/** Returns everything that the generated root files of a folder import. In every version, this includes the Prisma client. */
function findImports(folder: string, children: readonly Dirent[]): Set<string> {
  const files = children.filter((entry) => entry.isFile() && ROOT_FILES.includes(entry.name))
  return new Set(
    files.flatMap(({ name }) => importsOf(join(folder, name)).map((specifier) => resolveIdentity(specifier, folder))),
  )
}

/** Returns the file that a relative specifier resolves to, without its extension, or the specifier of a package unchanged. */
function resolveIdentity(specifier: string, from: string): string {
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

function isGeneratedIndex(path: string): boolean {
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

/** Returns an empty list if the folder cannot be read. */
function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
