import { beforeEach, describe, expect, it } from 'vitest'

import { RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import { tagRpc } from '../../fixtures/blog/expected/tag/rpc.js'
import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { rpcHandler } from '../../runtime/rpc/rpc-handler.js'
import { fillWorkspace, recorder } from '../hooks/support/workspace.js'
import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { fillBlog } from '../rest/support/blog.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { type TestResponse, fixtureRpc, type RpcClient, rpcClient } from './client.js'

const ON = { transactions: true } as const

function transact(api: RpcClient, operations: unknown): Promise<TestResponse> {
  const headers = { 'Content-Type': 'application/json' }
  return api.fetch('/$transaction/sequential', { method: 'POST', headers, body: JSON.stringify(operations) })
}

/** Reads all rows that these tests write. */
async function dump({ orm }: Database): Promise<string> {
  const rows = await Promise.all([
    orm.user.findMany({ orderBy: { id: 'asc' } }),
    orm.post.findMany({ orderBy: { id: 'asc' }, include: { tags: { orderBy: { name: 'asc' } } } }),
    orm.comment.findMany({ orderBy: [{ postId: 'asc' }, { seq: 'asc' }] }),
  ])
  return JSON.stringify(rows)
}

const CREATE = { model: 'Tag', op: 'create', args: { data: { name: 'first' } } }

describeDatabases('RPC: transactions', (db) => {
  beforeEach(async () => {
    await db.fill(fillBlog)
  })
  const api = (options = {}) => rpcClient(db, { ...ON, ...options })

  it('runs the operations in order and returns each result', async () => {
    const { status, body, headers } = await transact(api(), [
      { model: 'Post', op: 'update', args: { where: { id: 1 }, data: { title: 'Changed' }, select: { title: true } } },
      { model: 'post', op: 'findFirst', args: { where: { title: 'Changed' }, select: { id: true } } },
      { model: 'Comment', op: 'deleteMany', args: { where: { postId: 1 } } },
      { model: 'Comment', op: 'count' },
      { model: 'comment', op: 'exists', args: { where: { postId: 1 } } },
      {
        model: 'Tag',
        op: 'upsert',
        args: { where: { name: 'x' }, create: { name: 'x' }, update: {}, select: { name: true } },
      },
    ])
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: [{ title: 'Changed' }, { id: 1 }, { count: 3 }, 1, false, { name: 'x' }] },
    })
    expect(headers.get('Cache-Control')).toBe('private, no-store')
  })

  it('parses and serializes values like a single operation', async () => {
    const args = {
      where: { id: 1 },
      data: { publishedAt: '2024-05-05T00:00:00.000Z' },
      select: { publishedAt: true },
      meta: { serialization: { values: { 'data.publishedAt': ['Date'] }, v: 1 } },
    }
    const { body } = await transact(api(), [{ model: 'Post', op: 'update', args }])
    expect(body).toEqual({
      data: [{ publishedAt: '2024-05-05T00:00:00.000Z' }],
      meta: { serialization: { values: { '0.publishedAt': ['Date'] }, v: 1 } },
    })
  })

  it('responds to an empty list with 200', async () => {
    expect(await transact(api(), [])).toMatchObject({ status: 200, body: { data: [] } })
  })

  it.each([
    [
      'a duplicate unique value',
      { model: 'User', op: 'create', args: { data: { email: 'ann@example.org', password: 'long enough' } } },
      409,
    ],
    ['a missing row', { model: 'Post', op: 'delete', args: { where: { id: 99 } } }, 404],
    [
      'an invalid foreign key',
      { model: 'Post', op: 'create', args: { data: { slug: 's', title: 'T', authorId: 99 } } },
      409,
    ],
    [
      'a violated field rule',
      { model: 'User', op: 'update', args: { where: { id: 1 }, data: { email: 'no address' } } },
      422,
    ],
    [
      'a write-only field in a filter',
      { model: 'User', op: 'findMany', args: { where: { password: 'long enough' } } },
      400,
    ],
  ])('%s: rolls back all operations', async (_, failing, status) => {
    const before = await dump(db)
    const renamed = { model: 'Post', op: 'updateMany', args: { where: {}, data: { title: 'Renamed' } } }
    const response = await transact(api(), [CREATE, renamed, failing])
    expect(response).toMatchObject({ status, body: { message: expect.stringMatching(/^Operation 2: /) } })
    expect(await dump(db)).toBe(before)
    expect(await db.orm.tag.count()).toBe(3)
  })

  it('reports the index of the failed operation and the path of the error', async () => {
    const taken = { data: { email: 'ann@example.org', password: 'long enough' } }
    const { body } = await transact(api(), [CREATE, { model: 'User', op: 'create', args: taken }])
    expect(body).toMatchObject({ code: 'P2002', orm: true, issues: [{ path: [1, 'args', 'data', 'email'] }] })
    const missing = await transact(api(), [CREATE, { model: 'Post', op: 'delete', args: { where: { id: 99 } } }])
    expect(missing.body).toMatchObject({ code: 'P2025', issues: [{ path: [1, 'args'] }] })
  })

  it.each([
    ['not a list', {}, /must be a list/],
    ['an operation that is not an object', [CREATE, null], /^Operation 1: An operation must be an object/],
    ['an unknown key', [{ ...CREATE, method: 'POST' }], /Operation 0: Unknown key "method" in an operation/],
    ['a missing model', [{ op: 'count' }], /model must be the name of a model/],
    ['a missing operation', [{ model: 'Tag' }], /op must be the name of an operation/],
    ['an unknown model', [{ model: 'toString', op: 'count' }], /Unknown model "toString"/],
    ['an unknown operation', [{ model: 'Tag', op: 'constructor' }], /Unknown operation "constructor"/],
    ['arguments that are not an object', [{ ...CREATE, args: [] }], /The arguments must be an object/],
    ['an unknown argument', [{ ...CREATE, args: { data: { name: 'x' }, with: 1 } }], /"with"/],
  ])('%s: rejects with 4xx', async (_, operations, message) => {
    const { status, body } = await transact(api(), operations)
    expect([status < 500 && status >= 400, body.message]).toEqual([true, expect.stringMatching(message)])
    expect(await db.orm.tag.count()).toBe(3)
  })

  it('applies the limits to the whole transaction', async () => {
    const many = Array.from({ length: 4 }, (_, index) => ({ ...CREATE, args: { data: { name: `n${index}` } } }))
    expect(await transact(api({ limits: { operations: 3 } }), many)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('limits.operations') },
    })
    expect(await transact(api({ limits: { nodes: 10 } }), many)).toMatchObject({ status: 400 })
    expect(await transact(api({ limits: { responseBytes: 50 } }), many)).toMatchObject({ status: 400 })
    expect(await transact(api({ limits: { bodyBytes: 50 } }), many)).toMatchObject({ status: 413 })
    const expensive = { model: 'Post', op: 'count', args: { where: { title: { contains: 'a' } } } }
    expect(await transact(api(), [expensive, expensive])).toMatchObject({ status: 200 })
    expect(await transact(api({ limits: { filterCost: 15 } }), [expensive, expensive])).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('limits.filterCost') },
    })
    expect(await db.orm.tag.count()).toBe(3)
  })

  it('accepts only POST with JSON and no query, and only if enabled', async () => {
    expect(await transact(rpcClient(db), [CREATE])).toMatchObject({ status: 404 })
    const get = await api().fetch('/$transaction/sequential')
    expect([get.status, get.headers.get('Allow')]).toEqual([405, 'POST'])
    const text = await api().fetch('/$transaction/sequential', { method: 'POST', body: '[]' })
    expect(text.status).toBe(415)
    const query = await api().fetch('/$transaction/sequential?q=1', { method: 'POST', body: '[]' })
    expect(query.status).toBe(400)
    const encoded = await api().fetch(`/${encodeURIComponent('$transaction')}/sequential`)
    expect([encoded.status, encoded.headers.get('Location')]).toEqual([308, '../$transaction/sequential'])
    expect((await api().fetch('/$transaction/itx', { method: 'POST', body: '[]' })).status).toBe(404)
  })

  it('keeps every increment of concurrent transactions', async () => {
    const where = { id: 2 }
    const add = {
      model: 'Category',
      op: 'update',
      args: { where, data: { readers: { increment: 1 } }, select: { id: true } },
    }
    const read = { model: 'Category', op: 'findUnique', args: { where, select: { readers: true } } }
    const client = api()
    const responses = await Promise.all(Array.from({ length: 12 }, () => transact(client, [add, read, add])))
    const done = responses.filter(({ status }) => status === 200)
    const category = await db.orm.category.findUniqueOrThrow({ where })
    expect(category.readers).toBe(5n + 2n * BigInt(done.length))
    expect(done.length).toBeGreaterThan(0)
    for (const { status } of responses) expect([200, 409, 503]).toContain(status)
  })
})

