/** What became of a call, and of the database. */
export interface Outcome {
  readonly result: unknown
  readonly state: unknown
}

/**
 * Runs a call inside a transaction that is rolled back.
 * @param transaction runs its work in one
 * @param everything reads all rows that the call may have changed
 * @param ignored the fields that are not compared
 * @returns what can be compared of the result and of the rows, or what the call threw
 */
export async function undone<T>(
  transaction: (work: (orm: T) => Promise<never>) => Promise<unknown>,
  everything: (orm: T) => Promise<unknown>,
  call: (orm: T) => PromiseLike<unknown> | undefined,
  ignored = MADE_ANEW,
): Promise<Outcome | Error> {
  let outcome: Outcome | Error | undefined
  const rollback = new Error('rollback')
  await transaction(async (orm) => {
    try {
      const result = await call(orm)
      outcome = { result: comparable(result, ignored), state: comparable(await everything(orm), ignored) }
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

/** Moments that the database or the client makes, and what the routes never read. */
const MADE_ANEW: readonly string[] = ['password', 'createdAt', 'updatedAt', 'at', 'touchedAt', 'since', 'database']

/** Without some fields, and without ids that the database makes. */
function comparable(value: unknown, ignored: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => comparable(one, ignored))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const members = Object.entries(value).filter(([key]) => !ignored.includes(key))
  return Object.fromEntries(
    members.map(([key, member]) => [
      key,
      /id$/i.test(key) && Number(member) >= 500 ? 'new' : comparable(member, ignored),
    ]),
  )
}

/** The client keeps what it is given; a copy keeps the case as it was. */
export function copyOf(args: unknown): unknown {
  if (Array.isArray(args)) return args.map(copyOf)
  if (typeof args !== 'object' || args === null || Object.getPrototypeOf(args) !== Object.prototype) return args
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, copyOf(value)]))
}
