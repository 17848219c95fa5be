import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/blog/expected/hooks.js'
import { fillBlog } from '../rest/support/blog.js'
import { restClient } from '../rest/support/client.js'
import { rpcClient } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'

type Call = (db: Database, hooks: object) => Promise<{ readonly status: number }>

const user =
  (id: number, profile: object): Call =>
  (db, hooks) =>
    rpcClient(db, hooks).call('user', 'update', { where: { id }, data: { profile } })
const profile = { data: { type: 'profile', id: '1' } }

/**
 * Writes through a to-one relation whose foreign key is in the related row. Profile 1 belongs to user 1. User 2 has no
 * profile.
 */
const WAYS: readonly (readonly [what: string, told: readonly string[], call: Call])[] = [
  ['create', ['create.before 2', 'create.after 2', 'create.afterCommit 2'], user(2, { create: { bio: 'x' } })],
  ['connect', ['update.before 1', 'update.after 2', 'update.afterCommit 2'], user(2, { connect: { id: 1 } })],
  ['connect of the connected row', [], user(1, { connect: { id: 1 } })],
  [
    'connectOrCreate that connects',
    ['update.before 1', 'update.after 2', 'update.afterCommit 2'],
    user(2, { connectOrCreate: { where: { id: 1 }, create: { bio: 'x' } } }),
  ],
  [
    'connectOrCreate that creates',
    ['create.before 2', 'create.after 2', 'create.afterCommit 2'],
    user(2, { connectOrCreate: { where: { id: 9 }, create: { bio: 'x' } } }),
  ],
  ['update', ['update.before 1', 'update.after 1', 'update.afterCommit 1'], user(1, { update: { bio: 'x' } })],
  [
    'upsert that updates',
    ['update.before 1', 'update.after 1', 'update.afterCommit 1'],
    user(1, { upsert: { create: { bio: 'x' }, update: { bio: 'y' } } }),
  ],
  [
    'upsert that creates',
    ['create.before 2', 'create.after 2', 'create.afterCommit 2'],
    user(2, { upsert: { create: { bio: 'x' }, update: { bio: 'y' } } }),
  ],
  ['delete', ['delete.before 1', 'delete.after 1', 'delete.afterCommit 1'], user(1, { delete: true })],
  [
    'relationship route of the inverse',
    ['update.before 1', 'update.after 3', 'update.afterCommit 3'],
    (db, hooks) => restClient(db, hooks).patch('/profile/1/relationships/user', { data: { type: 'user', id: '3' } }),
  ],
  [
    'a cascade',
    ['delete.before 1', 'delete.after 1', 'delete.afterCommit 1'],
    (db, hooks) => restClient(db, hooks).delete('/user/1'),
  ],
]

describeDatabases('hooks: to-one relations with the foreign key on the other row', (db) => {
  const events: string[] = []
  const note = (step: string) => {
    return ({ data, row }: { readonly data?: object; readonly row?: object }) => {
      events.push(`${step} ${String(Object(row ?? data).userId)}`)
      return data as never
    }
  }
  const three = (kind: string) => ({
    before: note(`${kind}.before`),
    after: note(`${kind}.after`),
    afterCommit: note(`${kind}.afterCommit`),
  })
  const hooks: AppHooks = { Profile: { create: three('create'), update: three('update'), delete: three('delete') } }
  beforeEach(async () => {
    await db.fill(fillBlog)
    events.length = 0
  })

  it.each(WAYS)('%s: calls the expected hooks', async (what, expected, call) => {
    const { status } = await call(db, { hooks: defineHooks(hooks) })
    expect(status).toBeLessThan(300)
    expect(events).toEqual(expected)
    if (what === 'delete' || what === 'a cascade') expect(await db.orm.profile.count()).toBe(0)
  })

  it.each([
    ['/user/2/relationships/profile', profile],
    ['/user/2', { data: { type: 'user', id: '2', relationships: { profile } } }],
  ])('PATCH %s with the profile of another user: responds with 409 and calls no hook', async (path, body) => {
    expect((await restClient(db, { hooks: defineHooks(hooks) }).patch(path, body)).status).toBe(409)
    expect(events).toEqual([])
    expect(await db.orm.profile.findMany()).toMatchObject([{ id: 1, userId: 1 }])
  })

  it('rejects the removal of a required relation with 4xx and calls no after hook', async () => {
    const { call } = rpcClient(db, { hooks: defineHooks(hooks) })
    await db.orm.profile.create({ data: { userId: 2 } })
    for (const nested of [{ create: { bio: 'x' } }, { connect: { id: 2 } }, { disconnect: true }]) {
      const { status } = await call('user', 'update', { where: { id: 1 }, data: { profile: nested } })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
    expect(events.filter((step) => !step.includes('before'))).toEqual([])
    expect(await db.orm.profile.findMany({ orderBy: { id: 'asc' } })).toMatchObject([{ userId: 1 }, { userId: 2 }])
  })
})
