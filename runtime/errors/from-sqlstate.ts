import { byCode, type CodeTable } from './code-table.js'
import type { DriverError } from './driver-error.js'
import type { DatabaseErrorKind } from './database-error.js'

/** What SQLSTATE and the errors of a system mean that a driver adapter passes on as they came. */
const CODES: CodeTable = [
  [/^42501$/, 'denied'],
  // No connection; too many; no memory or no disk; an error of the disk; starting or stopping; a replica, after a failover.
  [/^(0800[14]|53\w{3}|58030|57P0[345]|25006)$/, 'unavailable'],
  [/^E(CONNREFUSED|NOTFOUND|HOSTUNREACH|NETUNREACH|AI_AGAIN)$/, 'unavailable'],
  // The connection was lost; the server went down.
  [/^(08\w{3}|57P0[12])$/, 'interrupted'],
  [/^E(CONN(RESET|ABORTED)|TIMEDOUT|PIPE)$/, 'interrupted'],
  [/^57014$/, 'statement-timeout'],
  [/^55P03$/, 'lock-timeout'],
  [/^25P03$/, 'transaction-timeout'],
  [/^22\w{3}$/, 'value-unfit'],
  // CHECK, WITH CHECK OPTION, and RAISE EXCEPTION without a code.
  [/^(23514|44000|P0001)$/, 'check-violation'],
  [/^23P01$/, 'exclusion-violation'],
  // Postgres has no such function of the column's type, as `max` of a UUID.
  [/^42883$/, 'bad-arguments'],
]

/** What MySQL's own numbers mean. */
const MYSQL_CODES: CodeTable = [
  // The driver's: the socket closed, or was silent, at work; else no connection, or none that is free.
  [/^450(09|13|19|26)$/, 'interrupted'],
  [/^45\d{3}$/, 'unavailable'],
  // Too many connections, no disk, a server that stops or takes no writes.
  [/^(1021|1040|1053|1114|1203|1226|1290|1792|1836)$/, 'unavailable'],
  [/^(1969|3024)$/, 'statement-timeout'],
  // Out of range, bad datetime, bad string, JSON, division, data too long.
  [/^(1264|1265|1292|1365|1366|1406|1411|1525|1690|3140|3141)$/, 'value-unfit'],
  // CHECK, of MySQL and MariaDB.
  [/^(3819|4025)$/, 'check-violation'],
  // A foreign key that is carried along would become a duplicate elsewhere.
  [/^(1557|1761|1762)$/, 'unique-violation'],
  [/^1205$/, 'lock-timeout'],
  // MariaDB's snapshot isolation: the row has changed since it was read.
  [/^1020$/, 'write-conflict'],
  // The words of a full-text search: a syntax error, since Prisma writes all other SQL.
  // More tables in a join than it takes.
  [/^(1064|1116)$/, 'bad-arguments'],
]

/**
 * What drivers throw without a code of their database: that of Postgres has a pool without a free connection, a lost connection or
 * a long wait; that of libsql has no server, or one that does not get an answer through.
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
 * Driver adapters' own names of an outage. Queries of the client have a code of Prisma's for each; raw SQL has one code for whatever
 * may happen to it, and only these names tell.
 */
const OUTAGE_KINDS: CodeTable = [
  [
    /^(Database(NotReachable|DoesNotExist|AccessDenied)|TooManyConnections|TlsConnectionError|AuthenticationFailed)$/,
    'unavailable',
  ],
  // The driver of Postgres does not say more where the network falls silent.
  [/^(ConnectionClosed|SocketTimeout)$/, 'interrupted'],
]

/** SQLite's disk is full, or cannot be written; its file is not there, whatever opens it. */
const EMBEDDED_OUTAGE =
  /database or disk is full|attempt to write a readonly database|disk I\/O error|unable to open (database|connection)|^Cannot open database because|^PGlite is closed$/im

/** Another connection of SQLite's holds the lock. */
const SQLITE_BUSY = /database (table )?is locked/

/** SQLite does not wait for the lock where the transaction has read what another one has changed since. */
const SQLITE_BUSY_SNAPSHOT = /^(517|SQLITE_BUSY_SNAPSHOT)$/

/** What SQLite says instead of a code. */
const SQLITE_ARGUMENTS =
  /parser stack overflow|recursion limit|expression tree is too large|too many SQL variables|LIKE or GLOB pattern too complex|string or blob too big|integer overflow|datatype mismatch|malformed JSON|bad JSON path|JSON path error|too many terms|tables in a join/i

/** SQLite's message for a CHECK, and its code for triggers. SQLite implements foreign keys as triggers, so they have the same code. */
const SQLITE_CHECK = /CHECK constraint failed/
const SQLITE_TRIGGER = /^(1811|SQLITE_CONSTRAINT_TRIGGER)$/
const SQLITE_FOREIGN_KEY = /FOREIGN KEY constraint failed/

/**
 * PostgreSQL has one code for a row that a policy rejects and for a missing privilege. Words that it says in another language count
 * as those of a policy.
 */
const PRIVILEGE = /permission denied|must be owner|affected by row-level/

/** MySQL's `SIGNAL`: its default error number, and the SQLSTATE class for user-defined errors. */
const SIGNAL = /^164[34]$/
const SIGNAL_STATE = /^45/

/** What Postgres says of words that it cannot read. */
const TSQUERY = /tsquery|there is no escaped character/

/**
 * What went wrong by what the database itself said: SQLSTATE, MySQL's numbers, SQLite's words. What the client gives a code of its
 * own, as a violated constraint, is not here.
 */
export function kindFromSqlState({ codes, state, kind, message }: DriverError): DatabaseErrorKind | undefined {
  const isMysql = kind === 'mysql'
  if (isMysql && (SIGNAL_STATE.test(state ?? '') || codes.some((code) => SIGNAL.test(code)))) return 'check-violation'
  // A user without any privilege on the database. PostgreSQL lets such a user connect.
  if ((isMysql || kind === 'DatabaseAccessDenied') && codes.includes('1044')) return 'missing-privilege'
  const fault =
    byCode(CODES, state === undefined ? codes : [...codes, state]) ?? (isMysql ? byCode(MYSQL_CODES, codes) : undefined)
  if (fault === 'denied' && PRIVILEGE.test(message)) return 'missing-privilege'
  if (fault) return fault
  const isTrigger = codes.some((code) => SQLITE_TRIGGER.test(code)) && !SQLITE_FOREIGN_KEY.test(message)
  if (isTrigger || SQLITE_CHECK.test(message)) return 'check-violation'
  if (SQLITE_ARGUMENTS.test(message)) return 'bad-arguments'
  if (EMBEDDED_OUTAGE.test(message)) return 'unavailable'
  if (SQLITE_BUSY.test(message)) {
    return codes.some((code) => SQLITE_BUSY_SNAPSHOT.test(code)) ? 'write-conflict' : 'busy'
  }
  const said = byCode(OUTAGE_KINDS, [kind ?? '']) ?? byCode(DRIVER_WORDS, [message])
  if (said) return said
  // The words of a full-text search: Postgres says whose syntax error it is, but for one.
  return TSQUERY.test(message) && codes.some((code) => code === '42601' || code === 'XX000')
    ? 'bad-arguments'
    : undefined
}
