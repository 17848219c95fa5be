import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

import { loadContext, readBlock } from '../../load-schema.js'
import { defaultSchemaPaths, loadPrismaConfig } from '../../schema/prisma-config.js'
import { type GeneratorBlock, isRoutesGenerator } from '../../schema/generator-block.js'
import { initError } from '../init-error.js'

/** A schema file. */
export interface SchemaFile {
  /** Absolute path. */
  readonly path: string
  readonly text: string
}

/** A project's schema. */
export interface FoundSchema {
  /** Absolute path of the file or folder. */
  readonly path: string
  readonly files: readonly SchemaFile[]
  /** The datasource's provider. Empty if there is no datasource. */
  readonly provider: string
  /** The routes generator blocks, with absolute outputs. */
  readonly routes: readonly GeneratorBlock[]
  /** All other generator blocks, with absolute outputs. */
  readonly otherGenerators: readonly GeneratorBlock[]
  /** The option that Prisma's commands need to find the schema, such as ` --schema db/schema.prisma`. Empty if they find it by default. */
  readonly flag: string
  /** Notes about how the schema was found, one sentence each. */
  readonly notes: readonly string[]
}

/** The location of a schema, and notes about how it was found. */
interface SchemaArgument {
  /** The path to pass to Prisma's loader. Undefined if the loader finds the schema by default. */
  readonly argument: string | undefined
  readonly notes: readonly string[]
}

/**
 * Finds the schema where Prisma 7 looks for it (`--schema`, `prisma.config.ts`, `schema.prisma`, `prisma/schema.prisma`). Also finds it
 * where Prisma 7 does not look: at the path in `prisma.schema` of `package.json`, and in the folders `prisma/schema` and `prisma` if they
 * contain several schema files.
 * @param requested the value of `--schema`
 * @param root the app's folder
 * @param fromManifest the value of `prisma.schema` in `package.json`
 * @throws GeneratorError if no schema is found or it is invalid
 */
export async function findSchema(
  requested: string | undefined,
  root: string,
  fromManifest: string | undefined,
): Promise<FoundSchema> {
  const { argument, notes } =
    requested === undefined ? await locateSchema(root, fromManifest) : { argument: requested, notes: [] }
  const context = await loadContext(argument, root)
  const generators = context.generators.map(readBlock)
  return {
    path: context.schemaPath,
    files: context.schemaFiles.map(([path, text]) => ({ path, text })),
    provider: context.datasources[0]?.activeProvider ?? '',
    routes: generators.filter(isRoutesGenerator),
    otherGenerators: generators.filter((generator) => !isRoutesGenerator(generator)),
    flag: argument === undefined ? '' : ` --schema ${/\s/.test(argument) ? JSON.stringify(argument) : argument}`,
    notes,
  }
}

async function locateSchema(root: string, fromManifest: string | undefined): Promise<SchemaArgument> {
  const config = await loadPrismaConfig(root)
  if (config.schema !== undefined) return { argument: undefined, notes: [] }
  if (fromManifest !== undefined) {
    const note =
      'Prisma 7 no longer reads prisma.schema in package.json. Add it to prisma.config.ts as ' +
      `\`schema: ${JSON.stringify(fromManifest)}\`. Then --schema is not needed.`
    return { argument: fromManifest, notes: [note] }
  }
  if (defaultSchemaPaths(config).some((file) => existsSync(file))) return { argument: undefined, notes: [] }
  const folder = ['prisma/schema', 'prisma'].find((name) => containsSchema(path.join(root, name)))
  if (folder === undefined) {
    const message =
      'no schema was found: schema.prisma and prisma/schema.prisma do not exist, and prisma.config.ts does not set a schema.'
    throw initError(message, 'Specify it with --schema, or create one with `npx prisma init`.')
  }
  const note =
    `Prisma does not find the folder ${folder} by default. Add it to prisma.config.ts as ` +
    `\`schema: ${JSON.stringify(folder)}\`. Then --schema is not needed.`
  return { argument: folder, notes: [note] }
}

function containsSchema(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.prisma'))
}
