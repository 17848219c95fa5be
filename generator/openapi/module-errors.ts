import { existsSync } from 'node:fs'
import path from 'node:path'

import type { DiagnosticMessage } from '../errors.js'
import { displayPath } from '../output/report.js'
import type { Descriptions, LoadedModule } from './load-result.js'

/** The extensions of modules that can be loaded. */
const ENDINGS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs']

/** An example of a handler with a document, for hints. */
const EXAMPLE = 'export const rest = RestApiHandler({ endpoint, openapi: openApi() })'

/** Returns the error for a module that does not exist. */
export function missingModuleError(file: string): DiagnosticMessage {
  const stem = file.slice(0, file.length - path.extname(file).length)
  const meant = ENDINGS.flatMap((ending) => [stem + ending, file + ending]).find((other) => existsSync(other))
  const hint = 'Name the module that exports your handlers: in the generator block relative to the schema file.'
  return {
    what: `there is no file ${displayPath(file)}.`,
    hint: meant === undefined ? hint : `Did you mean ${displayPath(meant)}?`,
  }
}

/** Returns the errors that prevent a module from being documented. */
export function moduleErrors(file: string, { outcome, printed }: LoadedModule): readonly DiagnosticMessage[] {
  const module = displayPath(file)
  const outputNote = printed === '' ? '' : ` It printed:\n${printed.replaceAll(/^/gm, '  ')}\n`
  switch (outcome.kind) {
    case 'described':
      return undescribable(module, outcome)
    case 'threw': {
      const what = `${module} cannot be loaded: ${outcome.message}${outcome.at ? ` (${outcome.at})` : ''}${outputNote}`
      return [{ what: sentence(what), hint: outcome.isMissing ? MISSING : THROWS }]
    }
    case 'listens':
      return [{ what: `${module} starts a server${outcome.at ? ` (${outcome.at})` : ''}.`, hint: SEPARATE_MODULE }]
    case 'ended': {
      if (outcome.code === UNSETTLED) return [{ what: `${module} awaits what never comes.${outputNote}`, hint: AWAITS }]
      const how = outcome.signal === null ? `exit code ${outcome.code}` : outcome.signal
      return [{ what: `${module} ended its process (${how}) instead of being loaded.${outputNote}`, hint: THROWS }]
    }
    case 'late': {
      const what = `${module} has not told of its handlers within ${outcome.seconds} seconds.${outputNote}`
      return [{ what, hint: `${AWAITS} Or give it more time: --timeout <seconds>.` }]
    }
  }
}

function undescribable(
  module: string,
  { documents, undescribed, failed, exports }: Descriptions,
): readonly DiagnosticMessage[] {
  if (failed.length > 0) {
    return failed.map(({ name, status, detail }) => ({
      what: sentence(`${module}: "${name}" answers a request for its openapi.json with ${status}: ${detail}`),
      hint:
        status < 500
          ? 'Let GET /openapi.json pass in the middleware among its own routes.'
          : 'Mend that; `extend` of its option `openapi` may be to blame.',
    }))
  }
  if (documents.length > 0) return []
  if (undescribed.length > 0) {
    const what = `${module}: no handler that it exports has the option "openapi": ${undescribed.join(', ')}.`
    return [{ what, hint: 'Give it openapi: openApi() of "@routewright/runtime/openapi".' }]
  }
  const exported = exports.length === 0 ? 'nothing' : exports.join(', ')
  return [{ what: `${module} exports no handler, but ${exported}.`, hint: `Export what is made: ${EXAMPLE}.` }]
}

/** The exit code of Node if the event loop is empty while a top-level await is pending. */
const UNSETTLED = 13

const MISSING =
  'Install or generate what is missing (`npx prisma generate` writes the routes and the client). What a framework provides only in its build cannot be imported here.'
const THROWS = 'Mend that, or set what the module needs of the environment. Describing handlers takes no database.'
const SEPARATE_MODULE =
  'Export the handlers from a module of their own, which the module that starts the server imports as well.'
const AWAITS =
  'Have it await nothing while it is imported, as a connection: that is for the module that starts the server.'

function sentence(text: string): string {
  return /[.!?\n]$/.test(text) ? text : `${text}.`
}
