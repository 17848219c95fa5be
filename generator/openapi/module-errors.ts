import { existsSync } from 'node:fs'
import path from 'node:path'

import type { DiagnosticMessage } from '../errors.js'
import { displayPath } from '../output/report.js'
import type { Descriptions, LoadedModule } from './load-result.js'

/** The extensions of modules that can be loaded. */
const EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs']

/** An example of a handler with a document, for hints. */
const EXAMPLE = 'export const rest = RestApiHandler({ endpoint, openapi: openApi() })'

/** Returns the error for a module that does not exist. */
export function missingModuleError(file: string): DiagnosticMessage {
  const stem = file.slice(0, file.length - path.extname(file).length)
  const similarFile = EXTENSIONS.flatMap((ending) => [stem + ending, file + ending]).find((other) => existsSync(other))
  const hint =
    'Specify the module that exports your handlers. In the generator block, the path is relative to the schema file.'
  return {
    message: `the file ${displayPath(file)} was not found.`,
    hint: similarFile === undefined ? hint : `Did you mean ${displayPath(similarFile)}?`,
  }
}

/** Returns the errors that prevent a module from being documented. */
export function moduleErrors(file: string, { outcome, printed }: LoadedModule): readonly DiagnosticMessage[] {
  const module = displayPath(file)
  const outputNote = printed === '' ? '' : ` It printed:\n${printed.replaceAll(/^/gm, '  ')}\n`
  switch (outcome.kind) {
    case 'described':
      return diagnoseHandlers(module, outcome)
    case 'threw': {
      const message = `${module} cannot be loaded: ${outcome.message}${outcome.position ? ` (${outcome.position})` : ''}${outputNote}`
      return [{ message: sentence(message), hint: outcome.isMissing ? MISSING_HINT : THROW_HINT }]
    }
    case 'listens':
      return [
        {
          message: `${module} starts a server${outcome.position ? ` (${outcome.position})` : ''}.`,
          hint: SEPARATE_MODULE_HINT,
        },
      ]
    case 'ended': {
      if (outcome.code === UNSETTLED_AWAIT_CODE)
        return [{ message: `${module} awaits a promise that never settles.${outputNote}`, hint: AWAIT_HINT }]
      const exitStatus = outcome.signal === null ? `exit code ${outcome.code}` : outcome.signal
      return [
        {
          message: `${module} ended its process (${exitStatus}) instead of being loaded.${outputNote}`,
          hint: THROW_HINT,
        },
      ]
    }
    case 'late': {
      const message = `${module} did not finish loading within ${outcome.seconds} seconds.${outputNote}`
      return [{ message, hint: `${AWAIT_HINT} Or increase the time limit: --timeout <seconds>.` }]
    }
  }
}

function diagnoseHandlers(
  module: string,
  { documents, undescribed, failed, exports }: Descriptions,
): readonly DiagnosticMessage[] {
  if (failed.length > 0) {
    return failed.map(({ name, status, detail }) => ({
      message: sentence(`${module}: "${name}" responds to a request for its openapi.json with ${status}: ${detail}`),
      hint:
        status < 500
          ? 'Allow GET /openapi.json in the middleware of its custom routes.'
          : 'Fix the error. Its cause may be `extend` of the option `openapi`.',
    }))
  }
  if (documents.length > 0) return []
  if (undescribed.length > 0) {
    const message = `${module}: no exported handler has the option "openapi". Exported handlers: ${undescribed.join(', ')}.`
    return [{ message, hint: 'Add openapi: openApi() from "@routewright/runtime/openapi" to its options.' }]
  }
  const exported = exports.length === 0 ? 'none' : exports.join(', ')
  return [
    {
      message: `${module} does not export a handler. Its exports: ${exported}.`,
      hint: `Export the handler: ${EXAMPLE}.`,
    },
  ]
}

/** The exit code of Node if the event loop is empty while a top-level await is pending. */
const UNSETTLED_AWAIT_CODE = 13

const MISSING_HINT =
  'Install or generate the missing module (`npx prisma generate` writes the routes and the client). Modules that a framework provides only in its build cannot be imported here.'
const THROW_HINT =
  'Fix the error, or set the environment variables that the module needs. Describing handlers does not need a database.'
const SEPARATE_MODULE_HINT =
  'Move the handlers to a separate module, and import it in the module that starts the server.'
const AWAIT_HINT =
  'Do not await anything during the import, such as a connection. Do this in the module that starts the server.'

function sentence(text: string): string {
  return /[.!?\n]$/.test(text) ? text : `${text}.`
}
