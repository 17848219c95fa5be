import type { PrismaClient } from '../../fixtures/bench/client/client.js'
import type { OperationName } from '../operations.js'

/** The Prisma client of the benchmark's schema. Its types are those for SQLite; for Postgres they are the same. */
export type Orm = PrismaClient

/** An HTTP API in process. */
export interface App {
  fetch(request: Request): Response | Promise<Response>
}

/** Calls without HTTP: what an operation asks of the database, by `n` and `unique` of {@link Operation.request}. */
export type Calls = Readonly<Record<OperationName, (n: number, unique: string) => Promise<unknown>>>

/** Where the API says that it is mounted. */
export const ENDPOINT = 'http://localhost/rest'
