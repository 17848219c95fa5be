/**
 * What another request can cause between our look and our write, and how often the write is tried then. The row appeared, or
 * vanished: the next look sees it, so that an error that comes again is no race. A deadlock can come again.
 */
const ATTEMPTS: ReadonlyMap<unknown, number> = new Map([
  ['P2002', 3],
  ['P2025', 3],
  ['P2034', 8],
])

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
      const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
      if (attempt >= (ATTEMPTS.get(code) ?? 1)) throw error
    }
  }
}
