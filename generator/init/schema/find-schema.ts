import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

import { loadConfig, loadContext, readBlock } from '../../load-schema.js'
import { type GeneratorBlock, isRoutesGenerator } from '../../schema/generator-block.js'
import { initError } from '../init-error.js'

/** A file of a schema. */
export interface SchemaFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
}

/** A project's schema. */
export interface FoundSchema {
  /** The file or the folder, absolute. */
  readonly path: string
  readonly files: readonly SchemaFile[]
  /** The datasource's provider; empty where there is none. */
  readonly provider: string
  /** The generator blocks that are ours, outputs absolute. */
  readonly routes: readonly GeneratorBlock[]
  /** All other generator blocks, outputs absolute. */
  readonly others: readonly GeneratorBlock[]
  /** What Prisma's commands need to be told to find it, as `--schema db/schema.prisma`; empty where they find it themselves. */
  readonly flag: string
  /** What the person who asks should know of how it was found, a sentence each. */
  readonly notes: readonly string[]
}

/** Where a schema is, and how it was found. */
interface Place {
  /** As Prisma's loader is to be told; undefined where it looks itself. */
  readonly argument: string | undefined
  readonly notes: readonly string[]
}

/**
 * Finds the schema as Prisma does (`--schema`, `prisma.config.ts`, `schema.prisma`, `prisma/schema.prisma`), and where it does
 * not look any more, or never did: `prisma.schema` in `package.json`, and a folder of files in `prisma/schema` or `prisma`.
 * @param asked what `--schema` says
 * @param root the app's folder
 * @param fromManifest what `package.json` says
 * @throws GeneratorError where there is none, or it is not valid
 */
export async function findSchema(
  asked: string | undefined,
  root: string,
  fromManifest: string | undefined,
): Promise<FoundSchema> {
  const { argument, notes } = asked === undefined ? await placeIn(root, fromManifest) : { argument: asked, notes: [] }
  const { context } = await loadContext(argument, root)
  const generators = context.generators.map(readBlock)
  return {
    path: context.schemaPath,
    files: context.schemaFiles.map(([path, text]) => ({ path, text })),
    provider: context.primaryDatasource?.activeProvider ?? '',
    routes: generators.filter(isRoutesGenerator),
    others: generators.filter((generator) => !isRoutesGenerator(generator)),
    flag: argument === undefined ? '' : ` --schema ${/\s/.test(argument) ? JSON.stringify(argument) : argument}`,
    notes,
  }
}

async function placeIn(root: string, fromManifest: string | undefined): Promise<Place> {
  const config = await loadConfig(root)
  if (config.schema !== undefined) return { argument: undefined, notes: [] }
  if (fromManifest !== undefined) {
    const note =
      'Prisma 7 does not read prisma.schema in package.json any more. Put it into prisma.config.ts as ' +
      `\`schema: ${JSON.stringify(fromManifest)}\`, then --schema is not needed.`
    return { argument: fromManifest, notes: [note] }
  }
  const defaults = ['schema.prisma', 'prisma/schema.prisma'].map((name) => path.join(config.folder, name))
  if (defaults.some((file) => existsSync(file))) return { argument: undefined, notes: [] }
  const folder = ['prisma/schema', 'prisma'].find((name) => holdsSchema(path.join(root, name)))
  if (folder === undefined) {
    const what = 'there is no schema: neither schema.prisma nor prisma/schema.prisma, and prisma.config.ts names none.'
    throw initError(what, 'Name it with --schema, or make one with `npx prisma init`.')
  }
  const note =
    `Prisma does not find the folder ${folder} by itself. Put it into prisma.config.ts as ` +
    `\`schema: ${JSON.stringify(folder)}\`, then --schema is not needed.`
  return { argument: folder, notes: [note] }
}

function holdsSchema(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.prisma'))
}
