import type { Provider } from '../../../scripts/prepare-fixtures.js'

/** A kind of database that tests run on. */
export interface Engine {
  /** The name in test titles. */
  readonly name: 'SQLite' | 'PGlite' | 'PostgreSQL' | 'MySQL'
  readonly provider: Provider
  /** Whether several connections can write concurrently. */
  readonly concurrent: boolean
  /**
   * Creates a database with empty tables.
   * @param tables the path of the SQL that creates the tables
   */
  open(tables: string): Promise<OpenDatabase>
}

/** A class that a fixture's `client.ts` exports. Only the engine knows its constructor options. */
export type ClientClass<C> = new (options: never) => C

/** Callbacks for the statements that a client sends to its database. */
export interface Watch {
  /** Called with the SQL of each query. */
  query(sql: string): void
  /** Called before each statement that may write, because even one that fails may increment a counter. */
  write(): void
}

/** A database that belongs to one test file. */
export interface OpenDatabase {
  /**
   * Creates a client of the database. Tests use it like the routes do: an engine with another ORM returns a client with the
   * operations in `runtime/prisma/call-client.ts` and the ones that the tests call.
   * @param Client the fixture's client class
   * @param options options of the client, for example `omit`
   */
  client<C extends object>(Client: ClientClass<C>, options?: object, watch?: Watch): C
  /**
   * Runs code that writes through clients of the database.
   * @returns a function that repeats these writes outside the clients
   */
  record(work: () => Promise<unknown>): Promise<() => Promise<void>>
  /** Runs any number of SQL statements unchanged, outside the clients. */
  execute(sql: string): Promise<void>
  /** Empties all tables and resets their counters. */
  reset(): Promise<void>
  /** Closes the database and its clients, and removes it. */
  close(): Promise<void>
}
