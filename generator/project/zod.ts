import { createRequire } from 'node:module'
import path from 'node:path'

import { findInstalled } from './installed.js'
import { versionNumbers } from './version.js'

/** The `zod` and `zod/mini` entry points of one package. Rules are written with the former and emitted with the latter. */
export interface ZodPackage {
  readonly classic: typeof import('zod')
  readonly mini: typeof import('zod/mini')
}

/**
 * Creates a memoized loader for zod. It loads the project's zod, which will run the rules. If that is missing, is not version 4 or cannot
 * be loaded, it loads the bundled zod.
 * @param folders where to look for the project's zod, in order
 */
export function createZodLoader(folders: readonly string[]): () => ZodPackage {
  let zod: ZodPackage | undefined
  return () => (zod ??= projectZod(folders) ?? bundledZod())
}

/** Returns the zod that this package depends on. */
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
      // The package is installed but cannot be loaded. Fall back to the bundled zod.
    }
  }
  return undefined
}

function load(require: NodeJS.Require): ZodPackage {
  return { classic: require('zod') as ZodPackage['classic'], mini: require('zod/mini') as ZodPackage['mini'] }
}
