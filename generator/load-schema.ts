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
 * Loads a schema's generator blocks without Prisma's CLI, which passes only the selected generators. Needs no database and no engine. Only
 * this file loads `@prisma/internals`, because loading it is slow.
 */
export async function loadGenerators(schemaPath: string): Promise<readonly GeneratorBlock[]> {
  const { context } = await loadContext(schemaPath)
  return context.generators.map(readBlock)
}

/**
 * Loads a schema and returns one input per routes generator.
 * @param schemaPath the schema's file or folder. Default: where Prisma looks for it (`prisma.config.ts`, then Prisma's default paths)
 * @throws GeneratorError if the schema cannot be read, is invalid or has no routes generator
 */
export async function loadSchema(schemaPath: string | undefined): Promise<readonly GenerateInput[]> {
  const { internals, context } = await loadContext(schemaPath)
  const generators = context.generators.map(readBlock)
  const routes = generators.filter(isRoutesGenerator)
  if (routes.length === 0) {
    const problemText = `the schema ${context.loadedFromPathForLogMessages} has no generator with provider = "routewright".`
    throw new GeneratorError([
      { location: {}, message: problemText, hint: 'Add one, or specify a different schema with --schema.' },
    ])
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
 * Parses a schema from text instead of from disk.
 * @param schemaPath absolute path that the schema's file or folder would have
 * @param files the files, with absolute paths
 * @returns an empty list if the schema has no routes generator
 * @throws GeneratorError if the installed version of Prisma rejects the schema
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

// Loaded with `require`, because it is a CommonJS bundle whose named exports Node's ESM loader cannot detect.
function loadInternals() {
  return createRequire(import.meta.url)('@prisma/internals') as typeof import('@prisma/internals')
}

/**
 * Loads a schema with Prisma's own loader. The schema does not need to have a routes generator.
 * @param schemaPath the schema's file or folder, relative to `folder`. Default: where Prisma looks for it
 * @param folder the folder that Prisma's commands run in
 * @throws GeneratorError if no schema exists or it is invalid
 */
export async function loadContext(schemaPath: string | undefined, folder = process.cwd()) {
  const internals = loadInternals()
  // Must run before parsing: a schema for a different Prisma version may be invalid, and its parse errors would hide the cause.
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

/** Returns the schema path from the project's `prisma.config.ts` and the folder that it is relative to. */
export async function loadConfig(
  folder: string,
): Promise<{ readonly schema: string | undefined; readonly folder: string }> {
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

function rejectSchema(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  const problemText = `the schema cannot be read: ${message.trim()}\n`
  throw new GeneratorError([
    { location: {}, message: problemText, hint: 'Fix the schema. `npx prisma validate` reports the same error.' },
  ])
}

/** Converts a generator block and, like Prisma, resolves its output relative to the schema file. */
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
