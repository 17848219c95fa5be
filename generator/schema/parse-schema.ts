import { createRequire } from 'node:module'

import type { DMMF, GeneratorConfig } from '@prisma/generator-helper'

import type { SchemaDmmf } from './from-dmmf.js'

/** A schema file in the format of Prisma's packages: its absolute path and its text. */
export type SchemaFileTuple = [path: string, text: string]

/** The blocks of a schema that are not models. */
export interface SchemaConfig {
  readonly generators: GeneratorConfig[]
  readonly datasources: readonly { readonly provider: string; readonly activeProvider: string }[]
}

/** The functions of `@prisma/prisma-schema-wasm` that are used here. Parameters and results are JSON. */
interface SchemaParser {
  get_config(params: string): string
  get_datamodel(params: string): string
  get_dmmf(params: string): string
}

/** Matches schemas in which some models may have fewer methods than others. Other text may match too, which only costs time. */
const UNEQUAL_MODELS = /\bUnsupported\b|\bview\b/

/**
 * Parses the generators and datasources of a schema with Prisma's parser.
 * @throws an error without a useful message if the schema is invalid. `@prisma/internals` formats the message.
 */
export function parseConfig(files: readonly SchemaFileTuple[]): SchemaConfig {
  const { config, errors }: { config: SchemaConfig; errors: readonly unknown[] } = JSON.parse(
    loadParser().get_config(JSON.stringify({ prismaSchema: files })),
  )
  if (errors.length > 0) throw new Error('The schema is invalid.')
  return config
}

/**
 * Parses the models of a schema with Prisma's parser. The result equals the part of `getDMMF` that the generator uses. `getDMMF` also builds
 * the types of Prisma's query language, which are 14 MB of JSON for 100 models and take most of the time.
 * @throws an error without a useful message if the schema is invalid. `@prisma/internals` formats the message.
 */
export function parseModels(files: readonly SchemaFileTuple[], { generators, datasources }: SchemaConfig): SchemaDmmf {
  const parser = loadParser()
  const readDmmf = (prismaSchema: readonly SchemaFileTuple[]): SchemaDmmf =>
    JSON.parse(parser.get_dmmf(JSON.stringify({ prismaSchema })))
  const [datasource] = datasources
  if (datasource === undefined || files.some(([, text]) => UNEQUAL_MODELS.test(text))) return readDmmf(files)
  const datamodel: DMMF.Datamodel = JSON.parse(parser.get_datamodel(JSON.stringify({ prismaSchema: files })))
  const features = [...new Set(generators.flatMap(({ previewFeatures }) => previewFeatures))]
  // All models have the same methods, so a schema with one model is enough to determine them.
  const smallSchema = [
    `datasource db {\n provider = ${JSON.stringify(datasource.provider)}\n}`,
    `generator client {\n provider = "prisma-client"\n previewFeatures = ${JSON.stringify(features)}\n}`,
    'model Model {\n id Int @id @map("_id")\n}\n',
  ].join('\n')
  const [methods] = readDmmf([['/schema.prisma', smallSchema]]).mappings.modelOperations
  if (methods === undefined) throw new Error('Prisma returned no methods.')
  // The values are the names of the operations of `Model`. They are not used.
  const modelOperations = datamodel.models.map(({ name }) => ({ ...methods, model: name }))
  return { datamodel, mappings: { modelOperations } }
}

/** Loads one of the dependencies of `@prisma/internals` in the version that it depends on, without loading `@prisma/internals` itself. */
export function requirePrisma(name: '@prisma/prisma-schema-wasm' | '@prisma/schema-files-loader'): unknown {
  const require = createRequire(import.meta.url)
  return createRequire(require.resolve('@prisma/internals'))(name)
}

function loadParser(): SchemaParser {
  return requirePrisma('@prisma/prisma-schema-wasm') as SchemaParser
}
