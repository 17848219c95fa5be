import { HTTPException } from 'hono/http-exception'

import type { Log } from '../http/handler.js'
import type { Schema } from '../schema/schema.js'
import type { ErrorCode } from './codes.js'
import { type DatabaseCause, databaseCause, hasMembers, metaOf } from './database-cause.js'
import { PolicyError } from './policy-error.js'
import { type Fault, RequestError } from './request-error.js'
import { violatedUnique } from './violated-unique.js'

/**
 * Makes whatever was thrown while a request was answered into the error that the request is answered with (design, section 5;
 * contract 7). Messages are ours: Prisma's own hold paths, source lines, SQL and hidden names. A failure of ours or of the
 * database's (5xx) is written to the log under an id, and the id is all that the answer says of it.
 * @param error a RequestError, an error of Prisma, of a driver, of a client extension or of `getOrm`, or anything else
 * @param schema the resources of the handler; tells which fields may be named
 * @param log see `RequestContext`
 */
export function toRequestError(error: unknown, schema: Schema, log: Log = logToConsole): RequestError {
  if (error instanceof RequestError) return error
  const fault = faultOf(error, schema, log)
  if (fault) return new RequestError(fault)
  const id = crypto.randomUUID()
  log(`[routewright] error ${id}:`, error)
  if (isUnavailable(error)) {
    const detail = `The database cannot be reached at the moment. Error id: ${id}.`
    return new RequestError({ code: 'database-unavailable', detail, ...ormMembers(error) })
  }
  return new RequestError({ code: 'internal-error', detail: `Something went wrong. Error id: ${id}.` })
}

function logToConsole(message: string, error: unknown): void {
  console.error(message, ...(error === undefined ? [] : [error]))
}

