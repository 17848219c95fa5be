import type { Provider } from '../../../scripts/prepare-fixtures.js'

/** A kind of database that tests run on, with a client that reaches it. */
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

/** A class that a fixture's `client.ts` exports. What it is made with is the engine's to know. */
export type ClientClass<C> = new (options: never) => C

/** What is told of what a client sends to its database. */
export interface Watch {
  /** Each query, as SQL. */
  query(sql: string): void
  /** Before each statement that may write: one that fails may have moved a counter on. */
  write(): void
}

/** A database that belongs to one test file. */
export interface OpenDatabase {
  /**
   * Makes a client of the database. The tests ask it as the routes do: an engine with another ORM gives one that does what
   * `runtime/orm/client-port.ts` lists, and what the tests themselves call.
   * @param Client what the fixture has it made of
   * @param options members of the client's own options, as `omit`
   */
  client<C extends object>(Client: ClientClass<C>, options?: object, watch?: Watch): C
  /**
   * Runs what writes through clients of the database.
   * @returns writes the same once more, outside of the clients
   */
  record(work: () => Promise<unknown>): Promise<() => Promise<void>>
  /** Runs SQL as it is, any number of statements, outside of the clients. */
  execute(sql: string): Promise<void>
  /** Empties all tables and starts their counters anew. */
  reset(): Promise<void>
  /** Closes the database, with its clients, and removes it. */
  close(): Promise<void>
}
