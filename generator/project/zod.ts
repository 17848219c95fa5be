import { createRequire } from 'node:module'
import path from 'node:path'

import { findInstalled } from './installed.js'
import { versionNumbers } from './version.js'

/** Zod, whose checks rules are made of: in its usual form, and in the small one that is emitted. Both are of one package. */
export interface ZodPackage {
  readonly classic: typeof import('zod')
  readonly mini: typeof import('zod/mini')
}

/**
 * Loads zod where it is needed, once: the project's own, since that is what will run the rules, or ours where the project has
 * none, or none that we can use.
 * @param folders where the project's own is looked for, in this order
 */
export function createZodLoader(folders: readonly string[]): () => ZodPackage {
  let zod: ZodPackage | undefined
  return () => (zod ??= projectZod(folders) ?? bundledZod())
}

/** The zod that this package brings. */
export function bundledZod(): ZodPackage {
  return load(createRequire(import.meta.url))
}

function projectZod(folders: readonly string[]): ZodPackage | undefined {
  for (const folder of folders) {
    const [major] = versionNumbers(findInstalled('zod', folder)?.version ?? '')
    if (major !== 4) continue
    try {
      return load(createRequire(path.join(folder, 'index.js')))
    } catch {
      // Installed, but not so that it loads: rules are tried on ours.
    }
  }
  return undefined
}

function load(require: NodeJS.Require): ZodPackage {
  return { classic: require('zod') as ZodPackage['classic'], mini: require('zod/mini') as ZodPackage['mini'] }
}
