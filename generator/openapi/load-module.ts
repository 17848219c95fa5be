/**
 * The process that loads a module of the app, started by `run-module.ts` with the module's path. Whatever the module does, prints or leaves
 * open stays in here, and ends with it.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { Server } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

import { createJiti } from 'jiti'

import { GENERATED_HEADER } from '../emit/files.js'
import { displayPath } from '../output/report.js'
import { findUp } from '../project/find-up.js'
import { describeExports } from './describe-exports.js'
import type { LoadResult, LoadResultMessage } from './load-result.js'

const file = process.argv[2] ?? ''
// The module finds itself in a process like that of its server, which has no parent to talk to.
const send = process.send?.bind(process)
delete process.send
// Whoever started this is gone: nothing waits for an answer. Nothing waits for this either.
process.once('disconnect', () => process.exit())
process.channel?.unref()

let isSaid = false
function say(outcome: LoadResult): void {
  if (isSaid) return
  isSaid = true
  send?.({ routewright: outcome } satisfies LoadResultMessage)
}

/** The first place in a stack that somebody wrote, `file:line`: of no package, not of ours, and of this project if there is one. */
function placeIn(error: Error): string | undefined {
  const places: string[] = []
  for (const line of error.stack?.split('\n') ?? []) {
    // Columns are those of what it was compiled to.
    const [, place = '', number] = /\(?((?:file:\/\/|[a-z]:[\\/]|\/).+?):(\d+):\d+\)?$/i.exec(line) ?? []
    const source = place.startsWith('file:') ? fileURLToPath(place) : place
    if (source !== '' && !isForeign(source)) places.push(`${displayPath(source)}:${number}`)
  }
  return places.find((place) => !place.startsWith('../')) ?? places[0]
}

function isForeign(source: string): boolean {
  if (/[\\/]node_modules[\\/]/.test(source) || path.dirname(source) === import.meta.dirname) return true
  try {
    // Emitted files hand on what they are given.
    return readFileSync(source, 'utf8').startsWith(GENERATED_HEADER)
  } catch {
    return true
  }
}

// A server of the app's would take a port, and may be running already.
Server.prototype.listen = function listen(): never {
  const error = new Error('`routewright openapi` loads this module to describe its handlers: no server may be started.')
  say({ kind: 'listens', at: placeIn(error) })
  throw error
}
// What fails beside the loading, as a database that is looked for, is not asked for.
process.on('uncaughtException', (error) => process.stderr.write(`${String(error)}\n`))

try {
  const jiti = createJiti(file, { fsCache: cacheFolder(), tsconfigPaths: true, jsx: true })
  // With the slashes that jiti itself writes.
  const exports = await jiti.import<Record<string, unknown>>(file.split(path.sep).join('/'))
  say(await describeExports(exports))
} catch (error) {
  say(faultOf(error))
}

function faultOf(error: unknown): LoadResult {
  if (!(error instanceof Error)) return { kind: 'threw', message: String(error), at: undefined, isMissing: false }
  const code = 'code' in error ? error.code : undefined
  const isMissing = code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND'
  // What stands below the first line is where Node looked for it.
  const message = isMissing ? (error.message.split('\n')[0] ?? '') : error.message
  return { kind: 'threw', message: `${error.name}: ${message}`, at: placeIn(error), isMissing }
}

/** Where what was compiled is kept: where jiti keeps it too, but found from folders further down. */
function cacheFolder(): string | boolean {
  const found = findUp(path.dirname(file), ['node_modules'])
  if (found === undefined) return true
  const folder = path.join(found.folder, 'node_modules/.cache/jiti')
  try {
    mkdirSync(folder, { recursive: true })
    return folder
  } catch {
    return true
  }
}
