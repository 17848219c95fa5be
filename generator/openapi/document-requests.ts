import path from 'node:path'

import { GeneratorError } from '../errors.js'
import { readOptions } from '../options.js'
import type { GeneratorBlock } from '../schema/generator-block.js'

/** A module whose handlers are documented. */
export interface DocumentRequest {
  /** Absolute path. */
  readonly module: string
  /** Absolute path of the folder for its documents. */
  readonly folder: string
  readonly format: 'prettier' | 'none'
}

/** The default folder for documents, relative to the module. */
const FOLDER = 'openapi'

/**
 * Returns the modules in the `openapi` options of all generator blocks, without duplicates.
 * @param out a folder for all documents, relative to the working directory. Default: a folder next to each module
 */
export function requestsFromSchema(blocks: readonly GeneratorBlock[], out?: string): readonly DocumentRequest[] {
  const requests = new Map<string, DocumentRequest>()
  for (const block of blocks) {
    const { openapi, format } = readOptions(block)
    for (const module of openapi) if (!requests.has(module)) requests.set(module, createRequest(module, format, out))
  }
  return [...requests.values()]
}

/**
 * Returns requests for the modules passed on the command line.
 * @param modules paths relative to the working directory
 * @param out as in {@link requestsFromSchema}
 */
export function requestsFromArguments(modules: readonly string[], out?: string): readonly DocumentRequest[] {
  const files = new Set(modules.map((module) => path.resolve(module)))
  return [...files].map((module) => createRequest(module, 'prettier', out))
}

/** Returns the error for a schema without the option `openapi`. */
export function noModulesError(): GeneratorError {
  const message = 'no generator block has the option "openapi".'
  const hint =
    'Add openapi = "../src/api.ts" with the module that exports your handlers, or specify a module: npx routewright openapi src/api.ts.'
  return new GeneratorError([{ location: {}, message, hint }])
}

function createRequest(module: string, format: 'prettier' | 'none', out: string | undefined): DocumentRequest {
  const folder = out === undefined ? path.join(path.dirname(module), FOLDER) : path.resolve(out)
  return { module, format, folder }
}
