import { type DatabaseErrorKind, isOutage, findKindByCode, type CodeTable } from './database-error-kind.js'
import { type DriverError, findDriverError } from './driver-error.js'
import { isPrismaError, policyDenial, prismaCode, prismaMeta } from './prisma-error.js'

/**
 * Determines the kind of a client or database error.
 * @param error any thrown value
 * @param cause the driver error, if the caller already has it
 * @returns undefined if no kind applies, or if the error is not related to the request
 */
export function classifyDatabaseError(
  error: unknown,
  cause: DriverError = findDriverError(error),
): DatabaseErrorKind | undefined {
  const sqlKind = kindFromDriverError(cause)
  if (sqlKind === 'denied' || sqlKind === 'missing-privilege') return sqlKind
  // SQLite's adapters report an error raised by a trigger as a violated foreign key.
  if (sqlKind === 'check-violation' && isPrismaError(error)) return sqlKind
  const prismaKind = kindFromPrismaCode(error, cause)
  if (prismaKind && !isOutage(prismaKind)) return prismaKind
  // An error thrown by the app may contain the same codes and messages. Only those of a lost connection are unambiguous.
  if (sqlKind && !isOutage(sqlKind) && isPrismaError(error)) return sqlKind
  if (sqlKind === 'interrupted') return sqlKind
  return kindFromPrismaClass(error) ?? prismaKind ?? (sqlKind === 'unavailable' ? sqlKind : undefined)
}

/**
 * Whether an error can mean that the row to update or delete was not found. False for errors about rows of other models, and about the rows
 * that a nested write needs.
 * @param modelName the model of the row
 */
export function isRowMissing(error: unknown, modelName: string): boolean {
  const { modelName: called = modelName, model, operation, neededFor, expectedRows } = prismaMeta(error)
  // In a self-relation, Prisma also names the model for a row that should be connected or changed.
  const isRelated =
    operation === 'a nested connect'
      ? String(neededFor).includes(`'${modelName}'`)
      : operation === 'a nested update' || operation === 'a nested delete'
  // Prisma names the row of the call if nested writes need it. Policies do not.
  const isCallRow = model === undefined || (model === modelName && neededFor !== undefined && !isRelated)
  return called === modelName && isCallRow && expectedRows === undefined && classifyDatabaseError(error) === 'not-found'
}

/** Kinds by Prisma's error code. Other codes are server errors. */
const PRISMA_CODES: CodeTable = [
  [/^P(10(0[01238]|1[01])|2024|2028|2037)$/, 'unavailable'],
  [/^P1017$/, 'interrupted'],
  [/^P2000$/, 'value-too-long'],
  [/^P20(01|15|18|25)$/, 'not-found'],
  [/^P2002$/, 'unique-violation'],
  [/^P2003$/, 'foreign-key-violation'],
  [/^P2004$/, 'check-violation'],
  [/^P200[567]$/, 'value-unfit'],
  [/^P201[12]$/, 'not-null-violation'],
  [/^P2013$/, 'missing-argument'],
  [/^P2014$/, 'required-relation-violation'],
  [/^P2017$/, 'not-related'],
  [/^P2019$/, 'bad-arguments'],
  [/^P20(20|33)$/, 'value-out-of-range'],
  [/^P2029$/, 'too-many-values'],
  [/^P2030$/, 'no-full-text-index'],
  [/^P2034$/, 'write-conflict'],
]

/** Kinds by class, for Prisma errors without a code. */
const CLASSES: CodeTable = [
  [/^PrismaClient(Validation|UnknownRequest)Error$/, 'bad-arguments'],
  [/^PrismaClientInitializationError$/, 'unavailable'],
]

/**
 * Determines the kind of an error from its Prisma code. The error may come from the client, an extension or the runtime's policies.
 * @returns undefined if the error has no code, or a code that is not related to the request
 */
function kindFromPrismaCode(error: unknown, cause: DriverError): DatabaseErrorKind | undefined {
  const code = prismaCode(error)
  if (code === undefined) return undefined
  const denial = policyDenial(error)
  if (denial) return denial.reason === 'DATA_VALIDATION_VIOLATION' ? 'rule-violation' : 'denied'
  if (code === 'P2022') return isMisplacedAlias(cause) ? 'bad-arguments' : undefined
  // P2028 covers both a transaction that could not be started and one that exceeded its time limit.
  if (code === 'P2028' && cause.message.includes('expired transaction')) return 'transaction-timeout'
  return findKindByCode(PRISMA_CODES, [code])
}

