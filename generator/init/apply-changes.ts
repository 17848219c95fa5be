import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { initError } from './init-error.js'
import type { FileChange } from './plan-init.js'

/** Writes a file and returns a function that undoes the write. */
export type WriteFile = (change: FileChange) => () => void

/**
 * Writes all files or none.
 * @throws the error of the first failed write, after earlier writes are undone
 */
export function applyChanges(changes: readonly FileChange[], write: WriteFile = writeToDisk): void {
  const undo: (() => void)[] = []
  try {
    for (const change of changes) undo.push(write(change))
  } catch (error) {
    for (const revert of undo.reverse()) revert()
    throw error
  }
}

/**
 * Writes a file to disk.
 * @throws GeneratorError if the file has changed since it was read
 * @throws Error if a new file already exists
 */
export function writeToDisk({ name, path: file, before, after }: FileChange): () => void {
  if (before !== undefined) {
    if (!readFileSync(file).equals(Buffer.from(before))) {
      throw initError(
        `${name} was changed during the setup, or is not UTF-8.`,
        'Nothing was written. Run `routewright init` again.',
      )
    }
    writeFileSync(file, after)
    return () => writeFileSync(file, before)
  }
  const folder = path.dirname(file)
  const firstCreated = mkdirSync(folder, { recursive: true })
  writeFileSync(file, after, { flag: 'wx' })
  return () => {
    rmSync(file)
    if (firstCreated !== undefined) removeFolders(folder, firstCreated)
  }
}

/** Removes a folder and its ancestors up to the topmost one that was created for it. All of them are empty. */
function removeFolders(folder: string, last: string): void {
  rmdirSync(folder)
  if (folder !== last) removeFolders(path.dirname(folder), last)
}
