import { describe, expect, it, vi } from 'vitest'

import { ERROR_STATUSES } from '../../runtime/errors/error-codes.js'
import { classifyDatabaseError } from '../../runtime/errors/database/classify-database-error.js'
import type { DatabaseErrorKind } from '../../runtime/errors/database/database-error-kind.js'
import { PolicyError, MissingRowError } from '../../runtime/errors/policy-error.js'
import { toRequestError } from '../../runtime/errors/to-request-error.js'

/** Creates an error of the Prisma client with a code. */
function prismaError(code: string, more: object = {}): Error {
  return Object.assign(new Error('Invalid invocation'), { name: 'PrismaClientKnownRequestError', code, ...more })
}

/** Creates an error of a driver adapter without a specific kind. */
function ofDriver(kind: string, code: string, words = ''): Error {
  const cause = { kind, originalCode: code, originalMessage: words }
  return Object.assign(new Error(kind), { name: 'DriverAdapterError', cause })
}

function named(name: string): Error {
  return Object.assign(new Error('?'), { name })
}

const RLS = 'new row violates row-level security policy for table "Tag"'
const BYPASSED = 'query would be affected by row-level security policy for table "Tag"'

function ofTrigger(code: string, words: string): object {
  return { meta: { driverAdapterError: ofDriver('ForeignKeyConstraintViolation', code, words) } }
}

function signal(state: string, code: number): Error {
  const cause = { kind: 'mysql', originalCode: String(code), code, state, originalMessage: 'no more' }
  return Object.assign(new Error('mysql'), { name: 'DriverAdapterError', cause })
}

function poolWithout(code: string): Error {
  const reason = `(conn:5, no: ${code}, SQLState: 42000) Access denied`
  const cause = { kind: 'mysql', originalCode: '45028', code: 45_028, state: 'HY000', cause: reason }
  return Object.assign(new Error('mysql'), { name: 'DriverAdapterError', cause })
}

type Cases = readonly (readonly [what: string, error: unknown, fault: DatabaseErrorKind | undefined])[]

const CODES: readonly (readonly [codes: string, fault: DatabaseErrorKind | undefined])[] = [
  ['P1000 P1001 P1002 P1003 P1008 P1010 P1011 P2024 P2028 P2037', 'unavailable'],
  ['P1017', 'interrupted'],
  ['P2000', 'value-too-long'],
  ['P2001 P2015 P2018 P2025', 'not-found'],
  ['P2002', 'unique-violation'],
  ['P2003', 'foreign-key-violation'],
  ['P2004', 'check-violation'],
  ['P2005 P2006 P2007', 'value-unfit'],
  ['P2011 P2012', 'not-null-violation'],
  ['P2013', 'missing-argument'],
  ['P2014', 'required-relation-violation'],
  ['P2017', 'not-related'],
  ['P2019', 'bad-arguments'],
  ['P2020 P2033', 'value-out-of-range'],
  ['P2029', 'too-many-values'],
  ['P2030', 'no-full-text-index'],
  ['P2034', 'write-conflict'],
  ['P1009 P1012 P2008 P2009 P2010 P2016 P2021 P2022 P2023 P2026 P2027 P2031 P2035 P2036 P3000 P5000', undefined],
]

const SQLSTATES: readonly (readonly [codes: string, fault: DatabaseErrorKind | undefined])[] = [
  ['22001 22003 22007 22008 22021 22P02 22P05', 'value-unfit'],
  ['23514 44000 P0001', 'check-violation'],
  ['23P01', 'exclusion-violation'],
  ['42501', 'denied'],
  ['42883', 'bad-arguments'],
  ['08001 08004 25006 53100 53300 57P03 58030', 'unavailable'],
  ['08000 08006 08P01 57P01 57P02', 'interrupted'],
  ['57014', 'statement-timeout'],
  ['55P03', 'lock-timeout'],
  ['25P03', 'transaction-timeout'],
  // Prisma has its own codes for these.
  ['23502 23503 23505 40001 42601 42703 42P01 XX000', undefined],
]

