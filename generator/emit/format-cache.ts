import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** So many output folders are remembered, the ones that changed last. */
const MAX_BUNDLES = 16

/**
 * The final texts of the last run, by what they were made of. Losing them, wholly or in part, costs time and nothing else:
 * no function here throws, and a damaged bundle is an empty one.
 */
export interface FormatCache {
  /** The final text of what has this key, where the last run made it. */
  get(key: string): string | undefined
  /** Remembers the texts of this run, and only these. Does nothing where they are those of the last run. */
  replace(entries: ReadonlyMap<string, string>): void
}

/** A cache that remembers nothing. */
const noCache: FormatCache = { get: () => undefined, replace: () => undefined }

/**
 * Opens the cache of an output folder, a single file in `node_modules/.cache/routewright`.
 * @param outputDir absolute; each has a bundle of its own
 * @param cwd absolute
 * @returns a cache that remembers nothing where there is no `node_modules` above either
 */
export function openFormatCache(outputDir: string, cwd: string): FormatCache {
  const modules = nearestModules(outputDir) ?? nearestModules(cwd)
  if (modules === undefined) return noCache
  const folder = join(modules, '.cache', 'routewright')
  const bundle = join(folder, `${hash(outputDir).slice(0, 16)}.json`)
  const known = readBundle(bundle)
  return {
    get: (key) => known.get(key),
    replace(entries) {
      if (entries.size === known.size && [...entries.keys()].every((key) => known.has(key))) return
      try {
        mkdirSync(folder, { recursive: true })
        writeBundle(bundle, entries)
        removeOldBundles(folder)
      } catch {
        // A cache that cannot be written (read-only, full, raced) is a cache that is not used.
      }
    },
  }
}

/**
 * The key of something that is cached.
 * @param parts everything that its text depends on
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

/** A bundle is the hash of its second line, and as second line all entries as JSON. */
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
    // No bundle yet, or one that cannot be read.
  }
  return entries
}

/** Concurrent runs each write a whole bundle; the last one stays. */
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
