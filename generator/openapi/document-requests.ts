import path from 'node:path'

import { GeneratorError } from '../errors.js'
import { readOptions } from '../options.js'
import type { GeneratorBlock } from '../schema/generator-block.js'

/** A module whose handlers are to be described. */
export interface DocumentRequest {
  /** Absolute. */
  readonly module: string
  /** The folder that its documents stand in, absolute. */
  readonly folder: string
  readonly format: 'prettier' | 'none'
}

/** Where the documents of a module stand, relative to it. */
const FOLDER = 'openapi'

/**
 * The modules that the generator blocks of a schema name, each once.
 * @param out a folder for all documents, relative to the working directory. Default: one beside each module
 */
export function requestsFromSchema(blocks: readonly GeneratorBlock[], out?: string): readonly DocumentRequest[] {
  const requests = new Map<string, DocumentRequest>()
  for (const block of blocks) {
    const { openapi, format } = readOptions(block)
    for (const module of openapi) if (!requests.has(module)) requests.set(module, requestFor(module, format, out))
  }
  return [...requests.values()]
}

/**
 * The modules that somebody names, in place of those of the schema.
 * @param modules relative to the working directory
 * @param out as in {@link requestsOf}
 */
export function requestsFromArguments(modules: readonly string[], out?: string): readonly DocumentRequest[] {
  const files = new Set(modules.map((module) => path.resolve(module)))
  return [...files].map((module) => requestFor(module, 'prettier', out))
}

/** That nobody has said what is to be described. */
export function noModulesError(): GeneratorError {
  const what = 'no generator block has the option "openapi".'
  const mend =
    'Write openapi = "../src/api.ts" into it, the module that exports your handlers, or name one: npx routewright openapi src/api.ts.'
  return new GeneratorError([{ place: {}, what, mend }])
}

function requestFor(module: string, format: 'prettier' | 'none', out: string | undefined): DocumentRequest {
  const folder = out === undefined ? path.join(path.dirname(module), FOLDER) : path.resolve(out)
  return { module, format, folder }
}