const MYSQL: readonly (readonly [codes: string, fault: DatabaseErrorKind | undefined])[] = [
  ['1264 1265 1292 1365 1366 1406 1411 1525 1690 3140 3141', 'value-unfit'],
  ['1643 1644 3819 4025', 'check-violation'],
  ['1044', 'missing-privilege'],
  ['1557 1761 1762', 'unique-violation'],
  ['1205', 'lock-timeout'],
  ['1020', 'write-conflict'],
  ['1064', 'bad-arguments'],
  ['1021 1040 1053 1290 1792 45012 45028', 'unavailable'],
  ['45009 45026', 'interrupted'],
  ['1969 3024', 'statement-timeout'],
  ['1054 1062 1142 1143 1146 1213 1451 1452', undefined],
]

const EACH = (table: typeof CODES) => table.flatMap(([codes, kind]) => codes.split(' ').map((code) => [code, kind]))

describe('classifyDatabaseError', () => {
  it.each(EACH(CODES))('%s: returns %s', (code, expected) => {
    expect(classifyDatabaseError(prismaError(String(code)))).toBe(expected)
    // An extension may throw errors that are not of Prisma's classes.
    expect(classifyDatabaseError(Object.assign(new Error('?'), { code }))).toBe(expected)
  })

  it.each(EACH(SQLSTATES))('SQLSTATE %s: returns %s', (code, expected) => {
    expect(classifyDatabaseError(ofDriver('postgres', String(code)))).toBe(expected)
    expect(
      classifyDatabaseError(prismaError('P2010', { meta: { driverAdapterError: ofDriver('postgres', String(code)) } })),
    ).toBe(expected)
  })

  it.each([
    ['DatabaseNotReachable', 'unavailable'],
    ['TooManyConnections', 'unavailable'],
    ['TlsConnectionError', 'unavailable'],
    ['AuthenticationFailed', 'unavailable'],
    ['DatabaseDoesNotExist', 'unavailable'],
    ['DatabaseAccessDenied', 'unavailable'],
    ['ConnectionClosed', 'interrupted'],
    ['SocketTimeout', 'interrupted'],
  ])('%s of raw SQL: returns %s', (kind, expected) => {
    const driverAdapterError = Object.assign(new Error(kind), { name: 'DriverAdapterError', cause: { kind } })
    expect(classifyDatabaseError(prismaError('P2010', { meta: { driverAdapterError } }))).toBe(expected)
  })

  it.each(EACH(MYSQL))('MySQL %s: returns %s', (code, expected) => {
    expect(classifyDatabaseError(ofDriver('mysql', String(code)))).toBe(expected)
    // The same number of another database has no meaning.
    expect(classifyDatabaseError(ofDriver('sqlite', String(code)))).toBeUndefined()
  })

  it.each([
    'integer overflow',
    'datatype mismatch',
    'parser stack overflow',
    'too many SQL variables',
    'malformed JSON',
    'LIKE or GLOB pattern too complex',
  ])('SQLite "%s": returns bad-arguments', (words) => {
    expect(classifyDatabaseError(ofDriver('sqlite', '1', `SQLITE_ERROR: ${words}`))).toBe('bad-arguments')
    expect(classifyDatabaseError(new Error(words))).toBeUndefined()
  })

  const column = (operation: string, words: string) =>
    prismaError('P2022', {
      message: `\nInvalid \`prisma.category.${operation}()\` invocation:\n\n\n`,
      meta: { driverAdapterError: ofDriver('ColumnNotFound', '1054', `Unknown column ${words}`) },
    })
  const others: Cases = [
    ['P2004 with a reason', prismaError('P2004', { meta: { reason: 'RESULT_NOT_READABLE' } }), 'denied'],
    [
      'P2004 for a validation rule',
      prismaError('P2004', { meta: { reason: 'DATA_VALIDATION_VIOLATION' } }),
      'rule-violation',
    ],
    ['a PolicyError', new PolicyError('No.'), 'denied'],
    ['a row that a policy hides', new MissingRowError('P2025', 'No.'), 'not-found'],
    [
      'a filter on related rows that Prisma cannot write',
      column('update', "'Category.id' in 'WHERE'"),
      'bad-arguments',
    ],
    [
      'such a filter of a bulk write on MySQL',
      column('updateMany', "'Category.id' in 'where clause'"),
      'bad-arguments',
    ],
    ['a missing column that is read', column('findMany', "'Category.id' in 'SELECT'"), undefined],
    ['a missing column that MySQL reads', column('findMany', "'Category.id' in 'field list'"), undefined],
    ['a missing column that is written', column('updateMany', "'name' in 'SET'"), undefined],
    ['a row that a policy of the database rejects', ofDriver('postgres', '42501', RLS), 'denied'],
    [
      'a policy violation in another language',
      ofDriver('postgres', '42501', 'neue Zeile verletzt Policy für Sicherheit auf Zeilenebene für Tabelle »Tag«'),
      'denied',
    ],
    ['a table without a grant', ofDriver('postgres', '42501', 'permission denied for table Tag'), 'missing-privilege'],
    ['a table of another owner', ofDriver('postgres', '42501', 'must be owner of table Tag'), 'missing-privilege'],
    ['a query that bypasses row-level security', ofDriver('postgres', '42501', BYPASSED), 'missing-privilege'],
    [
      'CHECK of SQLite',
      ofDriver('sqlite', '275', 'SQLITE_CONSTRAINT_CHECK: CHECK constraint failed: positive'),
      'check-violation',
    ],
    ['a trigger of SQLite', prismaError('P2003', ofTrigger('1811', 'no more')), 'check-violation'],
    [
      'a trigger of better-sqlite3',
      prismaError('P2003', ofTrigger('SQLITE_CONSTRAINT_TRIGGER', 'no more')),
      'check-violation',
    ],
    [
      'a foreign key of SQLite',
      prismaError('P2003', ofTrigger('1811', 'FOREIGN KEY constraint failed')),
      'foreign-key-violation',
    ],
    ['SIGNAL with a number that MySQL has', signal('45000', 1205), 'check-violation'],
    ['SIGNAL with the number of the driver', signal('45028', 1644), 'check-violation'],
    ['a pool whose user may not use the database', poolWithout('1044'), 'missing-privilege'],
    ['a pool whose password is wrong', poolWithout('1045'), 'unavailable'],
    [
      'an expired transaction',
      Object.assign(prismaError('P2028'), { message: 'A query cannot be executed on an expired transaction.' }),
      'transaction-timeout',
    ],
    ['a malformed full-text search', ofDriver('postgres', '42601', 'syntax error in tsquery'), 'bad-arguments'],
    ['a database that cannot be reached', Object.assign(new Error('?'), { code: 'ECONNREFUSED' }), 'unavailable'],
    [
      'an AggregateError with a connection error',
      new AggregateError([Object.assign(named('E'), { code: 'EPIPE' })]),
      'interrupted',
    ],
    ['an exhausted pool of pg', new Error('timeout exceeded when trying to connect'), 'unavailable'],
    ['a lost connection of pg', new Error('Connection terminated unexpectedly'), 'interrupted'],
    ['a query timeout of pg', new Error('Query read timeout'), 'interrupted'],
    ['a locked SQLite file', ofDriver('SocketTimeout', '5', 'database is locked'), 'busy'],
    ['a locked file on commit with libsql', new Error('SQLITE_BUSY: database is locked'), undefined],
    [
      'a SQLite file that changed since the read',
      ofDriver('SocketTimeout', 'SQLITE_BUSY_SNAPSHOT', 'database is locked'),
      'write-conflict',
    ],
    [
      'a missing SQLite directory',
      new TypeError('Cannot open database because the directory does not exist'),
      'unavailable',
    ],
    ['a closed PGlite', new Error('PGlite is closed'), 'unavailable'],
    ['a validation error of the client', named('PrismaClientValidationError'), 'bad-arguments'],
    ['an unknown error of the client', named('PrismaClientUnknownRequestError'), 'bad-arguments'],
    ['an initialization error of the client', named('PrismaClientInitializationError'), 'unavailable'],
    ['an error of the app', new TypeError('undefined is not a function'), undefined],
    ['an app error with a SQLSTATE as code', { code: '22001' }, undefined],
    ['a string', 'P2002', undefined],
    ['undefined', undefined, undefined],
  ]
  it.each(others)('%s: returns the expected kind', (_what, error, expected) => {
    expect(classifyDatabaseError(error)).toBe(expected)
  })

  it('prefers the Prisma code to the driver code, and a denial to both', () => {
    const unique = { meta: { driverAdapterError: ofDriver('postgres', '22001') } }
    expect(classifyDatabaseError(prismaError('P2002', unique))).toBe('unique-violation')
    expect(
      classifyDatabaseError(prismaError('P2002', { meta: { driverAdapterError: ofDriver('postgres', '42501', RLS) } })),
    ).toBe('denied')
  })
})

