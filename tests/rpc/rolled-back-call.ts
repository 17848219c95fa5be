import { expect } from 'vitest'

import type { TestResponse } from './client.js'

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
export async function runAndRollBack<T>(
  transaction: (work: (orm: T) => Promise<never>) => Promise<unknown>,
  everything: (orm: T) => Promise<unknown>,
  call: (orm: T) => PromiseLike<unknown> | undefined,
  ignored = IGNORED_FIELDS,
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
 * @param response what RPC answered, as `ours` does not tell its status
 */
export function expectSame(
  operation: string,
  prismaOutcome: Outcome | Error,
  rpcOutcome: Outcome | Error,
  response: TestResponse | undefined,
): void {
  const message = `${response?.status} ${response?.body.message} ${prismaOutcome instanceof Error ? prismaOutcome.message.slice(-300) : ''}`
  // Our own rule, which the client does not have: all rows are meant by `{}` alone (design, section 5).
  if (response?.body.message?.includes('{} stands for all rows')) {
    expect(response.status, message).toBe(400)
  } else if (prismaOutcome instanceof Error) {
    expect(response?.status, message).toBeGreaterThanOrEqual(400)
    expect(response?.status, message).toBeLessThan(500)
  } else {
    expect(response?.status, message).toBe(operation.startsWith('create') ? 201 : 200)
    expect(rpcOutcome).toEqual(prismaOutcome)
  }
}

/** Moments that the database or the client makes, and what the routes never read. */
const IGNORED_FIELDS: readonly string[] = ['password', 'createdAt', 'updatedAt', 'at', 'touchedAt', 'since', 'database']

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
