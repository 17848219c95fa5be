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
  if (!mayHaveConfig(folder)) return { schema: undefined, folder }
  const { loadConfigFromFile } = await import('@prisma/config')
  const { config, resolvedPath } = await loadConfigFromFile({ configRoot: folder })
  if (config === undefined) {
    const problemText = `${resolvedPath ?? 'prisma.config.ts'} cannot be loaded.`
    throw new GeneratorError([
      { location: {}, message: problemText, hint: 'Run `npx prisma validate` to see the reason.' },
    ])
  }
  return { schema: config.schema, folder: resolvedPath === null ? folder : path.dirname(resolvedPath) }
}

/** Returns the paths where Prisma looks for a schema that neither the config nor the command line specifies. */
export function defaultSchemaPaths({ folder }: PrismaConfig): readonly string[] {
  return ['schema.prisma', 'prisma/schema.prisma'].map((name) => path.join(folder, name))
}

/**
 * Whether Prisma may find a config in a folder: `prisma.config.ts`, `.config/prisma.ts` and so on. Loading `@prisma/config` takes half a
 * second of CPU time.
 */
function mayHaveConfig(folder: string): boolean {
  const hasEntry = (parent: string, pattern: RegExp) =>
    statSync(parent, { throwIfNoEntry: false })?.isDirectory() === true &&
    readdirSync(parent).some((name) => pattern.test(name))
  return hasEntry(folder, /^prisma\d*\.config/i) || hasEntry(path.join(folder, '.config'), /^prisma/i)
}