describeDatabases(
  'RPC: transactions under policies',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    it('checks each operation and rolls back all if one is denied', async () => {
      const api = fixtureRpc(db, ON, db.orm.$extends(withPolicies(betaAbility())))
      const allowed = {
        model: 'Document',
        op: 'update',
        args: { where: { id: 3 }, data: { title: 'Mine' }, select: { title: true } },
      }
      expect(await transact(api, [allowed])).toMatchObject({ status: 200, body: { data: [{ title: 'Mine' }] } })
      await db.orm.document.update({ where: { id: 3 }, data: { title: 'beta doc' } })
      const foreign = { ...allowed, args: { ...allowed.args, where: { id: 1 } } }
      const denied = await transact(api, [allowed, foreign])
      expect(denied.status).toBeGreaterThanOrEqual(403)
      expect(denied.body.message).toMatch(/^Operation 1: /)
      expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({ title: 'beta doc' })
      const seen = { model: 'Document', op: 'count', args: { where: { projectId: 1 } } }
      expect(await transact(api, [seen])).toMatchObject({ status: 200, body: { data: [0] } })
    })
  },
  { fixture: 'tenants' },
)

describeDatabases(
  'RPC: transactions with hooks',
  (db) => {
    const recorded = recorder()
    const api = () => fixtureRpc(db, { ...ON, hooks: recorded.hooks } as never)
    beforeEach(async () => {
      await db.fill(fillWorkspace)
      recorded.clear()
    })
    const create = (text: string) => ({ model: 'Comment', op: 'create', args: { data: { text, documentId: 1 } } })

    it('calls before and after per operation, and afterCommit after the commit', async () => {
      expect(await transact(api(), [create('a'), create('b')])).toMatchObject({ status: 200 })
      expect(recorded.names()).toEqual([
        'Comment.create.before',
        'Comment.create.after',
        'Comment.create.before',
        'Comment.create.after',
        'Comment.create.afterCommit',
        'Comment.create.afterCommit',
      ])
    })

    it('does not call afterCommit after a rollback', async () => {
      const missing = { model: 'Comment', op: 'delete', args: { where: { id: 999 } } }
      expect(await transact(api(), [create('a'), missing])).toMatchObject({ status: 404 })
      expect(recorded.names()).not.toContain('Comment.create.afterCommit')
    })
  },
  { fixture: 'workspace' },
)

describe('transactions option', () => {
  it('throws unless it is a boolean', () => {
    expect(() => RPCApiHandler({ transactions: '/tx' as never })).toThrow('transactions must be true or false')
  })

  it('throws if a route has middleware, which a transaction would skip', () => {
    const guarded = {
      ...tagRpc,
      build(app: Parameters<typeof tagRpc.build>[0]) {
        app.hono.use((c) => Promise.resolve(c.text('no', 403)))
        tagRpc.build(app)
      },
    }
    const make = (transactions: boolean) => rpcHandler({ Tag: guarded }, { transactions }, { provider: 'sqlite' })
    expect(() => make(false)).not.toThrow()
    expect(() => make(true)).toThrow('The RPC routes of tag have middleware')
  })
})
