import { isObject } from '../values/is-object.js'
import { policyCheckOf } from './allows.js'
import type { Dialect } from './dialect.js'
import { baseClient } from './base-client.js'
import { hasQueryExtensions } from './query-extensions.js'

/** What of a client tells its tables. The first is none of Prisma's documented members. */
interface PrismaLike {
  readonly _runtimeDataModel?: {
    readonly models?: Readonly<Record<string, { dbName?: unknown; schema?: unknown } | undefined>>
  }
  $queryRawUnsafe?(sql: string, ...values: readonly unknown[]): Promise<unknown>
}

/**
 * What a database knows of all that a name may be. Its number is none where other rows are seen than are counted: rules of the database on
 * rows, tables that inherit; and none for a view. Postgres says -1 of a table that nothing has looked through yet.
 */
const SQL: Readonly<Record<string, string>> = {
  postgresql:
    "SELECT CASE WHEN c.relkind = 'p' OR c.relkind = 'r' AND NOT c.relhassubclass THEN " +
    'CASE WHEN NOT c.relrowsecurity THEN c.reltuples::float8 END END AS "found" ' +
    'FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace ' +
    "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relname = $1::text AND n.nspname NOT IN ('pg_catalog', 'information_schema') " +
    'AND n.nspname = COALESCE($2::text, n.nspname) LIMIT 2',
  mysql:
    "SELECT CASE WHEN TABLE_TYPE = 'BASE TABLE' THEN TABLE_ROWS END AS `found` FROM information_schema.TABLES " +
    'WHERE TABLE_NAME = ? AND TABLE_SCHEMA = COALESCE(?, TABLE_SCHEMA) LIMIT 2',
}

/** Tells about how many rows a model has, of all that a client may read; undefined where it cannot tell. */
export type Estimates = (client: unknown, model: string, dialect: Dialect) => Promise<number | undefined>

/**
 * Reads the row count that a database keeps for a table, for the option `estimateCount` of `RestApiHandler`. Postgres, MySQL and MariaDB keep one.
 *
 * Which schema of the database a client's tables are in, its adapter alone knows: so there has to be one table of the name only, unless the
 * Prisma schema names its schema.
 * @returns undefined where the database keeps none, where it is not certain whose number it is, and where it would be of other rows than
 *   the client shows: under access policies and hooks that leave some out, and where the app's own code stands around reads
 */
export const rowEstimates: Estimates = async (client, model, { provider }) => {
  const sql = SQL[provider]
  if (sql === undefined || typeof client !== 'object' || client === null || hasQueryExtensions(client)) return undefined
  const allows = policyCheckOf(client)
  if (allows && allows.showsAll?.(model) !== true) return undefined
  // What limits the time of a request takes raw SQL for a write.
  const plain: PrismaLike = baseClient(client)
  const table = plain._runtimeDataModel?.models?.[model]
  if (!table || typeof plain.$queryRawUnsafe !== 'function') return undefined
  const { dbName, schema } = table
  const found = await plain.$queryRawUnsafe(sql, dbName ?? model, schema ?? null)
  const [row, other]: readonly unknown[] = Array.isArray(found) ? found : []
  if (other !== undefined || !isObject(row)) return undefined
  const { found: rows } = row
  const number = rows === null ? NaN : Number(rows)
  return number >= 0 ? Math.round(number) : undefined
}
