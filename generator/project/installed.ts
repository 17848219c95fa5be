import { readFileSync } from 'node:fs'
import path from 'node:path'

import { findUp, ancestorFolders } from './find-up.js'

/** A package as it is installed. */
export interface Installed {
  /** The folder of the package, absolute. */
  readonly folder: string
  readonly version: string
}

/**
 * Finds the package that an import from a folder leads to, as Node looks for it: in the `node_modules` of that folder and of
 * those above, and in the package that the folder belongs to. What a package exports does not matter, as it would for
 * `require.resolve`.
 * @param from need not exist
 */
export function findInstalled(name: string, from: string): Installed | undefined {
  for (const folder of ancestorFolders(from)) {
    const found = readManifest(path.join(folder, 'node_modules', name))
    if (found) return found
  }
  const own = findUp(from, ['package.json'])
  const manifest = own && readManifest(own.folder)
  return manifest?.name === name ? manifest : undefined
}

/** The name of the package that a specifier leads into, as `hono/cors` → `hono`. Undefined for what is no package's. */
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
