/** What became of a call, and of the database. */
export interface Outcome {
  readonly result: unknown
  readonly state: unknown
}

/**
 * Runs a call inside a transaction that is rolled back.
 * @param transaction runs its work in one
 * @param everything reads all rows that the call may have changed
 * @returns what can be compared of the result and of the rows, or what the call threw
 */
export async function undone<T>(
  transaction: (work: (orm: T) => Promise<never>) => Promise<unknown>,
  everything: (orm: T) => Promise<unknown>,
  call: (orm: T) => PromiseLike<unknown> | undefined,
): Promise<Outcome | Error> {
  let outcome: Outcome | Error | undefined
  const rollback = new Error('rollback')
  await transaction(async (orm) => {
    try {
      const result = await call(orm)
      outcome = { result: comparable(result), state: comparable(await everything(orm)) }
    } catch (error) {
      outcome = error instanceof Error ? error : new Error(String(error))
    }
    throw rollback
  }).catch((error: unknown) => {
    if (error !== rollback) throw error
  })
  if (!outcome) throw new Error('There was no outcome.')
  return outcome
}

const MADE_ANEW = ['password', 'createdAt', 'updatedAt', 'at', 'touchedAt', 'since', 'database']

/** Without moments and ids that the database or the client makes, and without what the routes never read. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const members = Object.entries(value).filter(([key]) => !MADE_ANEW.includes(key))
  return Object.fromEntries(
    members.map(([key, member]) => [key, /id$/i.test(key) && Number(member) >= 500 ? 'new' : comparable(member)]),
  )
}

/** The client keeps what it is given; a copy keeps the case as it was. */
export function copyOf(args: unknown): unknown {
  if (Array.isArray(args)) return args.map(copyOf)
  if (typeof args !== 'object' || args === null || Object.getPrototypeOf(args) !== Object.prototype) return args
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, copyOf(value)]))
}
