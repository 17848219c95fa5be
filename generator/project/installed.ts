import { readFileSync } from 'node:fs'
import path from 'node:path'

import { findUp, ancestorFolders } from './find-up.js'

/** An installed package. */
export interface Installed {
  /** Absolute path of the package's folder. */
  readonly folder: string
  readonly version: string
}

/**
 * Finds the package that an import in a folder resolves to, using Node's algorithm: the `node_modules` of the folder and its ancestors, and
 * the package that contains the folder. Unlike `require.resolve`, it ignores the package's `exports`.
 * @param from the importing folder. It does not need to exist.
 */
export function findInstalled(name: string, from: string): Installed | undefined {
  for (const folder of ancestorFolders(from)) {
    const found = readManifest(path.join(folder, 'node_modules', name))
    if (found) return found
  }
  const enclosingPackage = findUp(from, ['package.json'])
  const manifest = enclosingPackage && readManifest(enclosingPackage.folder)
  return manifest?.name === name ? manifest : undefined
}

/**
 * Returns the package name of an import specifier, such as `hono` for `hono/cors`.
 * @returns undefined if the specifier does not refer to a package
 */
export function packageName(specifier: string): string | undefined {
  return /^(@[a-z\d-][\w.~-]*\/)?[a-z\d-][\w.~-]*(?=\/|$)/i.exec(specifier)?.[0]
}

function readManifest(folder: string): (Installed & { readonly name: unknown }) | undefined {
  try {
    const { name, version }: { name?: unknown; version?: unknown } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    )
    return { folder, name, version: typeof version === 'string' ? version : '' }
  } catch {
    return undefined
  }
}
