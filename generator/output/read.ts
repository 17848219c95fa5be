import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { errorCode } from './error-code.js'
import { isModelFolder, MODEL_FILES, ROOT_FILES, TEMPORARY_NAME } from './ownership.js'
import type { ExistingEntry, ExistingOutput } from './plan.js'

// Reads are synchronous: nothing runs concurrently, and for 1000 small files, they take a fifth of the time of asynchronous reads.

/**
 * Reads the existing files at the given paths, and at the paths where earlier runs may have written. The search for the latter skips
 * symbolic links. The given paths may contain symbolic links to folders inside the output folder.
 * @param outputDir absolute path. It does not need to exist.
 * @param paths relative paths of the new files, with forward slashes
 */
export function readOutput(outputDir: string, paths: readonly string[]): ExistingOutput {
  const entries = new Map<string, ExistingEntry>()
  const leftovers: string[] = []
  const top = list(outputDir)
  for (const entry of top) {
    if (entry.isFile()) sort('', entry.name, ROOT_FILES)
    if (!entry.isDirectory() || !isModelFolder(entry.name)) continue
    for (const inner of list(join(outputDir, entry.name))) {
      if (inner.isFile()) sort(`${entry.name}/`, inner.name, MODEL_FILES)
    }
  }
  // Lowercase, so that folders are also found on case-insensitive file systems.
  const names = new Set(top.map(({ name }) => name.toLowerCase()))
  for (const path of paths) {
    // Fast path: in a first run, the folders of most files do not exist.
    if (entries.has(path) || !names.has(path.split('/', 1)[0]?.toLowerCase() ?? '')) continue
    const entry = inspectEntry(outputDir, path)
    if (entry !== undefined) entries.set(path, entry)
  }
  return { entries, leftovers }

  function sort(folder: string, name: string, generatedNames: readonly string[]): void {
    const path = `${folder}${name}`
    if (TEMPORARY_NAME.test(name)) leftovers.push(path)
    const entry = generatedNames.includes(name) ? readFileIfExists(join(outputDir, path)) : undefined
    if (entry !== undefined) entries.set(path, entry)
  }
}

/** Inspects a path that was not found as a plain file in a plain folder. */
function inspectEntry(outputDir: string, path: string): ExistingEntry | undefined {
  const absolutePath = join(outputDir, path)
  try {
    const stats = lstatSync(absolutePath)
    if (stats.isDirectory()) return { kind: 'obstacle', reason: 'it is a folder' }
    if (stats.isSymbolicLink()) return { kind: 'obstacle', reason: 'it is a symbolic link' }
    if (!stats.isFile()) return { kind: 'obstacle', reason: 'it is not a regular file' }
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return { kind: 'obstacle', reason: `${dirname(path)} is not a folder` }
    if (errorCode(error) !== 'ENOENT') throw error
  }
  return findEscape(outputDir, dirname(absolutePath)) ?? readFileIfExists(absolutePath)
}

function findEscape(outputDir: string, folder: string): ExistingEntry | undefined {
  try {
    const relativePath = relative(realpathSync(outputDir), realpathSync(folder))
    if (relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath)) return undefined
    return { kind: 'obstacle', reason: 'its folder is a symbolic link to a folder outside the output folder' }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return undefined
    return { kind: 'obstacle', reason: 'its folder is a broken symbolic link' }
  }
}

function readFileIfExists(path: string): ExistingEntry | undefined {
  try {
    return { kind: 'file', text: readFileSync(path, 'utf8'), mode: lstatSync(path).mode & 0o777 }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