/**
 * Whether MySQL reports an unknown column because of the SQL that Prisma 7.10 generates: in writes, a filter on related rows can name the
 * table instead of its alias. If a column is really missing, reads fail earlier, on the list of selected columns. Only a condition that
 * names the column causes the same error.
 */
function isMisplacedAlias({ codes, message }: DriverError): boolean {
  return codes.includes('1054') && /^Unknown column '\w+\.\w+' in '?where/im.test(message)
}

/** Determines the kind of an error from its Prisma class. Used only if neither a code nor the driver error is more specific. */
function kindFromPrismaClass(error: unknown): DatabaseErrorKind | undefined {
  return error instanceof Error ? findKindByCode(CLASSES, [error.name]) : undefined
}

/** Kinds by SQLSTATE or system error name, which driver adapters pass on unchanged. */
const DRIVER_CODES: CodeTable = [
  [/^42501$/, 'denied'],
  // No connection; too many connections; no memory or disk space; a disk error; starting up or shutting down; a replica after a failover.
  [/^(0800[14]|53\w{3}|58030|57P0[345]|25006)$/, 'unavailable'],
  [/^E(CONNREFUSED|NOTFOUND|HOSTUNREACH|NETUNREACH|AI_AGAIN)$/, 'unavailable'],
  // The connection was lost, or the server was shut down.
  [/^(08\w{3}|57P0[12])$/, 'interrupted'],
  [/^E(CONN(RESET|ABORTED)|TIMEDOUT|PIPE)$/, 'interrupted'],
  [/^57014$/, 'statement-timeout'],
  [/^55P03$/, 'lock-timeout'],
  [/^25P03$/, 'transaction-timeout'],
  [/^22\w{3}$/, 'value-unfit'],
  // CHECK, WITH CHECK OPTION, and RAISE EXCEPTION without a code.
  [/^(23514|44000|P0001)$/, 'check-violation'],
  [/^23P01$/, 'exclusion-violation'],
  // PostgreSQL has no such function for the column's type, for example `max` of a UUID.
  [/^42883$/, 'bad-arguments'],
]

/** Kinds by MySQL error number. */
const MYSQL_CODES: CodeTable = [
  // The driver's own numbers. These four mean that the socket was closed or timed out during a query. All others mean that no connection
  // was available.
  [/^450(09|13|19|26)$/, 'interrupted'],
  [/^45\d{3}$/, 'unavailable'],
  // Too many connections, no disk space, or a server that is shutting down or read-only.
  [/^(1021|1040|1053|1114|1203|1226|1290|1792|1836)$/, 'unavailable'],
  [/^(1969|3024)$/, 'statement-timeout'],
  // Out of range, bad datetime, bad string, JSON, division, data too long.
  [/^(1264|1265|1292|1365|1366|1406|1411|1525|1690|3140|3141)$/, 'value-unfit'],
  // CHECK constraints in MySQL and MariaDB.
  [/^(3819|4025)$/, 'check-violation'],
  // A cascaded foreign key would create a duplicate in another table.
  [/^(1557|1761|1762)$/, 'unique-violation'],
  [/^1205$/, 'lock-timeout'],
  // MariaDB's snapshot isolation: the row has changed since it was read.
  [/^1020$/, 'write-conflict'],
  // A syntax error can only come from the words of a full-text search, because Prisma writes all other SQL.
  // 1116 means that a join has too many tables, and 128 that a full-text search has too many nested parentheses.
  [/^(128|1064|1116)$/, 'bad-arguments'],
]

/**
 * Messages that drivers report without a database code. PostgreSQL's driver does this if its pool has no free connection, if a connection
 * is lost, or after a timeout. libsql's driver does this if the server does not exist or does not respond.
 */
const DRIVER_WORDS: CodeTable = [
  [
    /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout|Client has encountered a connection error and is not queryable)$/m,
    'unavailable',
  ],
  [/^HRANA_WEBSOCKET_ERROR: connect E/m, 'unavailable'],
  [
    /^((Connection terminated( unexpectedly)?|Query read timeout)$|HRANA_(WEBSOCKET|CLOSED)_ERROR: |SERVER_ERROR: Server returned HTTP status 5)/m,
    'interrupted',
  ],
]

/**
 * Driver adapters' own names for outages. For queries of the client, Prisma has a code for each outage. For raw SQL, it has one code for
 * all errors, so only these names distinguish them.
 */
