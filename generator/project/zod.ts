import { createRequire } from 'node:module'
import path from 'node:path'

import { findInstalled } from './installed.js'
import { versionNumbers } from './version.js'

/** Zod, whose checks rules are made of. */
export type Zod = typeof import('zod')

/**
 * Loads zod where it is needed, once: the project's own, since that is what will run the rules, or ours where the project has
 * none, or none that we can use.
 * @param folders where the project's own is looked for, in this order
 */
export function zodLoader(folders: readonly string[]): () => Zod {
  let zod: Zod | undefined
  return () => (zod ??= projectZod(folders) ?? ownZod())
}

/** The zod that this package brings. */
export function ownZod(): Zod {
  return createRequire(import.meta.url)('zod') as Zod
}

function projectZod(folders: readonly string[]): Zod | undefined {
  for (const folder of folders) {
    const [major] = versionNumbers(findInstalled('zod', folder)?.version ?? '')
    if (major !== 4) continue
    try {
      return createRequire(path.join(folder, 'index.js'))('zod') as Zod
    } catch {
      // Installed, but not so that it loads: rules are tried on ours.
    }
  }
  return undefined
}
