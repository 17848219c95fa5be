import { beforeEach, expect, it } from 'vitest'

import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { fillBlog } from '../rest/support/blog.js'
import { describeDatabases } from '../support/databases.js'
import { fixtureRpc, rpcClient } from './client.js'

/** Returns a filter that passes through a to-many relation `depth` times. */
function throughComments(depth: number): object {
  return { comments: { some: depth > 1 ? { post: throughComments(depth - 1) } : {} } }
}

describeDatabases('RPC: exists', (db) => {
  beforeEach(async () => {
    await db.fill(fillBlog)
  })

  it.each([
    ['user', undefined],
    ['user', {}],
    ['user', { where: { name: 'Ann' } }],
    ['user', { where: { name: 'Nobody' } }],
    ['post', { where: { comments: { some: { author: { name: 'Ben' } } } } }],
    ['post', { where: { comments: { every: { seq: { gt: 9 } } }, NOT: { tags: { none: {} } } } }],
    ['comment', { where: { postId: 1, seq: 3 } }],
    ['category', { where: { adPrice: { gt: 10 } } }],
  ] as const)('%s %j: returns whether a row matches', async (model, args) => {
    const api = rpcClient(db)
    const isThere = Number(await api.result(model, 'count', args)) > 0
    expect(await api.result(model, 'exists', args)).toBe(isThere)
    expect(await api.result(model, 'exists', args, 'POST')).toBe(isThere)
  })

  it('runs one query that selects only the id', async () => {
    const queries = await db.queriesOf(() => rpcClient(db).result('post', 'exists', { where: { title: 'One' } }))
    expect(queries).toHaveLength(1)
    expect(queries[0]).not.toMatch(/content|slug/)
    expect(queries[0]).toMatch(/LIMIT/)
  })

  it.each([
    [{ take: 1 }, 'take'],
    [{ select: { id: true } }, 'select'],
    [{ where: { titel: 'One' } }, 'titel'],
    [{ where: { author: { password: 'secret-ann' } } }, 'password'],
    [{ where: throughComments(4) }, 'many'],
  ])('%j: rejects with 400', async (args, what) => {
    const { status, body } = await rpcClient(db).call('post', 'exists', args)
    expect([status, body.message]).toEqual([400, expect.stringContaining(what)])
  })
})

describeDatabases(
  'RPC: exists without the list operation',
  (db) => {
    it('responds with 404', async () => {
      expect((await fixtureRpc(db).call('feedback', 'exists', {})).status).toBe(404)
    })
  },
  { fixture: 'annotations' },
)

describeDatabases(
  'RPC: exists under policies',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    it('considers only readable rows', async () => {
      const api = fixtureRpc(db, {}, db.orm.$extends(withPolicies(betaAbility())))
      const whole = fixtureRpc(db)
      const where = { project: { organisation: { slug: 'alpha' } } }
      expect(await whole.result('document', 'exists', { where })).toBe(true)
      expect(await api.result('document', 'exists', { where })).toBe(false)
      expect(await api.result('document', 'exists', {})).toBe(true)
    })
  },
  { fixture: 'tenants' },
)
