import path from 'node:path'

import type { GenerateInput } from '../generate.js'
import { GeneratorError, type Diagnostic } from '../errors.js'
import type { ApiModel } from '../model/api-model.js'
import { buildApiModel } from '../model/build-api-model.js'
import { OPTION_NAMES, type Options, readOptions } from '../options.js'
import { createZodLoader } from '../project/zod.js'
import type { GeneratorBlock } from '../schema/generator-block.js'
import type { SchemaSource } from '../schema/schema.js'

/** An API before or after a change, with the schema and options that define it. */
export interface ApiSnapshot {
  readonly api: ApiModel
  readonly schema: SchemaSource
  readonly options: Options
}

/**
 * Builds the API model of a schema without generating files.
 * @param isBase whether the schema is from an earlier commit. Its errors are ignored, because they can no longer be fixed.
 * @throws GeneratorError listing the errors in the generator block or, if there are none, in the schema
 */
export function createApiSnapshot({ generator, schema }: GenerateInput, isBase: boolean): ApiSnapshot {
  const options = isBase ? readBaseOptions(generator) : readOptions(generator)
  const problems: Diagnostic[] = []
  const loadZod = createZodLoader([options.output, path.dirname(generator.file)])
  const api = buildApiModel(schema, (problem) => problems.push(problem), { loadZod, policy: options.policy })
  const errors = problems.filter(({ consequence }) => options.unknownZod !== 'warn' || consequence === undefined)
  if (!isBase && errors.length > 0) throw new GeneratorError(errors, (location) => schema.locate(location))
  return { api, schema, options }
}

/**
 * Parses the options of a block from an earlier commit. Converts the earlier option for nested routes, ignores unknown options
 * and, if the others are invalid, falls back to the defaults, because the block may have been written for a different version of this package.
 */
function readBaseOptions(generator: GeneratorBlock): Options {
  const supported = Object.entries(generator.config).filter(([name]) => OPTION_NAMES.some((option) => option === name))
  const nested = generator.config['nestedRoutes'] === 'true' && { rest: ['nestedRoutes'] }
  try {
    return readOptions({ ...generator, config: { ...nested, ...Object.fromEntries(supported) } })
  } catch (error) {
    if (!(error instanceof GeneratorError)) throw error
    return readOptions({ ...generator, config: {} })
  }
}
