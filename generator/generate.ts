import type { GeneratorConfig } from '@prisma/generator-helper'

import { type ClientGenerator, importPaths, isClientGenerator } from './emit/client-import.js'
import { emit } from './emit/emit.js'
import type { EmittedFile } from './emit/files.js'
import { createFormatter } from './emit/format.js'
import { openTemplates } from './emit/templates.js'
import { GeneratorError, type Problem } from './errors.js'
import { annotationsInPlainComments } from './model/comments.js'
import { apiModelFromDmmf, type SchemaDmmf } from './model/from-dmmf.js'
import { relationModeOf } from './model/relation-mode.js'
import { readOptions } from './options.js'
import { placeFinder } from './schema-places.js'

/** A Prisma schema and the generator block that asks for routes, however they were come by. */
export interface GenerateInput {
  /** The block with `provider = "routewright"`; its output absolute. */
  readonly generator: Pick<GeneratorConfig, 'name' | 'config' | 'output' | 'sourceFilePath'>
  /** The schema's other generator blocks, outputs absolute. */
  readonly otherGenerators: readonly ClientGenerator[]
  readonly dmmf: SchemaDmmf
  /** The schema's text. */
  readonly datamodel: string
  /** The datasource's provider. */
  readonly provider: string
  /** The schema's file, or its folder. */
  readonly schemaPath: string
  /** Finds the other generator blocks where `otherGenerators` names no client, as under `--generator routes`. */
  readonly loadGenerators?: () => Promise<readonly ClientGenerator[]>
}

/** What a schema gives. */
export interface Generated {
  /** The output folder, absolute. */
  readonly output: string
  readonly files: readonly EmittedFile[]
  /** What the person who generates should know, a sentence each. */
  readonly notes: readonly string[]
}

/**
 * A schema → the files of its routes, in memory.
 * @throws GeneratorError that lists everything that is wrong in the generator block, or else in the schema
 */
export async function generate(input: GenerateInput): Promise<Generated> {
  const options = readOptions(input.generator)
  const problems: Problem[] = []
  const model = apiModelFromDmmf(input.dmmf, input.provider, (problem) => problems.push(problem))
  if (problems.length > 0) throw new GeneratorError(problems, placeFinder(input.schemaPath))
  const relationMode = relationModeOf(input.datamodel)
  const api = { ...model, ...(relationMode && { relationMode }) }
  const known = input.otherGenerators.some(isClientGenerator) || options.clientImport !== undefined
  const generators = known ? input.otherGenerators : ((await input.loadGenerators?.()) ?? input.otherGenerators)
  const imports = importPaths(options, generators)
  const rendered = emit(api, { options, imports, render: openTemplates(options.templates) })
  const formatter = await createFormatter({ outputDir: options.output, format: options.format })
  return {
    output: options.output,
    files: await formatter.format(rendered),
    notes: [...annotationsInPlainComments(input.datamodel), ...api.notes],
  }
}
