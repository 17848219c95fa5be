import path from 'node:path'

import type { GenerateInput } from '../generate.js'
import { GeneratorError, type Diagnostic } from '../errors.js'
import type { ApiModel } from '../model/api-model.js'
import { buildApiModel } from '../model/build-api-model.js'
import { type Options, readOptions } from '../options.js'
import { createZodLoader } from '../project/zod.js'
import type { GeneratorBlock } from '../schema/generator-block.js'
import type { SchemaSource } from '../schema/schema.js'

/** An API before or after a change: what is on the wire, and the schema that says so. */
export interface ApiSnapshot {
  readonly api: ApiModel
  readonly schema: SchemaSource
  readonly options: Options
}

/**
 * Makes the API model of a schema, without any file.
 * @param isPast whether nobody can mend the schema any more: what it says wrongly counts as unsaid then
 * @throws GeneratorError that lists what is wrong with the schema, or with its generator block
 */
export function createApiSnapshot({ generator, schema }: GenerateInput, isPast: boolean): ApiSnapshot {
  const options = isPast ? pastOptions(generator) : readOptions(generator)
  const problems: Diagnostic[] = []
  const loadZod = createZodLoader([options.output, path.dirname(generator.file)])
  const api = buildApiModel(schema, (problem) => problems.push(problem), { loadZod, policy: options.policy })
  const errors = problems.filter(({ leftOut }) => options.unknownZod !== 'warn' || leftOut === undefined)
  if (!isPast && errors.length > 0) throw new GeneratorError(errors, (place) => schema.locate(place))
  return { api, schema, options }
}

/** The options of a block that another version of this package may have read: what this one does not know counts as unsaid. */
function pastOptions(generator: GeneratorBlock): Options {
  try {
    return readOptions(generator)
  } catch (error) {
    if (!(error instanceof GeneratorError)) throw error
    return readOptions({ ...generator, config: {} })
  }
}
