import { existsSync } from 'node:fs'
import path from 'node:path'

/** Returns a folder and all its ancestors up to the root. The folder does not need to exist. */
export function ancestorFolders(folder: string): string[] {
  const folders = [path.resolve(folder)]
  for (let above = path.dirname(folders[0] ?? ''); above !== folders.at(-1); above = path.dirname(above)) {
    folders.push(above)
  }
  return folders
}

/**
 * Finds the nearest folder, starting at `folder` and going up, that contains one of the given entries.
 * @param names file or folder names, in order of preference
 */
export function findUp(
  folder: string,
  names: readonly string[],
): { readonly folder: string; readonly name: string } | undefined {
  for (const each of ancestorFolders(folder)) {
    const name = names.find((candidate) => existsSync(path.join(each, candidate)))
    if (name !== undefined) return { folder: each, name }
  }
  return undefined
}
