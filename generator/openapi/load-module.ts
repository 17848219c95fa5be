/**
 * The process that loads a module of the app. It is started by `run-module.ts` with the module's path, so that side effects, output and
 * open handles of the module end with it.
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
// Hides the IPC channel from the module, so that the process looks like a normal server process.
const send = process.send?.bind(process)
delete process.send
// Exits if the parent process ends. The channel must not keep this process alive.
process.once('disconnect', () => process.exit())
process.channel?.unref()

let isReported = false
function report(outcome: LoadResult): void {
  if (isReported) return
  isReported = true
  send?.({ routewright: outcome } satisfies LoadResultMessage)
}

/**
 * Returns the first stack frame in user code as `file:line`. Frames in packages, generated files and this folder are skipped, and frames
 * inside the project are preferred.
 */
function findLocation(error: Error): string | undefined {
  const locations: string[] = []
  for (const line of error.stack?.split('\n') ?? []) {
    // Columns refer to the compiled code and are dropped.
    const [, location = '', number] = /\(?((?:file:\/\/|[a-z]:[\\/]|\/).+?):(\d+):\d+\)?$/i.exec(line) ?? []
    const source = location.startsWith('file:') ? fileURLToPath(location) : location
    if (source !== '' && !isOutsideApp(source)) locations.push(`${displayPath(source)}:${number}`)
  }
  return locations.find((location) => !location.startsWith('../')) ?? locations[0]
}

function isOutsideApp(source: string): boolean {
  if (/[\\/]node_modules[\\/]/.test(source) || path.dirname(source) === import.meta.dirname) return true
  try {
    // Generated files only pass values on.
    return readFileSync(source, 'utf8').startsWith(GENERATED_HEADER)
  } catch {
    return true
  }
}

// Prevents the module from starting a server, whose port may be in use.
Server.prototype.listen = function listen(): never {
  const error = new Error(
    '`routewright openapi` loads this module to describe its handlers, so it must not start a server.',
  )
  report({ kind: 'listens', position: findLocation(error) })
  throw error
}
// Errors outside of loading, such as a failed database connection, are only printed.
process.on('uncaughtException', (error) => process.stderr.write(`${String(error)}\n`))

try {
  const jiti = createJiti(file, { fsCache: cacheFolder(), tsconfigPaths: true, jsx: true })
  // jiti uses forward slashes in its own paths.
  const exports = await jiti.import<Record<string, unknown>>(file.split(path.sep).join('/'))
  report(await describeExports(exports))
} catch (error) {
  report(toLoadFailure(error))
}

function toLoadFailure(error: unknown): LoadResult {
  if (!(error instanceof Error)) return { kind: 'threw', message: String(error), position: undefined, isMissing: false }
  const code = 'code' in error ? error.code : undefined
  const isMissing = code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND'
  // Drops the require stack after the first line.
  const message = isMissing ? (error.message.split('\n')[0] ?? '') : error.message
  return { kind: 'threw', message: `${error.name}: ${message}`, position: findLocation(error), isMissing }
}

/** Returns the cache folder for compiled files. This is jiti's default folder, but it is also found from subfolders. */
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