const OUTAGE_KINDS: CodeTable = [
  [
    /^(Database(NotReachable|DoesNotExist|AccessDenied)|TooManyConnections|TlsConnectionError|AuthenticationFailed)$/,
    'unavailable',
  ],
  // These are the only errors that PostgreSQL's driver reports if the network stops responding.
  [/^(ConnectionClosed|SocketTimeout)$/, 'interrupted'],
]

/** SQLite's disk is full or not writable, or its file does not exist. Covers the messages of all SQLite drivers. */
const EMBEDDED_OUTAGE =
  /database or disk is full|attempt to write a readonly database|disk I\/O error|unable to open (database|connection)|^Cannot open database because|^PGlite is closed$/im

/** Another SQLite connection holds the lock. */
const SQLITE_BUSY = /database (table )?is locked/

/** SQLite does not wait for the lock if the transaction has read data that another transaction has changed since. */
const SQLITE_BUSY_SNAPSHOT = /^(517|SQLITE_BUSY_SNAPSHOT)$/

/** SQLite's messages for errors without a specific code. */
const SQLITE_ARGUMENTS =
  /parser stack overflow|recursion limit|expression tree is too large|too many SQL variables|LIKE or GLOB pattern too complex|string or blob too big|integer overflow|datatype mismatch|malformed JSON|bad JSON path|JSON path error|too many terms|tables in a join/i

/**
 * SQLite's message for a violated CHECK, and its code for errors raised by triggers. SQLite implements foreign keys as triggers, so they
 * have the same code.
 */
const SQLITE_CHECK = /CHECK constraint failed/
const SQLITE_TRIGGER = /^(1811|SQLITE_CONSTRAINT_TRIGGER)$/
const SQLITE_FOREIGN_KEY = /FOREIGN KEY constraint failed/

/**
 * PostgreSQL uses the same code for a row that a policy rejects and for a missing privilege. A message in a language other than English is
 * treated as a rejection by a policy.
 */
const PRIVILEGE = /permission denied|must be owner|affected by row-level/

/** MySQL's `SIGNAL`: its default error number, and the SQLSTATE class for user-defined errors. */
const SIGNAL = /^164[34]$/
const SIGNAL_STATE = /^45/

/** PostgreSQL's messages for an invalid full-text query. */
const TSQUERY = /tsquery|there is no escaped character/

/**
 * Determines the kind of an error from the details that the database reported: SQLSTATE, MySQL's number or SQLite's message. Does not cover
 * errors for which Prisma has a code, such as violated constraints.
 */
function kindFromDriverError({ codes, state, kind, message }: DriverError): DatabaseErrorKind | undefined {
  const isMysql = kind === 'mysql'
  if (isMysql && (SIGNAL_STATE.test(state ?? '') || codes.some((code) => SIGNAL.test(code)))) return 'check-violation'
  // Unlike PostgreSQL, MySQL rejects connections of users who have no privilege on the database.
  if ((isMysql || kind === 'DatabaseAccessDenied') && codes.includes('1044')) return 'missing-privilege'
  const errorKind =
    findKindByCode(DRIVER_CODES, state === undefined ? codes : [...codes, state]) ??
    (isMysql ? findKindByCode(MYSQL_CODES, codes) : undefined)
  if (errorKind === 'denied' && PRIVILEGE.test(message)) return 'missing-privilege'
  if (errorKind) return errorKind
  const isTrigger = codes.some((code) => SQLITE_TRIGGER.test(code)) && !SQLITE_FOREIGN_KEY.test(message)
  if (isTrigger || SQLITE_CHECK.test(message)) return 'check-violation'
  if (SQLITE_ARGUMENTS.test(message)) return 'bad-arguments'
  if (EMBEDDED_OUTAGE.test(message)) return 'unavailable'
  if (SQLITE_BUSY.test(message)) {
    return codes.some((code) => SQLITE_BUSY_SNAPSHOT.test(code)) ? 'write-conflict' : 'busy'
  }
  const outageKind = findKindByCode(OUTAGE_KINDS, [kind ?? '']) ?? findKindByCode(DRIVER_WORDS, [message])
  if (outageKind) return outageKind
  // An invalid full-text query is identified by PostgreSQL's message, because the codes are also used for other errors.
  return TSQUERY.test(message) && codes.some((code) => code === '42601' || code === 'XX000')
    ? 'bad-arguments'
    : undefined
}
