import type { SqlDriverAdapterFactory, SqlQuery } from '@prisma/driver-adapter-utils'

import type { Provider } from '../../../scripts/prepare-fixtures.js'

/** A kind of database that tests run on. */
export interface Engine {
  /** As it stands in the names of tests. */
  readonly name: 'SQLite' | 'PGlite' | 'PostgreSQL' | 'MySQL'
  readonly provider: Provider
  /** Whether several connections write at the same time, so that requests can truly race. */
  readonly concurrent: boolean
  /**
   * Makes a database of its own, empty but for its tables.
   * @param tables the path of the SQL that makes them
   */
  open(tables: string): Promise<OpenDatabase>
}

/** A database that belongs to one test file. */
export interface OpenDatabase {
  /** For `new PrismaClient({ adapter })`. */
  readonly adapter: SqlDriverAdapterFactory
  /** Runs SQL as it is, any number of statements, outside Prisma. */
  execute(sql: string): Promise<void>
  /** Runs statements that Prisma has sent before, one after the other, outside Prisma. */
  repeat(statements: readonly SqlQuery[]): Promise<void>
  /** Empties all tables and starts their counters anew. */
  reset(): Promise<void>
  /** Closes the database and removes it. The Prisma client is disconnected before. */
  close(): Promise<void>
}
