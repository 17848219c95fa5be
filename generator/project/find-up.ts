import { existsSync } from 'node:fs'
import path from 'node:path'

/** A folder, then those that it is in, up to the root. The folder need not exist. */
export function ancestorFolders(folder: string): string[] {
  const folders = [path.resolve(folder)]
  for (let above = path.dirname(folders[0] ?? ''); above !== folders.at(-1); above = path.dirname(above)) {
    folders.push(above)
  }
  return folders
}

/**
 * The nearest folder that has one of these entries, from a folder upwards.
 * @param names files or folders; the first that a folder has counts
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
