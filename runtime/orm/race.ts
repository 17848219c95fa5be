import { type DatabaseFault, databaseFaultOf } from '../errors/database-fault.js'
import { isInTransaction } from './transactions.js'

/**
 * What another request can cause between our look and our write, and how often the write is tried then. The row appeared, or
 * vanished: the next look sees it, so that an error that comes again is no race. A deadlock can come again.
 */
const ATTEMPTS: ReadonlyMap<DatabaseFault | undefined, number> = new Map<DatabaseFault, number>([
  ['unique-violation', 3],
  ['not-found', 3],
  ['write-conflict', 8],
])

const CONFLICTS: typeof ATTEMPTS = new Map([...ATTEMPTS].filter(([fault]) => fault === 'write-conflict'))

/**
 * Makes a write that first looks whether a row is there, as an upsert does, again where another request came in between. An
 * error that is no race comes back the same each time, and is thrown in the end.
 * Inside a transaction of the app's own nothing is made again: there, a write that failed may leave something behind, or have
 * ended the transaction.
 * @param orm the client that the write is made with
 * @param write one whole attempt
 */
export async function retryRaces<R>(orm: unknown, write: () => PromiseLike<R>): Promise<R> {
  return again(orm, write, ATTEMPTS)
}

/**
 * As {@link retryRaces}, for a write that locks what it looks at: nothing comes in between, but two such writes may wait for each
 * other.
 */
export async function retryConflicts<R>(orm: unknown, write: () => PromiseLike<R>): Promise<R> {
  return again(orm, write, CONFLICTS)
}

async function again<R>(orm: unknown, write: () => PromiseLike<R>, attempts: typeof ATTEMPTS): Promise<R> {
  if (isInTransaction(orm)) return write()
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (attempt >= (attempts.get(databaseFaultOf(error)) ?? 1)) throw error
    }
  }
}
