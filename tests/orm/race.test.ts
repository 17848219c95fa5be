import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { userResource } from '../../fixtures/blog/expected/user/resource.js'
import { compileSchema } from '../../runtime/schema/compile-schema.js'
import type { Model } from '../../runtime/schema/model.js'
import {
  retryCallOnConflict,
  retryOnConflict,
  retryOnRace,
} from '../../runtime/prisma/transactions/retry-on-conflict.js'

const OUTSIDE = { $connect: () => undefined }
const INSIDE = { $transaction: () => undefined }

// The pause before each new attempt is random.
beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
afterAll(() => void vi.restoreAllMocks())

/** The arguments and the model of an upsert. */
const UPSERT = { where: { email: 'a' } }
const USER = userModel()

function userModel(): Model {
  const model = compileSchema([userResource]).get('User')
  if (!model) throw new Error('The schema has no such model.')
  return model
}

/** Returns how often a write is attempted that always fails with the same error. */
async function attempts(client: unknown, error: unknown): Promise<number> {
  let attemptCount = 0
  const write = async () => {
    attemptCount += 1
    throw error
  }
  await expect(retryOnRace(client, USER, UPSERT, write)).rejects.toBe(error)
  return attemptCount
}

const prismaError = (code: string) => Object.assign(new Error('?'), { code })
const lockTimeout = Object.assign(new Error('?'), {
  name: 'DriverAdapterError',
  cause: { kind: 'mysql', originalCode: '1205', originalMessage: 'Lock wait timeout exceeded' },
})

describe('retryOnRace', () => {
  it.each([
    ['a row that another request created', prismaError('P2002'), 3],
    ['a row that another request deleted', prismaError('P2025'), 3],
    ['a deadlock', prismaError('P2034'), 8],
    ['a foreign key violation', prismaError('P2003'), 1],
    ['a lock timeout', lockTimeout, 1],
    ['an unavailable database', prismaError('P1001'), 1],
    ['an error of the app', new TypeError('?'), 1],
  ])('after %s: retries only if that helps', async (_what, error, times) => {
    expect(await attempts(OUTSIDE, error)).toBe(times)
  })

  it('does not retry inside a transaction of the app or on an unknown client', async () => {
    for (const client of [INSIDE, undefined, 'client']) expect(await attempts(client, prismaError('P2002'))).toBe(1)
  })

  it('does not retry on a client with query extensions', async () => {
    const extended = (extension: object) => ({ ...OUTSIDE, _extensions: { head: { extension } } })
    for (const code of ['P2002', 'P2025', 'P2034']) {
      expect(await attempts(extended({ query: {} }), prismaError(code))).toBe(1)
      expect(await attempts(extended({ result: {} }), prismaError(code))).toBeGreaterThan(1)
    }
  })

  it.each([
    ['the unique of its "where"', 'User', ['email'], 3],
    ['another unique', 'User', ['id'], 1],
    ['a unique of another model', 'Profile', ['email'], 1],
    ['an unknown unique', 'User', undefined, 1],
  ])(
    'with query extensions of the app, after a create failed on %s: retries only if that helps',
    async (_what, modelName, fields, times) => {
      const cause = { kind: 'UniqueConstraintViolation', constraint: fields && { fields } }
      const meta = { modelName, driverAdapterError: { name: 'DriverAdapterError', cause } }
      const extended = { ...OUTSIDE, _extensions: { head: { extension: { query: {} } } } }
      expect(await attempts(extended, Object.assign(prismaError('P2002'), { meta }))).toBe(times)
    },
  )

  it('returns the result of the attempt that succeeds', async () => {
    let attemptCount = 0
    const write = async () => {
      attemptCount += 1
      if (attemptCount < 3) throw prismaError('P2002')
      return 'written'
    }
    expect(await retryOnRace(OUTSIDE, USER, UPSERT, write)).toBe('written')
  })
})

describe('retryCallOnConflict', () => {
  const conflict = prismaError('P2034')
  /** Returns how often a call is attempted that fails with a conflict a number of times. */
  async function calls(client: unknown, failing = Infinity, error: Error = conflict, began = Date.now()) {
    let attemptCount = 0
    const call = async () => {
      attemptCount += 1
      if (attemptCount <= failing) throw Object.assign(new Error('?'), error)
      return 'done'
    }
    const first = await call().catch((thrown: unknown) => retryCallOnConflict(thrown, client, call, began))
    return [attemptCount, first]
  }
  const extended = (extension: object) => ({ ...OUTSIDE, _extensions: { head: { extension } } })

  it('retries until the call succeeds, up to a limit', async () => {
    expect(await calls(OUTSIDE, 3)).toEqual([4, 'done'])
    await expect(calls(OUTSIDE)).rejects.toMatchObject({ code: 'P2034' })
  })

  it('does not retry after other errors', async () => {
    for (const code of ['P2002', 'P2025', 'P1001', 'P1017']) {
      await expect(calls(OUTSIDE, 1, prismaError(code))).rejects.toMatchObject({ code })
    }
  })

  it('does not retry inside a transaction or on a client with query extensions', async () => {
    await expect(calls(INSIDE, 1)).rejects.toBeInstanceOf(Error)
    await expect(calls(extended({ query: {} }), 1)).rejects.toBeInstanceOf(Error)
    await expect(calls(extended({ model: {} }), 1)).rejects.toBeInstanceOf(Error)
    expect(await calls(extended({ result: {} }), 1)).toEqual([2, 'done'])
    expect(await calls(extended({ name: 'routewright', query: {} }), 1)).toEqual([2, 'done'])
    const replicas = { query: {}, client: { $primary: () => undefined, $replica: () => undefined } }
    expect(await calls(extended(replicas), 1)).toEqual([2, 'done'])
  })

  it('does not retry a call that was already retried', async () => {
    let attemptCount = 0
    const call = () =>
      retryOnConflict(OUTSIDE, async () => {
        attemptCount += 1
        throw prismaError('P2034')
      })
    await expect(
      call().catch((thrown: unknown) => retryCallOnConflict(thrown, OUTSIDE, call, Date.now())),
    ).rejects.toThrow()
    expect(attemptCount).toBe(8)
  })

  it('does not retry an attempt that may have external effects', async () => {
    let attemptCount = 0
    const write = async () => {
      attemptCount += 1
      throw prismaError('P2034')
    }
    await expect(retryOnConflict(OUTSIDE, write, () => true)).rejects.toThrow()
    expect(attemptCount).toBe(1)
    await expect(retryOnConflict(extended({ query: {} }), write)).rejects.toThrow()
    expect(attemptCount).toBe(2)
  })

  it('retries a locked SQLite database unless it has already waited', async () => {
    const cause = { kind: 'SocketTimeout', originalMessage: 'database is locked' }
    const busy = Object.assign(new Error('?'), { name: 'DriverAdapterError', cause })
    expect(await calls(OUTSIDE, 2, busy)).toEqual([3, 'done'])
    await expect(calls(OUTSIDE, 2, busy, Date.now() - 5000)).rejects.toThrow()
  })
})
