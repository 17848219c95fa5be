import { createRequire } from 'node:module'
import path from 'node:path'

import type { GeneratorConfig } from '@prisma/generator-helper'

import { GeneratorError } from './errors.js'
import type { GenerateInput } from './generate.js'
import { DEFAULT_OUTPUT } from './options.js'
import { assertPrisma7 } from './project/prisma-version.js'
import { blockFromPrisma } from './schema/block-from-prisma.js'
import { schemaFromDmmf } from './schema/from-dmmf.js'
import { type GeneratorBlock, isRoutesGenerator } from './schema/generator-block.js'
import type { SchemaFile } from './schema/schema.js'

/**
 * Reads a schema's generator blocks without Prisma's CLI, where that does not tell which there are. Needs no database and no
 * engine. Prisma's internals are loaded here only, since loading them takes a while.
 */
export async function loadGenerators(schemaPath: string): Promise<readonly GeneratorBlock[]> {
  const { context } = await loadContext(schemaPath)
  return context.generators.map(readBlock)
}

/**
 * Reads a schema and finds its routes generator.
 * @param schemaPath the schema's file or folder; undefined for where Prisma would look (prisma.config.ts, then its defaults)
 * @throws GeneratorError where the schema cannot be read, is not valid, or has no routes generator
 */
export async function loadSchema(schemaPath: string | undefined): Promise<readonly GenerateInput[]> {
  const { internals, context } = await loadContext(schemaPath)
  const generators = context.generators.map(readBlock)
  const routes = generators.filter(isRoutesGenerator)
  if (routes.length === 0) {
    const what = `the schema ${context.loadedFromPathForLogMessages} has no generator with provider = "routewright".`
    throw new GeneratorError([{ place: {}, what, mend: 'Add one, or name another schema with --schema.' }])
  }
  const dmmf = await internals.getDMMF({ datamodel: context.schemaFiles }).catch(rejectSchema)
  const schema = schemaFromDmmf({
    dmmf,
    datamodel: context.schemaFiles.map(([, text]) => text).join('\n'),
    provider: context.primaryDatasource?.provider ?? '',
    schemaPath: context.schemaPath,
  })
  return routes.map((generator) => ({
    generator,
    otherGenerators: generators.filter((other) => other !== generator),
    schema,
  }))
}

/**
 * Reads a schema that is not on disk, or not as it is there.
 * @param schemaPath where its file or its folder would be, absolute
 * @param files absolute paths, and texts
 * @returns nothing where it has no routes generator
 * @throws GeneratorError where it is not valid to this Prisma
 */
export async function readSchema(schemaPath: string, files: readonly SchemaFile[]): Promise<readonly GenerateInput[]> {
  const internals = loadInternals()
  const datamodel = files.map(({ path: file = schemaPath, text }): [string, string] => [file, text])
  const { generators, datasources } = await internals.getConfig({ datamodel }).catch(rejectSchema)
  const blocks = generators.map(readBlock)
  const routes = blocks.filter(isRoutesGenerator)
  if (routes.length === 0) return []
  const dmmf = await internals.getDMMF({ datamodel }).catch(rejectSchema)
  const schema = schemaFromDmmf({
    dmmf,
    datamodel: datamodel.map(([, text]) => text).join('\n'),
    provider: datasources[0]?.provider ?? '',
    schemaPath,
    files,
  })
  return routes.map((generator) => ({
    generator,
    otherGenerators: blocks.filter((other) => other !== generator),
    schema,
  }))
}

// A CommonJS bundle whose names Node's ESM loader cannot see.
function loadInternals() {
  return createRequire(import.meta.url)('@prisma/internals') as typeof import('@prisma/internals')
}

/**
 * Reads a schema with Prisma's own loader, whether or not it has a routes generator.
 * @param schemaPath the schema's file or folder, relative to `folder`; undefined for where Prisma would look
 * @param folder where Prisma's commands would be run
 * @throws GeneratorError where there is no schema, or it is not valid
 */
export async function loadContext(schemaPath: string | undefined, folder = process.cwd()) {
  const internals = loadInternals()
  // Another Prisma's schema may not be valid to ours, which would hide what is wrong.
  assertPrisma7(path.resolve(folder, schemaPath ?? ''))
  const config = await loadConfig(folder)
  const input = internals.createSchemaPathInput({
    ...(schemaPath === undefined ? {} : { schemaPathFromArgs: schemaPath }),
    ...(config.schema === undefined ? {} : { schemaPathFromConfig: config.schema }),
    baseDir: config.folder,
  })
  const context = await internals
    .loadSchemaContext({ schemaPath: input, printLoadMessage: false, cwd: folder })
    .catch(rejectSchema)
  assertPrisma7(context.schemaPath)
  return { internals, context }
}

/** What the project's `prisma.config.ts` says of the schema's place, and the folder that the place is relative to. */
export async function loadConfig(
  folder: string,
): Promise<{ readonly schema: string | undefined; readonly folder: string }> {
  const { loadConfigFromFile } = await import('@prisma/config')
  const { config, resolvedPath } = await loadConfigFromFile({ configRoot: folder })
  if (config === undefined) {
    const what = `${resolvedPath ?? 'prisma.config.ts'} cannot be loaded.`
    throw new GeneratorError([{ place: {}, what, mend: '`npx prisma validate` says why.' }])
  }
  return { schema: config.schema, folder: resolvedPath === null ? folder : path.dirname(resolvedPath) }
}

function rejectSchema(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  const what = `the schema cannot be read: ${message.trim()}\n`
  throw new GeneratorError([{ place: {}, what, mend: 'Mend the schema; `npx prisma validate` says the same.' }])
}

/** As Prisma does before it starts a generator: outputs are relative to the file that the block stands in. */
export function readBlock(generator: GeneratorConfig): GeneratorBlock {
  const block = blockFromPrisma(generator)
  const output = generator.output?.fromEnvVar ? process.env[generator.output.fromEnvVar] : block.output
  const value = output || (isRoutesGenerator(block) ? DEFAULT_OUTPUT : undefined)
  if (value === undefined) return block
  return {
    ...block,
    output: path.resolve(path.dirname(block.file), value),
    isCustomOutput: Boolean(output) || block.isCustomOutput,
  }
}