function faultOf(error: unknown, schema: Schema, log: Log): Fault | undefined {
  if (error instanceof HTTPException) return httpFault(error)
  const cause = databaseCause(error)
  const denied = policyFault(error, cause)
  if (denied) return { ...denied, ...ormMembers(error) }
  const name = error instanceof Error ? error.name : ''
  const code = prismaCode(error)
  const fault =
    (code !== undefined && knownFault(code, error, cause, schema)) ||
    (isPrismaError(error) && causeFault(cause)) ||
    (BAD_ARGUMENT_ERRORS.has(name) && BAD_ARGUMENTS)
  if (!fault) return undefined
  if (fault === BAD_ARGUMENTS) log(`[routewright] answered as 400: ${summaryOf(error)}`, undefined)
  return { ...fault, ...ormMembers(error) }
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

const BAD_ARGUMENT_ERRORS = new Set(['PrismaClientValidationError', 'PrismaClientUnknownRequestError'])

const BAD_ARGUMENTS: Fault = {
  code: 'invalid-arguments',
  detail:
    'The database client does not accept these arguments: a value, an operator or a combination of them is not possible here.',
}

type Say = (error: unknown, cause: DatabaseCause, schema: Schema) => Fault | undefined

const say =
  (code: ErrorCode, detail: string): Say =>
  () => ({ code, detail })

const tooLong = say('invalid-value', 'A value is too long for its field.')
const unfit = say('invalid-value', 'A value does not fit its field.')
const missing = say('not-found', 'A record that the request needs does not exist.')
const inUse = say('foreign-key-violation', 'A related record does not exist, or other records still refer to this one.')
const conflict = say('write-conflict', 'Another write came in between. The request can be repeated.')

/** Prisma's known codes that are the request's doing; the others are the server's. */
const KNOWN: Readonly<Record<string, Say>> = {
  P2000: tooLong,
  P2001: missing,
  P2002: uniqueFault,
  P2003: inUse,
  P2004: say('invalid-value', 'The database does not accept these values.'),
  P2005: unfit,
  P2006: unfit,
  P2007: unfit,
  P2011: say('invalid-value', 'A field that must have a value has none.'),
  P2012: say('invalid-value', 'A field that must have a value has none.'),
  P2013: say('invalid-arguments', 'A required argument is missing.'),
  P2014: say('foreign-key-violation', 'The change would leave a record without a related record that it must have.'),
  P2015: missing,
  P2017: say('not-found', 'The records are not related to each other.'),
  P2018: missing,
  P2019: () => BAD_ARGUMENTS,
  P2020: say('invalid-value', 'A number is out of the range of its field.'),
  P2022: unknownColumn,
  P2025: missing,
  P2029: say('limit-exceeded', 'The request holds more values than the database takes at once.'),
  P2030: say('invalid-arguments', 'There is no full-text index to search here.'),
  P2033: say('invalid-value', 'A number is out of the range of its field.'),
  P2034: conflict,
}

const UNAVAILABLE_CODES: ReadonlySet<string> = new Set(
  'P1000 P1001 P1002 P1003 P1008 P1010 P1011 P1017 P2024 P2028 P2037'.split(' '),
)

function knownFault(code: string, error: unknown, cause: DatabaseCause, schema: Schema): Fault | undefined {
  return Object.hasOwn(KNOWN, code) ? KNOWN[code]?.(error, cause, schema) : undefined
}

/**
 * For MySQL the client writes some filters on related rows, in `updateMany` and `deleteMany`, as SQL that names a column out of
 * its place. A column that is truly missing looks the same; both are logged.
 */
function unknownColumn(error: unknown, cause: DatabaseCause): Fault | undefined {
  if (!cause.codes.includes('1054')) return undefined
  return BAD_ARGUMENTS
}

function uniqueFault(error: unknown, cause: DatabaseCause, schema: Schema): Fault {
  const fields = violatedUnique(error, cause, schema)
  const detail = fields
    ? `A record with the same ${fields.join(' and ')} exists already.`
    : 'A record with the same values in a unique field exists already.'
  return { code: 'unique-violation', detail, ...(fields && { about: fields }) }
}

/** What a driver adapter passes on as the database said it: SQLSTATE classes, MySQL's numbers, SQLite's words. */
function causeFault(cause: DatabaseCause): Fault | undefined {
  if (cause.codes.some((code) => /^22\w{3}$/.test(code)))
    return { code: 'invalid-value', detail: 'A value does not fit its field.' }
  if (cause.codes.includes('23514'))
    return { code: 'invalid-value', detail: 'The database does not accept these values.' }
  if (cause.kind === 'mysql' && cause.codes.some((code) => MYSQL_VALUE_ERRORS.has(code))) {
    return { code: 'invalid-value', detail: 'A value does not fit its field.' }
  }
  if (cause.kind === 'mysql' && cause.codes.some((code) => MYSQL_UNIQUE_ERRORS.has(code))) {
    return uniqueFault(undefined, { ...cause, fields: [] }, new Map())
  }
  if (cause.kind === 'mysql' && cause.codes.includes('1205')) return conflict(undefined, cause, new Map())
  if (SQLITE_ARGUMENT_ERRORS.test(cause.message)) return BAD_ARGUMENTS
  // Postgres has no such function of the column's type, as `max` of a UUID.
  if (cause.codes.includes('42883')) return BAD_ARGUMENTS
  // The words of a full-text search: a syntax error on MySQL, since Prisma writes all other SQL; Postgres says whose it is.
  if (cause.kind === 'mysql' && cause.codes.includes('1064')) return BAD_ARGUMENTS
  if (cause.codes.includes('42601') && cause.message.includes('tsquery')) return BAD_ARGUMENTS
  return undefined
}

// Out of range, bad datetime, bad string, JSON, division, data too long, CHECK.
const MYSQL_VALUE_ERRORS: ReadonlySet<string> = new Set(
  '1264 1265 1292 1365 1366 1406 1411 1525 1690 3140 3141 3819'.split(' '),
)

// A foreign key that is carried along would become a duplicate elsewhere.
const MYSQL_UNIQUE_ERRORS: ReadonlySet<string> = new Set(['1557', '1761', '1762'])

const SQLITE_ARGUMENT_ERRORS =
  /parser stack overflow|recursion limit|expression tree is too large|too many SQL variables|LIKE or GLOB pattern too complex|string or blob too big|integer overflow|datatype mismatch|CHECK constraint failed|malformed JSON|bad JSON path|JSON path error|too many terms/i

/**
 * What an access policy denies: our own layer's, another client extension's (P2004 with `meta.reason`), or row-level security.
 * Only our own layer's words are known to be fit for the caller.
 */
function policyFault(error: unknown, cause: DatabaseCause): Fault | undefined {
  const detail = error instanceof PolicyError ? error.message : 'An access policy does not allow this.'
  const meta = metaOf(error)
  if (prismaCode(error) === 'P2004' && 'reason' in meta) {
    const { reason } = meta
    if (reason === 'DATA_VALIDATION_VIOLATION') {
      return { code: 'invalid-value', detail: 'A value does not fulfil the rules for it.', reason }
    }
    const known = typeof reason === 'string' && /^[A-Z][A-Z_]*$/.test(reason)
    return { code: 'forbidden', detail, rejectedByPolicy: true, ...(known && { reason }) }
  }
  return cause.codes.includes('42501') ? { code: 'forbidden', detail, rejectedByPolicy: true } : undefined
}

/** An HTTPException of Hono's, which `getOrm` may throw for a caller it does not know. */
function httpFault(error: HTTPException): Fault | undefined {
  if (error.status === 401)
    return { code: 'unauthenticated', detail: error.message || 'The request needs credentials.' }
  if (error.status === 403) return { code: 'forbidden', detail: error.message || 'The caller may not do this.' }
  return undefined
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof Error && error.name === 'PrismaClientInitializationError') return true
  const code = prismaCode(error)
  if (code !== undefined && UNAVAILABLE_CODES.has(code)) return true
  const { codes, kind } = databaseCause(error)
  return (
    codes.some((code) =>
      /^(E(CONN(REFUSED|RESET|ABORTED)|TIMEDOUT|NOTFOUND|PIPE|HOSTUNREACH|AI_AGAIN)|08\w{3}|53\w{3}|57P0\d)$/.test(
        code,
      ),
    ) ||
    (kind === 'mysql' && codes.some((code) => /^45\d{3}$/.test(code)))
  )
}

function prismaCode(error: unknown): string | undefined {
  const code = hasMembers(error) ? error['code'] : undefined
  return typeof code === 'string' && /^P\d{4}$/.test(code) ? code : undefined
}

function isPrismaError(error: unknown): boolean {
  return error instanceof Error && (/^Prisma|^DriverAdapterError$/.test(error.name) || prismaCode(error) !== undefined)
}

function ormMembers(error: unknown): Pick<Fault, 'orm' | 'ormCode'> {
  const ormCode = prismaCode(error)
  if (ormCode === undefined) return isPrismaError(error) ? { orm: true } : {}
  return { orm: true, ormCode }
}
