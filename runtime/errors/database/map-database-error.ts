import type { DriverError } from './driver-error.js'
import { prismaMeta, policyDenial } from './prisma-error.js'
import type { RequestErrorKind } from './database-error-kind.js'
import { PolicyError } from '../policy-error.js'
import type { ErrorDetail } from '../request-error.js'
import type { Schema } from '../../schema/model.js'
import { fieldOfColumn, violatedUniqueFields } from './violated-fields.js'

const CONFLICT: ErrorDetail = {
  code: 'write-conflict',
  detail: 'The row may have been changed by another write. Retry the request.',
}

const LOCKED: ErrorDetail = {
  code: 'database-timeout',
  detail: 'Another write holds a lock that this request needs. Nothing was stored.',
}

const NO_SEARCH: ErrorDetail = {
  code: 'invalid-arguments',
  detail: '"search" needs the preview feature "fullTextSearchPostgres" on PostgreSQL, or a full-text index on MySQL.',
}

const NO_STRATEGY: ErrorDetail = {
  code: 'invalid-arguments',
  detail:
    '"relationLoadStrategy" needs the preview feature "relationJoins", and PostgreSQL, CockroachDB or MySQL 8.0.14.',
}

/** The error details of kinds with a fixed text. */
const ERROR_DETAILS = {
  'foreign-key-violation': {
    code: 'foreign-key-violation',
    detail: 'A related record does not exist, or other records still refer to this one.',
  },
  'required-relation-violation': {
    code: 'foreign-key-violation',
    detail: 'The change would leave a record without a required relation.',
  },
  'not-null-violation': { code: 'invalid-value', detail: 'A required field has no value.' },
  'check-violation': { code: 'invalid-value', detail: 'The database does not accept these values.' },
  'exclusion-violation': { code: 'conflict', detail: 'The values conflict with those of another record.' },
  'not-found': { code: 'not-found', detail: 'The record or a related record was not found.' },
  'not-related': { code: 'not-found', detail: 'The records are not related to each other.' },
  'value-too-long': { code: 'invalid-value', detail: 'A value is too long for its field.' },
  'value-out-of-range': { code: 'invalid-value', detail: 'A number is out of the range of its field.' },
  'value-unfit': { code: 'invalid-value', detail: 'A value does not fit its field.' },
  'too-many-values': {
    code: 'limit-exceeded',
    detail: 'The request has too many values for the database.',
  },
  'no-full-text-index': { code: 'invalid-arguments', detail: 'The search needs a full-text index.' },
  'missing-argument': { code: 'invalid-arguments', detail: 'A required argument is missing.' },
  'bad-arguments': {
    code: 'invalid-arguments',
    detail: 'The database client does not accept a value, an operator or a combination of them.',
  },
  'write-conflict': CONFLICT,
  'lock-timeout': LOCKED,
  busy: LOCKED,
  'statement-timeout': {
    code: 'database-timeout',
    detail: 'A statement exceeded the time limit of the database. Nothing was stored.',
  },
  'transaction-timeout': {
    code: 'transaction-timeout',
    detail: 'The write exceeded the time limit of its transaction. Nothing was stored. Split the request.',
  },
} as const satisfies Readonly<Partial<Record<RequestErrorKind, ErrorDetail>>>

/**
 * Maps a client or database error to the error in the response. The response uses Routewright's own text, because the client's message may
 * contain paths, source lines, SQL and hidden names.
 * @param kind the kind of the error; outages are handled elsewhere
 * @param error the thrown value
 * @param schema determines which fields may be named
 */
export function mapDatabaseError(
  kind: RequestErrorKind,
  error: unknown,
  cause: DriverError,
  schema: Schema,
): ErrorDetail {
  if (kind === 'unique-violation') return uniqueViolationError(error, cause, schema)
  if (kind === 'bad-arguments' && lacks(error, 'search')) return NO_SEARCH
  if (kind === 'bad-arguments' && isUnsupportedLoadStrategy(error)) return NO_STRATEGY
  if (kind === 'not-null-violation') return notNullViolationError(error, cause, schema)
  if (kind === 'denied') return deniedError(error)
  if (kind === 'rule-violation') {
    const detail = 'A value violates a validation rule.'
    return { code: 'invalid-value', detail, reason: 'DATA_VALIDATION_VIOLATION' }
  }
  const { databaseMessage } = cause
  const mayShow = /^(check|exclusion)-/.test(kind) && databaseMessage !== undefined
  return mayShow ? { ...ERROR_DETAILS[kind], databaseMessage } : ERROR_DETAILS[kind]
}

/** Whether the client rejected an argument because its preview feature is not enabled. */
function lacks(error: unknown, name: string): boolean {
  return error instanceof Error && error.message.includes(`Unknown argument \`${name}\``)
}

/** Whether the client or the database version does not support the requested `relationLoadStrategy`. */
export function isUnsupportedLoadStrategy(error: unknown): boolean {
  if (lacks(error, 'relationLoadStrategy')) return true
  return error instanceof Error && error.message.includes('`relationLoadStrategy: join` is not available')
}

function uniqueViolationError(error: unknown, cause: DriverError, schema: Schema): ErrorDetail {
  const fields = violatedUniqueFields(error, cause, schema)
  const detail = fields
    ? `A record with the same ${fields.join(' and ')} already exists.`
    : 'A record with the same values in a unique field already exists.'
  return { code: 'unique-violation', detail, ...(fields && { about: fields }) }
}

function notNullViolationError(error: unknown, cause: DriverError, schema: Schema): ErrorDetail {
  const name = prismaMeta(error)['modelName']
  const model = typeof name === 'string' ? schema.get(name) : undefined
  const about =
    cause.fields?.map((column) => model && fieldOfColumn(model, column)).filter((field) => field !== undefined) ?? []
  if (about.length === 0 || about.length !== cause.fields?.length) return ERROR_DETAILS['not-null-violation']
  return { code: 'invalid-value', detail: `${about.join(' and ')} must have a value.`, about }
}

/**
 * Creates the error for a denial by an access policy: by the runtime, by a client extension (P2004 with `meta.reason`) or by row-level
 * security. Only messages of the runtime's policies are safe to show to the caller.
 */
function deniedError(error: unknown): ErrorDetail {
  const detail = error instanceof PolicyError ? error.message : 'An access policy does not allow this.'
  const reason = policyDenial(error)?.reason
  const isReasonCode = typeof reason === 'string' && /^[A-Z][A-Z_]*$/.test(reason)
  return { code: 'forbidden', detail, rejectedByPolicy: true, ...(isReasonCode && { reason }) }
}
