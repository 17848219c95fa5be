import { describe, expect, it } from 'vitest'

import { retryRaces } from '../../runtime/orm/race.js'

const OUTSIDE = { $connect: () => undefined }
const INSIDE = { $transaction: () => undefined }

/** How often a write is made that fails the same each time. */
async function attempts(client: unknown, error: unknown): Promise<number> {
  let made = 0
  const write = async () => {
    made += 1
    throw error
  }
  await expect(retryRaces(client, write)).rejects.toBe(error)
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

  it('is answered by the attempt that succeeds', async () => {
    let made = 0
    const write = async () => {
      made += 1
      if (made < 3) throw known('P2002')
      return 'written'
    }
    expect(await retryRaces(OUTSIDE, write)).toBe('written')
  })
})
