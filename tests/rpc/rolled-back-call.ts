import { expect } from 'vitest'

import type { TestResponse } from './client.js'

/** The outcome of a call: its result and the rows of the database. */
export interface Outcome {
  readonly result: unknown
  readonly state: unknown
}

/**
 * Runs a call inside a transaction that is rolled back.
 * @param transaction runs its callback in a transaction
 * @param everything reads all rows that the call may change
 * @param ignored fields to ignore
 * @returns the comparable parts of the result and of the rows, or the error of the call
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
 * Expects that RPC had the same effect as the client: the same result and rows, or a 4xx if the client throws.
 * @param response the RPC response, because the outcome does not contain its status
 */
export function expectSame(
  operation: string,
  prismaOutcome: Outcome | Error,
  rpcOutcome: Outcome | Error,
  response: TestResponse | undefined,
): void {
  const message = `${response?.status} ${response?.body.message} ${prismaOutcome instanceof Error ? prismaOutcome.message.slice(-300) : ''}`
  // Only Routewright requires `{}` to match all rows. The client has no such rule.
  if (response?.body.message?.includes('use {} for all rows')) {
    expect(response.status, message).toBe(400)
  } else if (prismaOutcome instanceof Error) {
    expect(response?.status, message).toBeGreaterThanOrEqual(400)
    expect(response?.status, message).toBeLessThan(500)
  } else {
    expect(response?.status, message).toBe(operation.startsWith('create') ? 201 : 200)
    expect(rpcOutcome).toEqual(prismaOutcome)
  }
}

/** Timestamps that the database or the client generates, and fields that the routes never read. */
const IGNORED_FIELDS: readonly string[] = ['password', 'createdAt', 'updatedAt', 'at', 'touchedAt', 'since', 'database']

/** Removes ignored fields, and ids that the database generates. */
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

/** Copies arguments, so that the client cannot change the generated case. */
export function copyOf(args: unknown): unknown {
  if (Array.isArray(args)) return args.map(copyOf)
  if (typeof args !== 'object' || args === null || Object.getPrototypeOf(args) !== Object.prototype) return args
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, copyOf(value)]))
}
