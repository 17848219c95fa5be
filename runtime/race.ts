/** How often a write is tried before its error is the answer. */
const ATTEMPTS = 8

/** What another request can cause between our look and our write: the row appeared, it vanished, a deadlock. */
const RACES: ReadonlySet<unknown> = new Set(['P2002', 'P2025', 'P2034'])

/**
 * Makes a write that first looks whether a row is there, as an upsert does, again where another request came in between. An
 * error that is no race comes back the same each time, and is thrown in the end.
 * Inside a transaction of the app's own nothing is made again: there, a write that failed may leave something behind, or have
 * ended the transaction.
 * @param orm the client that the write is made with
 * @param write one whole attempt
 */
export async function retryRaces<R>(orm: unknown, write: () => PromiseLike<R>): Promise<R> {
  // `Prisma.TransactionClient` is a client without `$connect`.
  if (typeof orm !== 'object' || orm === null || !('$connect' in orm) || !orm.$connect) return write()
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      const isRace = typeof error === 'object' && error !== null && 'code' in error && RACES.has(error.code)
      if (attempt === ATTEMPTS || !isRace) throw error
    }
  }
}
