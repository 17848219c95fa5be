import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { initError } from './init-error.js'
import type { FileChange } from './plan-init.js'

/** Writes one file, and gives back what undoes it. */
export type WriteFile = (change: FileChange) => () => void

/**
 * Writes all files, or none.
 * @throws what kept a file from being written; those before it are as they were
 */
export function applyChanges(changes: readonly FileChange[], write: WriteFile = writeToDisk): void {
  const undo: (() => void)[] = []
  try {
    for (const change of changes) undo.push(write(change))
  } catch (error) {
    for (const back of undo.reverse()) back()
    throw error
  }
}

/**
 * Writes a file to disk.
 * @throws GeneratorError where it is no longer what it was, or what is new is there already
 */
export function writeToDisk({ name, path: file, before, after }: FileChange): () => void {
  if (before !== undefined) {
    if (!readFileSync(file).equals(Buffer.from(before))) {
      throw initError(
        `${name} has changed in the meantime, or is not UTF-8.`,
        'Nothing was written; run `routewright init` again.',
      )
    }
    writeFileSync(file, after)
    return () => writeFileSync(file, before)
  }
  const folder = path.dirname(file)
  const made = mkdirSync(folder, { recursive: true })
  writeFileSync(file, after, { flag: 'wx' })
  return () => {
    rmSync(file)
    if (made !== undefined) removeFolders(folder, made)
  }
}

/** Removes a folder and those that it is in, up to the last that was made for it; they hold nothing else. */
function removeFolders(folder: string, last: string): void {
  rmdirSync(folder)
  if (folder !== last) removeFolders(path.dirname(folder), last)
}
