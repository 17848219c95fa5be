import { importPaths } from './emit/client-import.js'
import { emit } from './emit/emit.js'
import type { EmittedFile } from './emit/files.js'
import { createFormatter } from './emit/format.js'
import { openTemplates } from './emit/templates.js'
import { GeneratorError, type Problem } from './errors.js'
import { annotationsInPlainComments } from './model/comments.js'
import { apiModelOf } from './model/api-model-of.js'
import { readOptions } from './options.js'
import { type GeneratorBlock, isClientGenerator } from './schema/generator-block.js'
import type { SchemaSource } from './schema/schema.js'

/** A schema and the generator block that asks for routes, whoever read them. */
export interface GenerateInput {
  /** The block with `provider = "routewright"`; its output absolute. */
  readonly generator: GeneratorBlock
  /** The schema's other generator blocks, outputs absolute. */
  readonly otherGenerators: readonly GeneratorBlock[]
  readonly schema: SchemaSource
  /** Finds the other generator blocks where `otherGenerators` names no client, as under `--generator routes`. */
  readonly loadGenerators?: () => Promise<readonly GeneratorBlock[]>
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
  const { generator, schema } = input
  const options = readOptions(generator)
  const problems: Problem[] = []
  const api = apiModelOf(schema, (problem) => problems.push(problem))
  if (problems.length > 0) throw new GeneratorError(problems, (place) => schema.locate(place))
  const known = input.otherGenerators.some(isClientGenerator) || options.clientImport !== undefined
  const generators = known ? input.otherGenerators : ((await input.loadGenerators?.()) ?? input.otherGenerators)
  const imports = importPaths(options, generators)
  const rendered = emit(api, { options, imports, render: openTemplates(options.templates) })
  const formatter = await createFormatter({ outputDir: options.output, format: options.format })
  return {
    output: options.output,
    files: await formatter.format(rendered),
    notes: [...annotationsInPlainComments(schema.text), ...api.notes],
  }
}
