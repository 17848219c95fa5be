import { expect } from 'vitest'

import type { Answer } from './client.js'

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

/**
 * Expects that RPC did what the client did: the same result and the same rows, or a 4xx where the client refuses.
 * @param answer what RPC answered, as `ours` does not tell its status
 */
export function expectSame(
  operation: string,
  theirs: Outcome | Error,
  ours: Outcome | Error,
  answer: Answer | undefined,
): void {
  const said = `${answer?.status} ${answer?.body.message} ${theirs instanceof Error ? theirs.message.slice(-300) : ''}`
  // Our own rule, which the client does not have: all rows are meant by `{}` alone (design, section 5).
  if (answer?.body.message?.includes('{} stands for all rows')) {
    expect(answer.status, said).toBe(400)
  } else if (theirs instanceof Error) {
    expect(answer?.status, said).toBeGreaterThanOrEqual(400)
    expect(answer?.status, said).toBeLessThan(500)
  } else {
    expect(answer?.status, said).toBe(operation.startsWith('create') ? 201 : 200)
    expect(ours).toEqual(theirs)
  }
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
