import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Maximum number of output folders in the cache. The most recently changed are kept. */
const MAX_BUNDLES = 16

/**
 * The formatted files of the previous run, by a hash of their inputs. Losing entries only costs time: no function here throws, and a
 * damaged bundle is treated as empty.
 */
export interface FormatCache {
  /** Returns the text for a key, or undefined if the previous run did not produce it. */
  get(key: string): string | undefined
  /** Replaces the contents of the cache with the results of this run. Writes nothing if the keys are the same. */
  replace(entries: ReadonlyMap<string, string>): void
}

/** A cache that stores nothing. */
const noCache: FormatCache = { get: () => undefined, replace: () => undefined }

/**
 * Opens the cache of an output folder, a single file in `node_modules/.cache/routewright`.
 * @param outputDir absolute path. Each output folder has its own file.
 * @param cwd absolute path
 * @returns a cache that stores nothing if neither the folders nor their ancestors contain a `node_modules`
 */
export function openFormatCache(outputDir: string, cwd: string): FormatCache {
  const modules = nearestModules(outputDir) ?? nearestModules(cwd)
  if (modules === undefined) return noCache
  const folder = join(modules, '.cache', 'routewright')
  const bundle = join(folder, `${hash(outputDir).slice(0, 16)}.json`)
  const cached = readBundle(bundle)
  return {
    get: (key) => cached.get(key),
    replace(entries) {
      if (entries.size === cached.size && [...entries.keys()].every((key) => cached.has(key))) return
      try {
        mkdirSync(folder, { recursive: true })
        writeBundle(bundle, entries)
        removeOldBundles(folder)
      } catch {
        // Errors, such as a full disk or a concurrent run, are ignored, because the cache is optional.
      }
    },
  }
}

/**
 * Returns the cache key of a formatted file.
 * @param parts all inputs that the result depends on
 */
export function cacheKey(parts: readonly unknown[]): string {
  return hash(JSON.stringify(parts))
}

function nearestModules(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules')
    if (existsSync(modules)) return modules
    if (folder === dirname(folder)) return undefined
  }
}

/** Reads a bundle: the first line is the hash of the second, which contains all entries as JSON. */
function readBundle(path: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>()
  try {
    const text = readFileSync(path, 'utf8')
    const end = text.indexOf('\n')
    const json = text.slice(end + 1)
    if (text.slice(0, end) !== hash(json)) return entries
    const parsed: unknown = JSON.parse(json)
    if (typeof parsed !== 'object' || parsed === null) return entries
    for (const [key, value] of Object.entries(parsed)) if (typeof value === 'string') entries.set(key, value)
  } catch {
    // The bundle does not exist yet or cannot be read.
  }
  return entries
}

/** Replaces the file atomically. If runs are concurrent, the last one wins. */
function writeBundle(path: string, entries: ReadonlyMap<string, string>): void {
  const temporary = `${path}.${process.pid}.tmp`
  const json = JSON.stringify(Object.fromEntries(entries))
  try {
    writeFileSync(temporary, `${hash(json)}\n${json}`)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function removeOldBundles(folder: string): void {
  const bundles = readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => ({ path, time: statSync(path).mtimeMs }))
    .sort((a, b) => b.time - a.time)
  for (const { path } of bundles.slice(MAX_BUNDLES)) rmSync(path, { force: true })
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
