import { PrismaPg } from '@prisma/adapter-pg'
import { HTTPException } from 'hono/http-exception'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'

import type { Orm } from '../../fixtures/blog/expected/index.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type Answer, type RpcClient, rpcClient } from './client.js'

const LEAKS =
  /node_modules|invocation|\.ts\b|SELECT|INSERT|UPDATE|DELETE|`|_key|_pkey|fkey|prisma\.|at \w+ \(|main\.|SQLITE|password/

/** An error body of contract 7.4, the same again as `error`, and nothing that a caller should not see. */
function expectError({ status, body: whole, headers }: Answer, expected: { status: number; code?: string }): void {
  const { error, ...body } = whole
  const rejectReason = body.reason === 'RESULT_NOT_READABLE' ? 'cannot-read-back' : 'no-access'
  expect(error).toEqual({ status, ...body, ...(body.rejectedByPolicy && { rejectReason }) })
  expect([status, body.code], body.message).toEqual([expected.status, expected.code])
  expect(
    Object.keys(body).filter(
      (key) => !['orm', 'rejectedByPolicy', 'code', 'message', 'reason', 'issues'].includes(key),
    ),
  ).toEqual([])
  expect(body.message).toBeTypeOf('string')
  expect(body.message).not.toMatch(LEAKS)
  if (body.code !== undefined) expect(body.orm).toBe(true)
  expect(headers.get('content-type')).toBe('application/json')
}

const post = { slug: 'new', title: 'New' }

describeDatabases('RPC: errors', (db) => {
  let api: RpcClient
  let logged: MockInstance<typeof console.error>

  beforeEach(async () => {
    logged = vi.spyOn(console, 'error').mockReturnValue()
    await db.fill(seedBlog)
    api = rpcClient(db)
  })
  afterEach(() => logged.mockRestore())

  describe('what exists already is 409, with the fields', () => {
    it.each([
      ['create', 'post', 'create', { data: { ...post, slug: 'hello-world' } }, 'slug'],
      ['an id', 'tag', 'create', { data: { name: 'orm' } }, 'name'],
      ['a compound id', 'comment', 'create', { data: { postId: 1, seq: 1, body: 'x' } }, 'postId and seq'],
      ['a nested create', 'post', 'create', { data: { ...post, category: { create: { name: 'Databases' } } } }, 'name'],
      ['an update', 'post', 'update', { where: { id: 2 }, data: { slug: 'hello-world' } }, 'slug'],
      ['many', 'post', 'createMany', { data: [post, { ...post, slug: 'hello-world' }] }, 'slug'],
    ])('%s', async (_what, model, operation, args, fields) => {
      if (model === 'tag') await db.orm.tag.upsert({ where: { name: 'orm' }, create: { name: 'orm' }, update: {} })
      const before = await db.orm.post.count()
      const answer = await api.call(model, operation, args)
      expectError(answer, { status: 409, code: 'P2002' })
      expect(answer.body.message).toBe(`A record with the same ${fields} exists already.`)
      expect(await db.orm.post.count()).toBe(before)
    })
  })

  describe('what does not exist is 404', () => {
    it.each([
      ['update', 'post', 'update', { where: { id: 9999 }, data: {} }],
      ['delete', 'post', 'delete', { where: { id: 9999 } }],
      ['findUniqueOrThrow', 'post', 'findUniqueOrThrow', { where: { id: 9999 } }],
      ['findFirstOrThrow', 'post', 'findFirstOrThrow', { where: { id: 9999 } }],
      ['connect to one', 'post', 'create', { data: { ...post, author: { connect: { id: 9999 } } } }],
      ['connect to many', 'post', 'create', { data: { ...post, tags: { connect: [{ name: 'no such tag' }] } } }],
      [
        'nested update',
        'post',
        'update',
        {
          where: { id: 1 },
          data: { comments: { update: { where: { postId_seq: { postId: 1, seq: 999 } }, data: { body: 'x' } } } },
        },
      ],
      [
        'nested delete',
        'post',
        'update',
        { where: { id: 1 }, data: { comments: { delete: { postId_seq: { postId: 2, seq: 1 } } } } },
      ],
    ])('%s', async (_what, model, operation, args) => {
      const answer = await api.call(model, operation, args)
      expect(answer.status, answer.body.message).toBe(404)
      expectError(answer, { status: 404, ...(answer.body.code !== undefined && { code: answer.body.code }) })
      expect(await db.orm.post.count({ where: { slug: 'new' } })).toBe(0)
    })

    it('but null where a unique read finds nothing', async () => {
      const { status, body } = await api.call('post', 'findUnique', { where: { id: 9999 } })
      expect([status, body]).toEqual([200, { data: null }])
    })
  })

  describe('what related records do not allow is 409', () => {
    it.each([
      ['a foreign key to nothing', 'post', 'create', { data: { ...post, authorId: 9999 } }],
      ['a parent that is still needed', 'category', 'delete', { where: { name: 'Cooking' } }],
    ])('%s', async (_what, model, operation, args) => {
      expectError(await api.call(model, operation, args), { status: 409, code: 'P2003' })
    })
  })

  it.runIf(db.provider !== 'mysql')('a search says which preview feature it needs', async () => {
    const answer = await api.call('post', 'findMany', { where: { title: { search: 'x' } } })
    expectError(answer, { status: 400 })
    expect(answer.body.message).toContain('"fullTextSearchPostgres"')
  })

  it('arguments that only the client can refuse are 400', async () => {
    const answer = await api.call('post', 'groupBy', { by: ['status'], orderBy: { title: 'asc' } })
    expectError(answer, { status: 400, code: 'P2019' })
    expect(answer.body.orm).toBe(true)
  })

  it('arguments of both spellings of a row are 400', async () => {
    const data = { ...post, authorId: 1, category: { connect: { id: 1 } } }
    expectError(await api.call('post', 'create', { data }), { status: 400 })
  })

  describe('what a client extension or getOrm throws', () => {
    function throwing(error: unknown): RpcClient {
      const fail = async (): Promise<never> => {
        throw error
      }
      const orm = db.orm.$extends({ query: { $allOperations: fail } })
      return rpcClient(db, {}, orm)
    }

    function known(code: string, meta?: Record<string, unknown>): Error {
      const { PrismaClientKnownRequestError } = db.client.Prisma
      return new PrismaClientKnownRequestError('SELECT /secret/path', {
        code,
        clientVersion: '7',
        ...(meta && { meta }),
      })
    }

    it("a policy's denial is 403", async () => {
      const answer = await throwing(known('P2004', { reason: 'ACCESS_POLICY_VIOLATION' })).call('post', 'findMany', {})
      expectError(answer, { status: 403, code: 'P2004' })
      expect(answer.body).toMatchObject({ orm: true, rejectedByPolicy: true, reason: 'ACCESS_POLICY_VIOLATION' })
    })

    it('a result that may not be read back is 403, and says so', async () => {
      const answer = await throwing(known('P2004', { reason: 'RESULT_NOT_READABLE' })).call('post', 'create', {
        data: post,
      })
      expect([answer.status, answer.body.reason]).toEqual([403, 'RESULT_NOT_READABLE'])
    })

    it.each(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037'])('%s is 503, and logged', async (code) => {
      const answer = await throwing(known(code)).call('post', 'findMany', {})
      expectError(answer, { status: 503, code })
      expect(logged).toHaveBeenCalledOnce()
    })

    it('a refused connection is 503', async () => {
      const error = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
      const answer = await throwing(error).call('post', 'findMany', {})
      expectError(answer, { status: 503 })
      expect(answer.body.message).not.toContain('10.0.0.7')
    })

    it('anything unforeseen is 500, with an id that is also in the log', async () => {
      const error = new TypeError('undefined is not a function at /srv/secret.ts')
      const answer = await throwing(error).call('post', 'findMany', {})
      expectError(answer, { status: 500 })
      const [, id] = /Error id: ([\w-]+)\.$/.exec(answer.body.message ?? '') ?? []
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(id ?? '?'), error)
      expect(answer.body.orm).toBeUndefined()
    })

    // The guards let no argument through that a client could not represent: these are faults of the app or the database.
    it.each([
      ['a RangeError', new RangeError('Received integer which cannot be safely represented')],
      ['an AssertionError', Object.assign(new Error('Invalid value for skip argument'), { name: 'AssertionError' })],
    ])('%s of the client is 500, and logged', async (_what, error) => {
      expectError(await throwing(error).call('post', 'findMany', {}), { status: 500 })
      expect(logged).toHaveBeenCalledWith(expect.stringContaining('[routewright] error'), error)
    })

    it.each([
      [401, 401],
      [403, 403],
      [418, 500],
    ] as const)('an HTTPException of %i is %i', async (thrown, answered) => {
      const error = new HTTPException(thrown, { message: 'Who are you?' })
      expect((await throwing(error).call('post', 'findMany', {})).status).toBe(answered)
    })

    it.each([
      ['a string', 'boom'],
      ['undefined', undefined],
      ['null', null],
    ])('%s is 500', async (_what, error) => {
      expect((await throwing(error).call('post', 'findMany', {})).status).toBe(500)
    })
  })
})

describeDatabases(
  'RPC: errors of Postgres',
  (db) => {
    it('a server that does not answer is 503', async () => {
      const log = vi.spyOn(console, 'error').mockReturnValue()
      const adapter = new PrismaPg({ connectionString: 'postgresql://nobody@127.0.0.1:1/nothing' })
      const orm = new db.client.PrismaClient({ adapter })
      const answer = await rpcClient(db, {}, orm satisfies Orm).call('post', 'findMany', {})
      expect([answer.status, answer.body.message]).toEqual([503, expect.not.stringContaining('127.0.0.1')])
      log.mockRestore()
    })
  },
  { only: ['postgresql'] },
)
