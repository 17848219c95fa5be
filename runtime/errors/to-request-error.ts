import { HTTPException } from 'hono/http-exception'

import type { LogContext } from '../http/api-handler.js'
import type { Schema } from '../schema/schema.js'
import { ERROR_STATUSES, errorTitle, type ErrorCode } from './codes.js'
import { mapDatabaseError } from './map-database-error.js'
import { findDriverError } from './driver-error.js'
import { classifyDatabaseError, isOutage, isRequestErrorKind, type Outage } from './database-error.js'
import { ormErrorMembers } from './from-prisma.js'
import { describeOutage } from './outage-reason.js'
import { codeForStatus } from './http-error.js'
import { type LogOutage, writeLog, logLabel, createOutageLog } from './logging.js'
import { RequestError } from './request-error.js'
import { missingServerField } from './missing-server-field.js'

/**
 * Makes whatever was thrown while a request was answered into the error that the request is answered with (design, section 5;
 * contract 7). A failure of ours or of the database's (5xx) is written to the log under an id, and the id is all that the answer
 * says of it.
 * @param error a RequestError, an error of the client, of a driver, of a client extension or of `getOrm`, or anything else
 * @param schema the resources of the handler; tells which fields may be named
 * @param told who is told of it
 * @param logOutage writes that the database is out; a handler's own, because it writes one line of many
 */
export function toRequestError(
  error: unknown,
  schema: Schema,
  told: LogContext = {},
  logOutage: LogOutage = createOutageLog(),
): RequestError {
  if (error instanceof RequestError) return error
  const cause = findDriverError(error)
  const failed = classifyDatabaseError(error, cause)
  if (error instanceof HTTPException) {
    const refusal = httpRefusal(error)
    if (refusal) return refusal
  } else if (isRequestErrorKind(failed)) {
    const withheld = missingServerField(failed, error, cause, schema)
    if (withheld !== undefined) {
      const mend = 'Set it in a `create.before` hook or in a client extension, or give it a @default.'
      const id = crypto.randomUUID()
      writeLog(
        told,
        `[routewright] error${logLabel(id, told)}: ${withheld} is required, and no caller can write it. ${mend}`,
      )
      return internalError(id)
    }
    if (failed === 'bad-arguments')
      writeLog(told, `[routewright] answered as 400${logLabel(undefined, told)}: ${summaryOf(error)}`)
    if (failed === 'transaction-timeout')
      writeLog(told, `[routewright] a transaction ran out of its time${logLabel(undefined, told)}`)
    const fault = { ...mapDatabaseError(failed, error, cause, schema), ...ormErrorMembers(error) }
    const maySucceed = ERROR_STATUSES[fault.code] >= 500 || fault.code === 'write-conflict'
    return new RequestError(fault, maySucceed ? RETRY : {})
  }
  const id = crypto.randomUUID()
  if (isOutage(failed)) {
    logOutage(told, id, `${OUTAGE_NAMES[failed]}: ${describeOutage(cause)}`)
    const detail = `${OUTAGES[failed]} Error id: ${id}.`
    return new RequestError({ code: 'database-unavailable', detail, id, ...ormErrorMembers(error) }, RETRY)
  }
  writeLog(told, `[routewright] error${logLabel(id, told)}:`, error)
  return internalError(id)
}

/** Goes with what may be better a moment later. In seconds. */
const RETRY = { 'Retry-After': '1' }

const OUTAGES: Readonly<Record<Outage, string>> = {
  unavailable: 'The database cannot be reached, or takes no writes.',
  interrupted:
    'The connection to the database was lost. The request may have changed something: check before you repeat it.',
}

const OUTAGE_NAMES: Readonly<Record<Outage, string>> = {
  unavailable: 'database unavailable',
  interrupted: 'connection to the database lost',
}

/** What the answer to a failure of the server's own says: under which id the log has it. */
function internalError(id: string): RequestError {
  return new RequestError({ code: 'internal-error', detail: `Something went wrong. Error id: ${id}.`, id })
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
  const code = codeForStatus(status)
  if (!code) return undefined
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = res?.headers.get(name)
    return value ? [[name, value] as const] : []
  })
  const detail = message || (UNSAID[code] ?? `${errorTitle(code)}.`)
  return new RequestError({ code, detail }, Object.fromEntries(headers))
}
