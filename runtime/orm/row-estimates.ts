import { isObject } from '../values/is-object.js'
import { policyCheckOf } from './policy-check.js'
import type { Dialect } from './dialect.js'
import { baseClient } from './base-client.js'
import { hasQueryExtensions } from './has-query-extensions.js'

/** The properties of a client that reveal its tables. The first is undocumented in Prisma. */
interface PrismaLike {
  readonly _runtimeDataModel?: {
    readonly models?: Readonly<Record<string, { dbName?: unknown; schema?: unknown } | undefined>>
  }
  $queryRawUnsafe?(sql: string, ...values: readonly unknown[]): Promise<unknown>
}

/**
 * Queries the database's estimated row count for all tables and views with a given name. It is null for a view, and if the visible rows may
 * differ from the counted ones (row-level security or table inheritance). PostgreSQL reports -1 for a table that has never been analyzed.
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

/** Estimates the number of a model's rows that a client may read. Resolves to undefined if no estimate is available. */
export type Estimates = (client: unknown, model: string, dialect: Dialect) => Promise<number | undefined>

/**
 * Reads the estimated row count that PostgreSQL, MySQL and MariaDB keep for a table, for the option `estimateCount` of `RestApiHandler`.
 *
 * Only a client's driver adapter knows in which database schema its tables are. There must therefore be only one table with that name,
 * unless the Prisma schema specifies the database schema.
 * @returns undefined if the database keeps no estimate, if the table is ambiguous, or if the client may not show all rows, because it has
 * access policies or hooks that filter rows, or query extensions of the app
 * @example
 * ```ts
 * import { rowEstimates } from '@routewright/runtime'
 * import { RestApiHandler } from './routes/index.js'
 *
 * export const rest = RestApiHandler({ endpoint: 'https://example.com/api', estimateCount: rowEstimates })
 * ```
 * @see [Estimates](docs/pagination.md#estimates)
 */
export const rowEstimates: Estimates = async (client, model, { provider }) => {
  const sql = SQL[provider]
  if (sql === undefined || typeof client !== 'object' || client === null || hasQueryExtensions(client)) return undefined
  const allows = policyCheckOf(client)
  if (allows && allows.showsAll?.(model) !== true) return undefined
  // The deadline extension would treat raw SQL as a write.
  const base: PrismaLike = baseClient(client)
  const table = base._runtimeDataModel?.models?.[model]
  if (!table || typeof base.$queryRawUnsafe !== 'function') return undefined
  const { dbName, schema } = table
  const found = await base.$queryRawUnsafe(sql, dbName ?? model, schema ?? null)
  const [row, other]: readonly unknown[] = Array.isArray(found) ? found : []
  if (other !== undefined || !isObject(row)) return undefined
  const { found: rows } = row
  const number = rows === null ? NaN : Number(rows)
  return number >= 0 ? Math.round(number) : undefined
}
