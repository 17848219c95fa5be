import { HTTPException } from 'hono/http-exception'

import type { Log } from '../http/handler.js'
import type { Schema } from '../schema/schema.js'
import { ERROR_CODES, type ErrorCode } from './codes.js'
import { databaseAnswer } from './database-answer.js'
import { databaseCause } from './database-cause.js'
import { databaseFaultOf, isOutage, type Outage } from './database-fault.js'
import { ormMembers } from './from-prisma.js'
import { REFUSALS } from './refuse.js'
import { RequestError } from './request-error.js'
import { withheldField } from './withheld-field.js'

/**
 * Makes whatever was thrown while a request was answered into the error that the request is answered with (design, section 5;
 * contract 7). A failure of ours or of the database's (5xx) is written to the log under an id, and the id is all that the answer
 * says of it.
 * @param error a RequestError, an error of the client, of a driver, of a client extension or of `getOrm`, or anything else
 * @param schema the resources of the handler; tells which fields may be named
 * @param log see `RequestContext`
 */
export function toRequestError(error: unknown, schema: Schema, log: Log = logToConsole): RequestError {
  if (error instanceof RequestError) return error
  const cause = databaseCause(error)
  const failed = databaseFaultOf(error, cause)
  if (error instanceof HTTPException) {
    const refusal = httpRefusal(error)
    if (refusal) return refusal
  } else if (failed !== undefined && !isOutage(failed)) {
    const withheld = withheldField(failed, error, cause, schema)
    if (withheld !== undefined) {
      const mend = 'Let a client extension fill it in when a row is created, or give it a @default.'
      const id = crypto.randomUUID()
      log(`[routewright] error ${id}: ${withheld} is required, and no caller can write it. ${mend}`, undefined)
      return internalError(id)
    }
    if (failed === 'bad-arguments') log(`[routewright] answered as 400: ${summaryOf(error)}`, undefined)
    if (failed === 'transaction-timeout') log('[routewright] a transaction ran out of its time', undefined)
    const fault = { ...databaseAnswer(failed, error, cause, schema), ...ormMembers(error) }
    return new RequestError(fault, ERROR_CODES[fault.code].status >= 500 ? RETRY : {})
  }
  const id = crypto.randomUUID()
  log(`[routewright] error ${id}:`, error)
  if (isOutage(failed)) {
    const detail = `${OUTAGES[failed]} Error id: ${id}.`
    return new RequestError({ code: 'database-unavailable', detail, id, ...ormMembers(error) }, RETRY)
  }
  return internalError(id)
}

/** Goes with what may be better a moment later. In seconds. */
const RETRY = { 'Retry-After': '1' }

const OUTAGES: Readonly<Record<Outage, string>> = {
  unavailable: 'The database cannot be reached at the moment, or takes no writes.',
  interrupted:
    'The connection to the database was lost on the way. If this request was to change something, look whether it did before you repeat it.',
}

/** What the answer to a failure of the server's own says: under which id the log has it. */
function internalError(id: string): RequestError {
  return new RequestError({ code: 'internal-error', detail: `Something went wrong. Error id: ${id}.`, id })
}

/** Where failures are written, unless the app says otherwise. */
export function logToConsole(message: string, error: unknown): void {
  console.error(message, ...(error === undefined ? [] : [error]))
}

/**
 * What the client did not like, which the answer cannot say, for whoever runs the app. Only the end of its message: the rest
 * shows the arguments, and with them what the caller sent. Databases quote it there too (`bad JSON path: '…'`).
 */
function summaryOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const [reason = ''] = error.message.trim().split('\n').slice(-1)
  const unquoted = reason
    .replace(/'.*'/, "'…'")
    .replace(/".*"/, '"…"')
    .replaceAll(/\p{Cc}/gu, ' ')
  return `${error.name}: ${unquoted.slice(0, 300)}`
}

/** What an HTTPException without a message says. */
const UNSAID: Readonly<Partial<Record<ErrorCode, string>>> = {
  unauthenticated: 'The request needs credentials.',
  forbidden: 'The caller may not do this.',
}

/** What a response that comes with an HTTPException tells clients beside its body. */
const KEPT_HEADERS = ['WWW-Authenticate', 'Retry-After']

/**
 * An HTTPException of Hono's, which `getOrm` may throw for a caller it does not know, and middleware of Hono's throws. One of a status
 * that {@link REFUSALS} does not have is a failure like any other.
 */
function httpRefusal({ status, message, res }: HTTPException): RequestError | undefined {
  const [, code] = Object.entries(REFUSALS).find(([refused]) => Number(refused) === status) ?? []
  if (!code) return undefined
  const headers = KEPT_HEADERS.flatMap((name): (readonly [string, string])[] => {
    const value = res?.headers.get(name)
    return value === undefined || value === null ? [] : [[name, value]]
  })
  const detail = message || (UNSAID[code] ?? `${ERROR_CODES[code].title}.`)
  return new RequestError({ code, detail }, Object.fromEntries(headers))
}
