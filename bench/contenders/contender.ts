import type { PrismaClient } from '../../fixtures/bench/client/client.js'
import type { OperationName } from '../operations.js'

/** The Prisma client of the benchmark's schema. The types are those for SQLite, which are the same for PostgreSQL. */
export type Orm = PrismaClient

/** An HTTP API in the same process. */
export interface App {
  fetch(request: Request): Response | Promise<Response>
}

/** The database calls of each operation without HTTP. For `n` and `unique`, see `Operation.request`. */
export type Calls = Readonly<Record<OperationName, (n: number, unique: string) => Promise<unknown>>>

/** The public URL of the REST API. */
export const ENDPOINT = 'http://localhost/rest'
