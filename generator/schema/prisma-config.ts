import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

import { GeneratorError } from '../errors.js'

/** The part of `prisma.config.ts` that determines the schema. */
export interface PrismaConfig {
  /** Absolute path of the schema's file or folder. Undefined if the config does not set it. */
  readonly schema: string | undefined
  /** The folder of the config or, if there is none, the working directory. Prisma's default paths are relative to it. */
  readonly folder: string
}

/**
 * Loads the project's `prisma.config.ts`, if it has one. This also sets the environment variables that the config loads.
 * @throws GeneratorError if the config cannot be loaded
 */
export async function loadPrismaConfig(folder: string): Promise<PrismaConfig> {
  const file = findConfig(folder)
  if (file === undefined) return { schema: undefined, folder }
  const { loadConfigFromFile } = await import('@prisma/config')
  const { config, resolvedPath, error } = await loadConfigFromFile({ configRoot: folder })
  if (config === undefined) {
    const reason = 'error' in error ? `: ${error.error.message.replace(/\.$/, '')}` : ''
    const message = `${path.relative('', file)} cannot be loaded${reason}.`
    throw new GeneratorError([{ location: {}, message, hint: 'Run `npx prisma validate` to see all details.' }])
  }
  return { schema: config.schema, folder: resolvedPath === null ? folder : path.dirname(resolvedPath) }
}

/** Returns the paths where Prisma looks for a schema that neither the config nor the command line specifies. */
export function defaultSchemaPaths({ folder }: PrismaConfig): readonly string[] {
  return ['schema.prisma', 'prisma/schema.prisma'].map((name) => path.join(folder, name))
}

/**
 * Returns the path where Prisma may find a config: `prisma.config.ts`, `.config/prisma.ts` and so on. Loading `@prisma/config` takes half a
 * second of CPU time, so it is only loaded if there is such a path.
 */
function findConfig(folder: string): string | undefined {
  const findEntry = (parent: string, pattern: RegExp) => {
    if (statSync(parent, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined
    const name = readdirSync(parent).find((entry) => pattern.test(entry))
    return name === undefined ? undefined : path.join(parent, name)
  }
  return findEntry(folder, /^prisma\d*\.config/i) ?? findEntry(path.join(folder, '.config'), /^prisma/i)
}
