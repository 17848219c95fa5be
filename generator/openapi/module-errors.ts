import { existsSync } from 'node:fs'
import path from 'node:path'

import type { DiagnosticMessage } from '../errors.js'
import { displayPath } from '../output/report.js'
import type { Descriptions, LoadedModule } from './load-result.js'

/** The endings of modules that can be loaded. */
const ENDINGS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs']

/** How an exported handler is described, for who does not do so yet. */
const EXAMPLE = 'export const rest = RestApiHandler({ endpoint, openapi: openApi() })'

/** That a module which should be described is not there. */
export function missingModuleError(file: string): DiagnosticMessage {
  const stem = file.slice(0, file.length - path.extname(file).length)
  const meant = ENDINGS.flatMap((ending) => [stem + ending, file + ending]).find((other) => existsSync(other))
  const mend = 'Name the module that exports your handlers: in the generator block relative to the schema file.'
  return {
    what: `there is no file ${displayPath(file)}.`,
    mend: meant === undefined ? mend : `Did you mean ${displayPath(meant)}?`,
  }
}

/** What keeps a module from being described, or its handlers. Empty where nothing does. */
export function moduleErrors(file: string, { outcome, printed }: LoadedModule): readonly DiagnosticMessage[] {
  const module = displayPath(file)
  const shown = printed === '' ? '' : ` It printed:\n${printed.replaceAll(/^/gm, '  ')}\n`
  switch (outcome.kind) {
    case 'described':
      return undescribable(module, outcome)
    case 'threw': {
      const what = `${module} cannot be loaded: ${outcome.message}${outcome.at ? ` (${outcome.at})` : ''}${shown}`
      return [{ what: sentence(what), mend: outcome.isMissing ? MISSING : THROWS }]
    }
    case 'listens':
      return [{ what: `${module} starts a server${outcome.at ? ` (${outcome.at})` : ''}.`, mend: OWN_MODULE }]
    case 'ended': {
      if (outcome.code === UNSETTLED) return [{ what: `${module} awaits what never comes.${shown}`, mend: AWAITS }]
      const how = outcome.signal === null ? `exit code ${outcome.code}` : outcome.signal
      return [{ what: `${module} ended its process (${how}) instead of being loaded.${shown}`, mend: THROWS }]
    }
    case 'late': {
      const what = `${module} has not told of its handlers within ${outcome.seconds} seconds.${shown}`
      return [{ what, mend: `${AWAITS} Or give it more time: --timeout <seconds>.` }]
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
      mend:
        status < 500
          ? 'Let GET /openapi.json pass in the middleware among its own routes.'
          : 'Mend that; `extend` of its option `openapi` may be to blame.',
    }))
  }
  if (documents.length > 0) return []
  if (undescribed.length > 0) {
    const what = `${module}: no handler that it exports has the option "openapi": ${undescribed.join(', ')}.`
    return [{ what, mend: 'Give it openapi: openApi() of "@routewright/runtime/openapi".' }]
  }
  const known = exports.length === 0 ? 'nothing' : exports.join(', ')
  return [{ what: `${module} exports no handler, but ${known}.`, mend: `Export what is made: ${EXAMPLE}.` }]
}

/** Node ends so where nothing is left to do, and a module still awaits something. */
const UNSETTLED = 13

const MISSING =
  'Install or generate what is missing (`npx prisma generate` writes the routes and the client). What a framework provides only in its build cannot be imported here.'
const THROWS = 'Mend that, or set what the module needs of the environment. Describing handlers takes no database.'
const OWN_MODULE =
  'Export the handlers from a module of their own, which the module that starts the server imports as well.'
const AWAITS =
  'Have it await nothing while it is imported, as a connection: that is for the module that starts the server.'

function sentence(text: string): string {
  return /[.!?\n]$/.test(text) ? text : `${text}.`
}
