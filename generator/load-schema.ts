import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

import type { GeneratorConfig } from '@prisma/generator-helper'

import { GeneratorError } from './errors.js'
import type { GenerateInput } from './generate.js'
import { DEFAULT_OUTPUT } from './options.js'
import { assertPrisma7 } from './project/prisma-version.js'
import { blockFromPrisma } from './schema/block-from-prisma.js'
import { schemaFromDmmf, type SchemaDmmf } from './schema/from-dmmf.js'
import { type GeneratorBlock, isRoutesGenerator } from './schema/generator-block.js'
import {
  parseConfig,
  parseModels,
  requirePrisma,
  type SchemaConfig,
  type SchemaFileTuple,
} from './schema/parse-schema.js'
import { defaultSchemaPaths, loadPrismaConfig, type PrismaConfig } from './schema/prisma-config.js'
import type { SchemaFile, SchemaSource } from './schema/schema.js'

export { loadPrismaConfig } from './schema/prisma-config.js'

/** The files of a schema, and the blocks that are not models. */
export interface SchemaContext extends SchemaConfig {
  /** Absolute path of the schema's file or folder. */
  readonly schemaPath: string
  readonly schemaFiles: SchemaFileTuple[]
}

/** The function of `@prisma/schema-files-loader` that is used here. */
interface FilesLoader {
  loadSchemaFiles(folder: string): Promise<SchemaFileTuple[]>
}

/** Loads a schema's generator blocks without Prisma's CLI, which passes only the selected generators. Needs no database and no engine. */
export async function loadGenerators(schemaPath: string): Promise<readonly GeneratorBlock[]> {
  const { generators } = await loadContext(schemaPath)
  return generators.map(readBlock)
}

/**
 * Loads a schema and returns one input per routes generator.
 * @param schemaPath the schema's file or folder. Default: where Prisma looks for it (`prisma.config.ts`, then Prisma's default paths)
 * @throws GeneratorError if the schema cannot be read, is invalid or has no routes generator
 */
export async function loadSchema(schemaPath: string | undefined): Promise<readonly GenerateInput[]> {
  const context = await loadContext(schemaPath)
  const generators = context.generators.map(readBlock)
  if (!generators.some(isRoutesGenerator)) {
    const problemText = `the schema "${path.relative(process.cwd(), context.schemaPath) || '.'}" has no generator with provider = "routewright".`
    throw new GeneratorError([
      { location: {}, message: problemText, hint: 'Add one, or specify a different schema with --schema.' },
    ])
  }
  const schema = schemaFromDmmf({
    dmmf: await readModels(context.schemaFiles, context),
    datamodel: context.schemaFiles.map(([, text]) => text).join('\n'),
    provider: context.datasources[0]?.provider ?? '',
    schemaPath: context.schemaPath,
  })
  return toInputs(generators, schema)
}

/**
 * Parses a schema from text instead of from disk.
 * @param schemaPath absolute path that the schema's file or folder would have
 * @param files the files, with absolute paths
 * @returns an empty list if the schema has no routes generator
 * @throws GeneratorError if the installed version of Prisma rejects the schema
 */
export async function readSchema(schemaPath: string, files: readonly SchemaFile[]): Promise<readonly GenerateInput[]> {
  const datamodel = files.map(({ path: file = schemaPath, text }): SchemaFileTuple => [file, text])
  const config = await readConfig(datamodel)
  const blocks = config.generators.map(readBlock)
  if (!blocks.some(isRoutesGenerator)) return []
  const schema = schemaFromDmmf({
    dmmf: await readModels(datamodel, config),
    datamodel: datamodel.map(([, text]) => text).join('\n'),
    provider: config.datasources[0]?.provider ?? '',
    schemaPath,
    files,
  })
  return toInputs(blocks, schema)
}

/** Returns one input per routes generator. */
function toInputs(generators: readonly GeneratorBlock[], schema: SchemaSource): readonly GenerateInput[] {
  return generators.filter(isRoutesGenerator).map((generator) => ({
    generator,
    otherGenerators: generators.filter((other) => other !== generator),
    schema,
  }))
}

/**
 * Loads `@prisma/internals`. This takes longer than parsing a schema with 100 models, so it is only loaded if direct parsing fails. It formats
 * the error message.
 */
function loadInternals() {
  // `require`, because it is a CommonJS bundle whose named exports Node's ESM loader cannot detect.
  return createRequire(import.meta.url)('@prisma/internals') as typeof import('@prisma/internals')
}

async function readConfig(datamodel: SchemaFileTuple[]): Promise<SchemaConfig> {
  try {
    return parseConfig(datamodel)
  } catch {
    return await loadInternals().getConfig({ datamodel }).catch(rejectSchema)
  }
}

async function readModels(datamodel: SchemaFileTuple[], config: SchemaConfig): Promise<SchemaDmmf> {
  try {
    return parseModels(datamodel, config)
  } catch {
    return await loadInternals().getDMMF({ datamodel }).catch(rejectSchema)
  }
}

/**
 * Loads a schema like Prisma. The schema does not need to have a routes generator.
 * @param schemaPath the schema's file or folder, relative to `folder`. Default: where Prisma looks for it
 * @param folder the folder that Prisma's commands run in
 * @throws GeneratorError if no schema exists or it is invalid
 */
export async function loadContext(schemaPath: string | undefined, folder = process.cwd()): Promise<SchemaContext> {
  // Must run before parsing: a schema for a different Prisma version may be invalid, and its parse errors would hide the cause.
  assertPrisma7(path.resolve(folder, schemaPath ?? ''))
  const config = await loadPrismaConfig(folder)
  const explicitPath = schemaPath ? path.resolve(folder, schemaPath) : config.schema
  const files = await findSchemaFiles(explicitPath, config).catch(() => undefined)
  if (!files) return await loadWithInternals(schemaPath, config, folder)
  assertPrisma7(files.schemaPath)
  return { ...files, ...(await readConfig(files.schemaFiles)) }
}

/** Loads a schema with `@prisma/internals`, which rejects missing and unreadable files with a message that lists the paths. */
async function loadWithInternals(
  schemaPath: string | undefined,
  config: PrismaConfig,
  folder: string,
): Promise<SchemaContext> {
  const internals = loadInternals()
  const input = internals.createSchemaPathInput({
    ...(schemaPath === undefined ? {} : { schemaPathFromArgs: schemaPath }),
    ...(config.schema === undefined ? {} : { schemaPathFromConfig: config.schema }),
    baseDir: config.folder,
  })
  return await internals
    .loadSchemaContext({ schemaPath: input, printLoadMessage: false, cwd: folder })
    .catch(rejectSchema)
}

/**
 * Reads the files of a schema from the paths where Prisma looks for it.
 * @param explicitPath absolute path of the schema's file or folder, if the user specified it
 * @returns undefined if the schema does not exist
 */
async function findSchemaFiles(
  explicitPath: string | undefined,
  config: PrismaConfig,
): Promise<Pick<SchemaContext, 'schemaPath' | 'schemaFiles'> | undefined> {
  for (const schemaPath of explicitPath === undefined ? defaultSchemaPaths(config) : [explicitPath]) {
    const stats = statSync(schemaPath, { throwIfNoEntry: false })
    if (stats?.isFile()) return { schemaPath, schemaFiles: [[schemaPath, readFileSync(schemaPath, 'utf8')]] }
    if (!stats?.isDirectory() || explicitPath === undefined) continue
    const loader = requirePrisma('@prisma/schema-files-loader') as FilesLoader
    return { schemaPath, schemaFiles: await loader.loadSchemaFiles(schemaPath) }
  }
  return undefined
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