describe('toRequestError', () => {
  const status = (error: unknown) => {
    const [{ code }] = toRequestError(error, new Map(), { log: () => {} }).errors
    return [ERROR_STATUSES[code], code]
  }

  it.each([
    ['P2000', 422, 'invalid-value'],
    ['P2002', 409, 'unique-violation'],
    ['P2003', 409, 'foreign-key-violation'],
    ['P2004', 422, 'invalid-value'],
    ['P2007', 422, 'invalid-value'],
    ['P2011', 422, 'invalid-value'],
    ['P2013', 400, 'invalid-arguments'],
    ['P2014', 409, 'foreign-key-violation'],
    ['P2017', 404, 'not-found'],
    ['P2019', 400, 'invalid-arguments'],
    ['P2020', 422, 'invalid-value'],
    ['P2024', 503, 'database-unavailable'],
    ['P2025', 404, 'not-found'],
    ['P2029', 400, 'limit-exceeded'],
    ['P2030', 400, 'invalid-arguments'],
    ['P2034', 409, 'write-conflict'],
    ['P2021', 500, 'internal-error'],
  ])('%s: returns %i %s', (code, expected, name) => {
    expect(status(prismaError(code))).toEqual([expected, name])
  })

  it('returns the same status for the same kind of every driver', () => {
    expect(status(ofDriver('mysql', '1205'))).toEqual([504, 'database-timeout'])
    expect(status(ofDriver('postgres', '22P02'))).toEqual([422, 'invalid-value'])
    expect(status(ofDriver('postgres', '42501', RLS))).toEqual([403, 'forbidden'])
    expect(status(ofDriver('postgres', '42501'))).toEqual([403, 'forbidden'])
    expect(status(ofDriver('postgres', '42501', 'permission denied for table Tag'))).toEqual([500, 'internal-error'])
    expect(status(ofDriver('mysql', '1557'))).toEqual([409, 'unique-violation'])
  })

  it('omits the text of the client but keeps its code', () => {
    const { errors, message } = toRequestError(prismaError('P2002'), new Map())
    expect(errors).toMatchObject([{ orm: true, ormCode: 'P2002' }])
    expect(message).not.toContain('invocation')
    expect(toRequestError(ofDriver('postgres', '22P02'), new Map()).errors[0]).not.toHaveProperty('ormCode')
  })

  it('names the preview feature that relationLoadStrategy needs', () => {
    const message = '`relationLoadStrategy: join` is not available for MySQL < 8.0.14 and MariaDB.'
    expect(toRequestError(prismaError('P2019', { message }), new Map()).message).toContain('"relationJoins"')
  })

  it('logs the reason of a P2019 without quoted values', () => {
    const log = vi.fn<(message: string, error: unknown) => void>()
    toRequestError(prismaError('P2019', { message: "Error:\nUnknown value 'secret'" }), new Map(), { log })
    expect(log).toHaveBeenCalledExactlyOnceWith(
      "[routewright] responded with 400: PrismaClientKnownRequestError: Unknown value '…'",
      undefined,
    )
  })
})
