import { PrismaPg } from '@prisma/adapter-pg'
import { HTTPException } from 'hono/http-exception'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'

import type { Orm } from '../../fixtures/blog/expected/index.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type TestResponse, type RpcClient, rpcClient } from './client.js'

const LEAKS =
  /node_modules|invocation|\.ts\b|SELECT|INSERT|UPDATE|DELETE|`|_key|_pkey|fkey|prisma\.|at \w+ \(|main\.|SQLITE|password/

/** Expects an error body of contract 7.4, repeated as `error`, without details that callers must not see. */
function expectError(
  { status, body: whole, headers }: TestResponse,
  expected: { status: number; code?: string },
): void {
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

  describe('duplicate unique value', () => {
    it.each([
      ['create', 'post', 'create', { data: { ...post, slug: 'hello-world' } }, 'slug'],
      ['an id', 'tag', 'create', { data: { name: 'orm' } }, 'name'],
      ['a compound id', 'comment', 'create', { data: { postId: 1, seq: 1, body: 'x' } }, 'postId and seq'],
      ['a nested create', 'post', 'create', { data: { ...post, category: { create: { name: 'Databases' } } } }, 'name'],
      ['an update', 'post', 'update', { where: { id: 2 }, data: { slug: 'hello-world' } }, 'slug'],
      ['createMany', 'post', 'createMany', { data: [post, { ...post, slug: 'hello-world' }] }, 'slug'],
    ])('%s: rejects with 409 and names the fields', async (_what, model, operation, args, fields) => {
      if (model === 'tag') await db.orm.tag.upsert({ where: { name: 'orm' }, create: { name: 'orm' }, update: {} })
      const before = await db.orm.post.count()
      const response = await api.call(model, operation, args)
      expectError(response, { status: 409, code: 'P2002' })
      expect(response.body.message).toBe(`A record with the same ${fields} already exists.`)
      expect(await db.orm.post.count()).toBe(before)
    })
  })

  describe('missing row', () => {
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
    ])('%s: rejects with 404', async (_what, model, operation, args) => {
      const response = await api.call(model, operation, args)
      expect(response.status, response.body.message).toBe(404)
      expectError(response, { status: 404, ...(response.body.code !== undefined && { code: response.body.code }) })
      expect(await db.orm.post.count({ where: { slug: 'new' } })).toBe(0)
    })

    it('findUnique: returns null with 200', async () => {
      const { status, body } = await api.call('post', 'findUnique', { where: { id: 9999 } })
      expect([status, body]).toEqual([200, { data: null }])
    })
  })

  describe('foreign key violation', () => {
    it.each([
      ['create with a foreign key to a missing row', 'post', 'create', { data: { ...post, authorId: 9999 } }],
      ['delete of a referenced row', 'category', 'delete', { where: { name: 'Cooking' } }],
    ])('%s: rejects with 409', async (_what, model, operation, args) => {
      expectError(await api.call(model, operation, args), { status: 409, code: 'P2003' })
    })
  })

  it.runIf(db.provider !== 'mysql')('rejects search with 400 and names the preview feature it needs', async () => {
    const response = await api.call('post', 'findMany', { where: { title: { search: 'x' } } })
    expectError(response, { status: 400 })
    expect(response.body.message).toContain('"fullTextSearchPostgres"')
  })

  it('rejects arguments that only the client validates with 400', async () => {
    const response = await api.call('post', 'groupBy', { by: ['status'], orderBy: { title: 'asc' } })
    expectError(response, { status: 400, code: 'P2019' })
    expect(response.body.orm).toBe(true)
  })

  it('rejects a foreign key mixed with a nested relation write with 400', async () => {
    const data = { ...post, authorId: 1, category: { connect: { id: 1 } } }
    expectError(await api.call('post', 'create', { data }), { status: 400 })
  })

  describe('error thrown by a client extension', () => {
    function throwing(error: unknown): RpcClient {
      const fail = async (): Promise<never> => {
        throw error
      }
      const orm = db.orm.$extends({ query: { $allOperations: fail } })
      return rpcClient(db, {}, orm)
    }

    function prismaError(code: string, meta?: Record<string, unknown>): Error {
      const { PrismaClientKnownRequestError } = db.client.Prisma
      return new PrismaClientKnownRequestError('SELECT /secret/path', {
        code,
        clientVersion: '7',
        ...(meta && { meta }),
      })
    }

    it('responds to a policy denial with 403', async () => {
      const response = await throwing(prismaError('P2004', { reason: 'ACCESS_POLICY_VIOLATION' })).call(
        'post',
        'findMany',
        {},
      )
      expectError(response, { status: 403, code: 'P2004' })
      expect(response.body).toMatchObject({ orm: true, rejectedByPolicy: true, reason: 'ACCESS_POLICY_VIOLATION' })
    })

    it('responds with 403 and RESULT_NOT_READABLE if the result is unreadable', async () => {
      const response = await throwing(prismaError('P2004', { reason: 'RESULT_NOT_READABLE' })).call('post', 'create', {
        data: post,
      })
      expect([response.status, response.body.reason]).toEqual([403, 'RESULT_NOT_READABLE'])
    })

    it.each(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037'])(
      '%s: responds with 503 and logs the error',
      async (code) => {
        const response = await throwing(prismaError(code)).call('post', 'findMany', {})
        expectError(response, { status: 503, code })
        expect(logged).toHaveBeenCalledOnce()
      },
    )

    it('responds to a refused connection with 503', async () => {
      const error = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
      const response = await throwing(error).call('post', 'findMany', {})
      expectError(response, { status: 503 })
      expect(response.body.message).not.toContain('10.0.0.7')
    })

    it('responds to an unknown error with 500 and logs its error id', async () => {
      const error = new TypeError('undefined is not a function at /srv/secret.ts')
      const response = await throwing(error).call('post', 'findMany', {})
      expectError(response, { status: 500 })
      const [, id] = /Error id: ([\w-]+)\.$/.exec(response.body.message ?? '') ?? []
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(id ?? '?'), error)
      expect(response.body.orm).toBeUndefined()
    })

    // The routes reject arguments that a client could not represent, so these errors come from the app or the database.
    it.each([
      ['a RangeError', new RangeError('Received integer which cannot be safely represented')],
      ['an AssertionError', Object.assign(new Error('Invalid value for skip argument'), { name: 'AssertionError' })],
    ])('%s: responds with 500 and logs the error', async (_what, error) => {
      expectError(await throwing(error).call('post', 'findMany', {}), { status: 500 })
      expect(logged).toHaveBeenCalledWith(expect.stringContaining('[routewright] error'), error)
    })

    it.each([
      [401, 401],
      [403, 403],
      [418, 500],
    ] as const)('HTTPException %i: responds with %i', async (thrown, status) => {
      const error = new HTTPException(thrown, { message: 'Who are you?' })
      expect((await throwing(error).call('post', 'findMany', {})).status).toBe(status)
    })

    it.each([
      ['a string', 'boom'],
      ['undefined', undefined],
      ['null', null],
    ])('%s: responds with 500', async (_what, error) => {
      expect((await throwing(error).call('post', 'findMany', {})).status).toBe(500)
    })
  })
})

describeDatabases(
  'RPC: PostgreSQL errors',
  (db) => {
    it('responds with 503 if the server is unreachable', async () => {
      const log = vi.spyOn(console, 'error').mockReturnValue()
      const adapter = new PrismaPg({ connectionString: 'postgresql://nobody@127.0.0.1:1/nothing' })
      const orm = new db.client.PrismaClient({ adapter })
      const response = await rpcClient(db, {}, orm satisfies Orm).call('post', 'findMany', {})
      expect([response.status, response.body.message]).toEqual([503, expect.not.stringContaining('127.0.0.1')])
      log.mockRestore()
    })
  },
  { only: ['postgresql'] },
)
