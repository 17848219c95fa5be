import { HTTPException } from 'hono/http-exception'

import { RETRY_AFTER } from '../http/active-request.js'
import type { LogContext } from '../http/handler-types.js'
import type { Schema } from '../schema/model.js'
import { classifyDatabaseError } from './database/classify-database-error.js'
import { isOutage, isRequestErrorKind, type Outage, type DatabaseErrorKind } from './database/database-error-kind.js'
import { findDriverError, type DriverError } from './database/driver-error.js'
import { ERROR_STATUSES, errorTitle, type ErrorCode } from './error-codes.js'
import { codeForStatus } from './http-error.js'
import { writeLog, logLabel, type LogOutage, createOutageLog, outageLogMessage } from './logging.js'
import { mapDatabaseError } from './database/map-database-error.js'
import { ormErrorMembers, prismaMeta } from './database/prisma-error.js'
import { RequestError } from './request-error.js'

/**
 * Converts any thrown value to the error of the response (design, section 5; contract 7). Server and database errors (5xx) are logged under
 * an id, and the response contains only the id.
 * @param error a RequestError, an error of the client, a driver, a client extension or `getOrm`, or any other value
 * @param schema the exposed resources; determines which fields may be named
 * @param logContext receives the log lines
 * @param logOutage logs database outages; created once per handler, because it limits the number of lines
 */
export function toRequestError(
  error: unknown,
  schema: Schema,
  logContext: LogContext = {},
  logOutage: LogOutage = createOutageLog(),
): RequestError {
  if (error instanceof RequestError) return error
  const cause = findDriverError(error)
  const failed = classifyDatabaseError(error, cause)
  if (error instanceof HTTPException) {
    const requestError = fromHttpException(error)
    if (requestError) return requestError
  } else if (isRequestErrorKind(failed)) {
    const missingField = findMissingServerField(failed, error, cause, schema)
    if (missingField !== undefined) {
      const hint = 'Set it in a `create.before` hook or a client extension, or give it a @default.'
      const id = crypto.randomUUID()
      writeLog(
        logContext,
        `[routewright] error${logLabel(id, logContext)}: ${missingField} is required, and no caller can write it. ${hint}`,
      )
      return internalError(id)
    }
    if (failed === 'bad-arguments')
      writeLog(logContext, `[routewright] responded with 400${logLabel(undefined, logContext)}: ${summaryOf(error)}`)
    if (failed === 'transaction-timeout')
      writeLog(logContext, `[routewright] transaction timed out${logLabel(undefined, logContext)}`)
    const errorDetail = { ...mapDatabaseError(failed, error, cause, schema), ...ormErrorMembers(error) }
    const maySucceed = ERROR_STATUSES[errorDetail.code] >= 500 || errorDetail.code === 'write-conflict'
    return new RequestError(errorDetail, maySucceed ? RETRY_AFTER : {})
  }
  const id = crypto.randomUUID()
  if (isOutage(failed)) {
    logOutage(logContext, id, `${OUTAGE_NAMES[failed]}: ${outageLogMessage(cause)}`)
    const detail = `${OUTAGES[failed]} Error id: ${id}.`
    return new RequestError({ code: 'database-unavailable', detail, id, ...ormErrorMembers(error) }, RETRY_AFTER)
  }
  writeLog(logContext, `[routewright] error${logLabel(id, logContext)}:`, error)
  return internalError(id)
}

const OUTAGES: Readonly<Record<Outage, string>> = {
  unavailable: 'The database is unreachable or read-only.',
  interrupted:
    'The connection to the database was lost. The request may have changed something: check before you retry it.',
}

const OUTAGE_NAMES: Readonly<Record<Outage, string>> = {
  unavailable: 'database unavailable',
  interrupted: 'connection to the database lost',
}

/** Creates the response for a server error. It contains only the id under which the error is logged. */
function internalError(id: string): RequestError {
  return new RequestError({ code: 'internal-error', detail: `Something went wrong. Error id: ${id}.`, id })
}

/**
 * Summarizes why the client rejected its arguments, for the operator, because the response must not contain the reason. Uses only the last
 * line of the client's message, because the other lines contain the arguments with the caller's values. Databases quote values in the last
 * line too (`bad JSON path: '…'`), so quoted text is removed.
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

/** Default messages for an HTTPException without a message. */
const DEFAULT_DETAILS: Readonly<Partial<Record<ErrorCode, string>>> = {
  unauthenticated: 'Authentication is required.',
  forbidden: 'This is not allowed.',
}

/** Headers copied from the response of an HTTPException. */
const FORWARDED_HEADERS = ['WWW-Authenticate', 'Retry-After']

/**
 * Converts Hono's HTTPException. Hono's middleware throws it, and `getOrm` may throw it for an unknown caller.
 * @returns undefined if its status is not in `HTTP_ERROR_STATUSES`; it is then treated as a server error
 */
function fromHttpException({ status, message, res }: HTTPException): RequestError | undefined {
  const code = codeForStatus(status)
  if (!code) return undefined
  const headers = FORWARDED_HEADERS.flatMap((name) => {
    const value = res?.headers.get(name)
    return value ? [[name, value] as const] : []
  })
  const detail = message || (DEFAULT_DETAILS[code] ?? `${errorTitle(code)}.`)
  return new RequestError({ code, detail }, Object.fromEntries(headers))
}

/**
 * Returns the required field that the server failed to set, for example `Secret.value`. Callers cannot write such a field, so the mistake
 * is in the app: a hook or a client extension must set it.
 * @returns undefined if the write failed for a different reason
 */
function findMissingServerField(
  kind: DatabaseErrorKind,
  error: unknown,
  cause: DriverError,
  schema: Schema,
): string | undefined {
  if (kind !== 'bad-arguments' && kind !== 'missing-argument' && kind !== 'not-null-violation') return undefined
  const message = error instanceof Error ? error.message : ''
  const [, missing] = /Argument `(\w+)` is missing/.exec(message) ?? []
  const names = kind === 'not-null-violation' ? (cause.fields ?? []) : missing === undefined ? [] : [missing]
  const { modelName } = prismaMeta(error)
  // The missing field may belong to a nested row, so the model of the call is checked first.
  const isTargetModel = (name: string, delegate: string) => name === modelName || message.includes(`.${delegate}.`)
  const models = [...schema.values()].sort((left, right) => {
    return Number(isTargetModel(right.name, right.delegate)) - Number(isTargetModel(left.name, left.delegate))
  })
  for (const model of models) {
    for (const name of names) {
      const field = model.serverSetFields.get(name)
      if (field !== undefined) return `${model.name}.${field}`
    }
  }
  return undefined
}
