/** How often a write is tried before its error is the answer. */
const ATTEMPTS = 8

/** What another request can cause between our look and our write: the row appeared, it vanished, a deadlock. */
const RACES: ReadonlySet<unknown> = new Set(['P2002', 'P2025', 'P2034'])

/**
 * Makes a write that first looks whether a row is there, as an upsert does, again where another request came in between. An
 * error that is no race comes back the same each time, and is thrown in the end.
 * @param write one whole attempt, which leaves nothing behind where it fails
 */
export async function retryRaces<R>(write: () => PromiseLike<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      const isRace = typeof error === 'object' && error !== null && 'code' in error && RACES.has(error.code)
      if (attempt === ATTEMPTS || !isRace) throw error
    }
  }
}
