import { describe, expect, it } from 'vitest'

import { userResource } from '../../fixtures/blog/expected/user/resource.js'
import { compileSchema, type Model } from '../../runtime/schema/schema.js'
import { retryCallOnConflict, retryOnConflict, retryOnRace } from '../../runtime/orm/retry.js'

const OUTSIDE = { $connect: () => undefined }
const INSIDE = { $transaction: () => undefined }

/** The arguments and the model of an upsert. */
const UPSERT = { where: { email: 'a' } }
const USER = userModel()

function userModel(): Model {
  const model = compileSchema([userResource]).get('User')
  if (!model) throw new Error('The schema has no such model.')
  return model
}

/** How often a write is made that fails the same each time. */
async function attempts(client: unknown, error: unknown): Promise<number> {
  let made = 0
  const write = async () => {
    made += 1
    throw error
  }
  await expect(retryOnRace(client, USER, UPSERT, write)).rejects.toBe(error)
  return made
}

const known = (code: string) => Object.assign(new Error('?'), { code })
const lockTimeout = Object.assign(new Error('?'), {
  name: 'DriverAdapterError',
  cause: { kind: 'mysql', originalCode: '1205', originalMessage: 'Lock wait timeout exceeded' },
})

describe('a write that first looks', () => {
  it.each([
    ['a row that another request created', known('P2002'), 3],
    ['a row that another request deleted', known('P2025'), 3],
    ['a deadlock', known('P2034'), 8],
    ['a foreign key, which no race explains', known('P2003'), 1],
    ['a lock that was waited for long enough', lockTimeout, 1],
    ['a database that is gone', known('P1001'), 1],
    ['an error of the app', new TypeError('?'), 1],
  ])('after %s: tried as often as helps', async (_what, error, times) => {
    expect(await attempts(OUTSIDE, error)).toBe(times)
  })

  it('is made once inside a transaction of the app, and where nothing is known of the client', async () => {
    for (const client of [INSIDE, undefined, 'client']) expect(await attempts(client, known('P2002'))).toBe(1)
  })

  it('is made once where code of the app stands around it: that may have failed when the write was done', async () => {
    const extended = (extension: object) => ({ ...OUTSIDE, _extensions: { head: { extension } } })
    for (const code of ['P2002', 'P2025', 'P2034']) {
      expect(await attempts(extended({ query: {} }), known(code))).toBe(1)
      expect(await attempts(extended({ result: {} }), known(code))).toBeGreaterThan(1)
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
      expect(await attempts(extended, Object.assign(known('P2002'), { meta }))).toBe(times)
    },
  )

  it('is answered by the attempt that succeeds', async () => {
    let made = 0
    const write = async () => {
      made += 1
      if (made < 3) throw known('P2002')
      return 'written'
    }
    expect(await retryOnRace(OUTSIDE, USER, UPSERT, write)).toBe('written')
  })
})

describe('a call that a conflict has ended', () => {
  const conflict = known('P2034')
  /** How often a call is made that fails with a conflict until so many were made. */
  async function calls(client: unknown, failing = Infinity, error: Error = conflict, began = Date.now()) {
    let made = 0
    const call = async () => {
      made += 1
      if (made <= failing) throw Object.assign(new Error('?'), error)
      return 'done'
    }
    const first = await call().catch((thrown: unknown) => retryCallOnConflict(thrown, client, call, began))
    return [made, first]
  }
  const extended = (extension: object) => ({ ...OUTSIDE, _extensions: { head: { extension } } })

  it('is made again until it succeeds, and not for ever', async () => {
    expect(await calls(OUTSIDE, 3)).toEqual([4, 'done'])
    await expect(calls(OUTSIDE)).rejects.toMatchObject({ code: 'P2034' })
  })

  it('is not where anything else has ended it', async () => {
    for (const code of ['P2002', 'P2025', 'P1001', 'P1017']) {
      await expect(calls(OUTSIDE, 1, known(code))).rejects.toMatchObject({ code })
    }
  })

  it('is not inside a transaction of the app, nor where code of the app stands around it', async () => {
    await expect(calls(INSIDE, 1)).rejects.toBeInstanceOf(Error)
    await expect(calls(extended({ query: {} }), 1)).rejects.toBeInstanceOf(Error)
    await expect(calls(extended({ model: {} }), 1)).rejects.toBeInstanceOf(Error)
    expect(await calls(extended({ result: {} }), 1)).toEqual([2, 'done'])
    expect(await calls(extended({ name: 'routewright', query: {} }), 1)).toEqual([2, 'done'])
    const replicas = { query: {}, client: { $primary: () => undefined, $replica: () => undefined } }
    expect(await calls(extended(replicas), 1)).toEqual([2, 'done'])
  })

  it('is not once more by whoever makes it again as well', async () => {
    let made = 0
    const call = () =>
      retryOnConflict(OUTSIDE, async () => {
        made += 1
        throw known('P2034')
      })
    await expect(
      call().catch((thrown: unknown) => retryCallOnConflict(thrown, OUTSIDE, call, Date.now())),
    ).rejects.toThrow()
    expect(made).toBe(8)
  })

  it('is not where its attempt may have done more than the database undoes', async () => {
    let made = 0
    const write = async () => {
      made += 1
      throw known('P2034')
    }
    await expect(retryOnConflict(OUTSIDE, write, () => true)).rejects.toThrow()
    expect(made).toBe(1)
    await expect(retryOnConflict(extended({ query: {} }), write)).rejects.toThrow()
    expect(made).toBe(2)
  })

  it('is where SQLite did not wait for its lock, and not where it has', async () => {
    const cause = { kind: 'SocketTimeout', originalMessage: 'database is locked' }
    const busy = Object.assign(new Error('?'), { name: 'DriverAdapterError', cause })
    expect(await calls(OUTSIDE, 2, busy)).toEqual([3, 'done'])
    await expect(calls(OUTSIDE, 2, busy, Date.now() - 5000)).rejects.toThrow()
  })
})
