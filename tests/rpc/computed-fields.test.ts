import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { RpcApiOptions } from '../../fixtures/blog/expected/index.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { rpcClient } from './client.js'

const user = { email: 'a@example.com', password: 'long enough', name: 'Ann' }

/** A client with computed fields of users and posts, and a log of the computed values. */
function computing({ orm }: Database) {
  const calls: string[] = []
  const hint = { needs: { password: true }, compute: ({ password }: typeof user) => password.slice(0, 2) }
  const twice = { needs: { hint: true }, compute: ({ hint }: { hint: string }) => hint + hint }
  const loud = {
    needs: { name: true },
    compute: ({ name }: { name: string | null }) => {
      calls.push('loud')
      return (name ?? '').toUpperCase()
    },
  }
  const kind = { needs: {}, compute: () => 'a user' }
  const quiet = {
    needs: { email: true },
    compute: () => {
      throw new Error('This is never asked for.')
    },
  }
  const excerpt = { needs: { title: true }, compute: ({ title }: { title: string }) => title.slice(0, 1) }
  const client = orm
    .$extends({ result: { user: { hint, kind, quiet }, post: { excerpt } } })
    .$extends({ result: { user: { twice, loud } } })
  return { client, calls }
}

const EXPOSED = { computed: { User: ['loud', 'kind'], Post: ['excerpt'] } } satisfies RpcApiOptions

type Call = readonly [model: string, operation: string, args: object]

describeDatabases('RPC: computed fields of client extensions', (db) => {
  beforeEach(async () => {
    await db.reset()
    await db.orm.user.create({ data: { ...user, posts: { create: { slug: 's', title: 't' } } } })
  })

  const rpc = (options: RpcApiOptions = EXPOSED) => rpcClient(db, options, computing(db).client)

  const WHOLE: readonly Call[] = [
    ['user', 'findMany', {}],
    ['user', 'findMany', { include: { _count: true } }],
    ['user', 'findUnique', { where: { id: 1 }, include: { posts: { include: { author: true } } } }],
    ['post', 'findFirst', { select: { author: true } }],
    ['user', 'create', { data: { ...user, email: 'b@example.com' } }],
    ['user', 'update', { where: { id: 1 }, data: { name: 'Ann' } }],
    ['user', 'upsert', { where: { id: 1 }, create: { ...user, email: 'b@example.com' }, update: { name: 'Ann' } }],
    ['post', 'update', { where: { id: 1 }, data: { title: 'x' }, include: { author: true } }],
    ...(db.provider === 'mysql'
      ? []
      : ([
          ['user', 'createManyAndReturn', { data: [{ ...user, email: 'b@example.com' }] }],
          ['post', 'updateManyAndReturn', { where: { id: 1 }, data: { title: 'x' }, include: { author: true } }],
        ] as const)),
    ['user', 'delete', { where: { id: 2 } }],
  ]

  it.each(WHOLE)('%s.%s %j: returns only the exposed computed fields', async (model, operation, args) => {
    if (operation === 'delete') await db.orm.user.create({ data: { ...user, email: 'b@example.com' } })
    const { status, body } = await rpc().call(model, operation, args)
    expect(status, JSON.stringify(body)).toBeLessThan(300)
    expect(JSON.stringify(body)).toContain('"loud":"ANN"')
    expect(JSON.stringify(body)).toContain('"kind":"a user"')
    expect(JSON.stringify(body)).not.toMatch(/hint|twice|password|quiet/)
  })

  it.each(WHOLE)(
    '%s.%s %j: neither returns nor computes fields that are not exposed',
    async (model, operation, args) => {
      if (operation === 'delete') await db.orm.user.create({ data: { ...user, email: 'b@example.com' } })
      const { client, calls } = computing(db)
      const { status, body } = await rpcClient(db, {}, client).call(model, operation, args)
      expect(status, JSON.stringify(body)).toBeLessThan(300)
      expect(JSON.stringify(body)).toContain('"name":"Ann"')
      expect(JSON.stringify(body)).not.toMatch(/loud|kind|excerpt|hint|twice|password|quiet/)
      expect(calls).toEqual([])
    },
  )

  it('does not load the needs of fields that are not exposed', async () => {
    for (const args of [{}, { include: { posts: { include: { author: true } } } }]) {
      const queries = await db.queriesOf(() => rpc().result('user', 'findMany', args))
      expect(queries.join('\n')).not.toContain('password')
    }
  })

  const LOUD = { select: { loud: true } }
  it.each<readonly [...Call, result: unknown]>([
    ['user', 'findMany', LOUD, [{ loud: 'ANN' }]],
    ['user', 'findMany', { select: { loud: true, email: true } }, [{ loud: 'ANN', email: user.email }]],
    ['user', 'findFirst', { select: { loud: false, email: true } }, { email: user.email }],
    ['user', 'findUnique', { where: { id: 1 }, select: { kind: true } }, { kind: 'a user' }],
    ['user', 'findFirst', { select: { kind: true, loud: true } }, { kind: 'a user', loud: 'ANN' }],
    [
      'user',
      'findFirst',
      { select: { kind: true, posts: { select: { excerpt: true } } } },
      { kind: 'a user', posts: [{ excerpt: 't' }] },
    ],
    [
      'user',
      'findFirst',
      { select: { _count: { select: { posts: true } }, kind: true } },
      { _count: { posts: 1 }, kind: 'a user' },
    ],
    ['post', 'findFirst', { select: { author: { select: { kind: true } } } }, { author: { kind: 'a user' } }],
    ['post', 'findFirst', { select: { author: LOUD } }, { author: { loud: 'ANN' } }],
    ['user', 'create', { data: { ...user, email: 'b@x.yz' }, ...LOUD }, { loud: 'ANN' }],
    ['user', 'update', { where: { id: 1 }, data: { name: 'Bo' }, ...LOUD }, { loud: 'BO' }],
    [
      'user',
      'upsert',
      { where: { id: 1 }, create: user, update: { name: 'Cy' }, select: { kind: true } },
      { kind: 'a user' },
    ],
    [
      'post',
      'delete',
      { where: { id: 1 }, select: { excerpt: true, author: LOUD } },
      { excerpt: 't', author: { loud: 'ANN' } },
    ],
  ])('%s.%s %j: returns the selected computed fields', async (model, operation, args, result) => {
    expect(await rpc().result(model, operation, args)).toEqual(result)
  })

  it.skipIf(db.provider === 'mysql')(
    'returns selected computed fields from createManyAndReturn and updateManyAndReturn',
    async () => {
      const data = [{ ...user, email: 'b@x.yz' }]
      expect(await rpc().result('user', 'createManyAndReturn', { data, ...LOUD })).toEqual([{ loud: 'ANN' }])
      const change = { where: { id: 1 }, data: { title: 'new' }, select: { excerpt: true } }
      expect(await rpc().result('post', 'updateManyAndReturn', change)).toEqual([{ excerpt: 'n' }])
    },
  )

  it('omits computed fields by name, also in included rows', async () => {
    const include = { author: { omit: { kind: true } } }
    const [post] = [await rpc().result('post', 'findFirst', { include, omit: { excerpt: true } })]
    expect(post).toMatchObject({ title: 't', author: { loud: 'ANN' } })
    expect(post).not.toHaveProperty('excerpt')
    expect(post).not.toHaveProperty('author.kind')
    expect(await rpc().result('user', 'findFirst', { omit: { name: true } })).toMatchObject({ loud: 'ANN' })
    expect(await rpc().result('user', 'findFirst', { omit: { name: true } })).not.toHaveProperty('name')
  })

  it('queries only the columns that the selected field needs', async () => {
    const queries = await db.queriesOf(() => rpc().result('post', 'findMany', { select: { excerpt: true } }))
    expect(queries).toHaveLength(1)
    expect(queries[0]).toContain('title')
    expect(queries[0]).not.toMatch(/content|slug/)
  })

  it.each<Call>([
    ['user', 'findMany', { where: { loud: 'ANN' } }],
    ['user', 'findMany', { where: { OR: [{ loud: { contains: 'A' } }] } }],
    ['post', 'findMany', { where: { author: { loud: 'ANN' } } }],
    ['user', 'findUnique', { where: { id: 1, loud: 'ANN' } }],
    ['user', 'findMany', { orderBy: { loud: 'asc' } }],
    ['post', 'findMany', { orderBy: [{ author: { loud: 'asc' } }] }],
    ['user', 'findMany', { distinct: ['loud'] }],
    ['user', 'findMany', { cursor: { id: 1, loud: 'ANN' } }],
    ['user', 'findMany', { include: { loud: true } }],
    ['user', 'groupBy', { by: ['loud'] }],
    ['user', 'groupBy', { by: ['name'], having: { loud: 'ANN' } }],
    ['user', 'groupBy', { by: ['name'], orderBy: { loud: 'asc' } }],
    ['user', 'groupBy', { by: ['name'], _max: { loud: true } }],
    ['user', 'aggregate', { _count: { loud: true } }],
    ['user', 'count', { select: { loud: true } }],
  ])('%s.%s %j: rejects the computed field with 400', async (model, operation, args) => {
    const { status, body } = await rpc().call(model, operation, args)
    expect([status, body.code]).toEqual([400, undefined])
    expect(body.message).toContain('loud')
  })

  it('reports that an exposed computed field can only be selected', async () => {
    const { body } = await rpc().call('user', 'findMany', { where: { loud: 'ANN' } })
    expect(body).toMatchObject({
      message: 'where.loud is computed and can only be selected.',
      issues: [{ path: ['where', 'loud'] }],
    })
  })

  it.each([
    ['create', { data: { ...user, email: 'b@x.yz', loud: 'X' } }],
    ['update', { where: { id: 1 }, data: { loud: 'X' } }],
    ['updateMany', { where: { id: 1 }, data: { loud: 'X' } }],
    ['createMany', { data: [{ ...user, email: 'b@x.yz', loud: 'X' }] }],
  ])('%s %j: rejects a write of a computed field with 403', async (operation, args) => {
    const { status, body } = await rpc().call('user', operation, args)
    expect(status).toBe(403)
    expect(body.message).toMatch(/data(\.0)?\.loud is computed and cannot be written\./)
  })

  it.each(['select', 'omit', 'include'])(
    '%s: rejects a field that is not exposed like an unknown name, with 400',
    async (clause) => {
      const callWith = async (name: string) => {
        const { status, body } = await rpc().call('user', 'findMany', { [clause]: { [name]: true } })
        return JSON.stringify({ status, body }).replaceAll(name, '…')
      }
      expect(await callWith('hint')).toContain('"status":400')
      for (const name of ['hint', 'twice', 'quiet']) expect(await callWith(name)).toBe(await callWith('nope'))
    },
  )

  it('preserves the types of computed values', async () => {
    const { Decimal } = db.client.Prisma
    const value = {
      when: new Date(0),
      big: 9007199254740993n,
      price: new Decimal('1.50'),
      bytes: new Uint8Array([0, 255]),
      tree: { deep: [new Date(1), { n: 1n }] },
      none: null,
    }
    const values = { needs: { id: true }, compute: () => value } as const
    const client = db.orm.$extends({
      result: { user: { values, missing: { needs: { id: true }, compute: () => undefined } } },
    })
    const caller = rpcClient(db, { computed: { User: ['values', 'missing'] } }, client)
    const row = await caller.result('user', 'findFirst', { select: { values: true, missing: true } })
    expect(row).toEqual({ values: value, missing: undefined })
    const { body } = await caller.call('user', 'findFirst', { select: { missing: true } })
    expect(body.data).toEqual({ missing: null })
  })

  describe('with the name of a schema field', () => {
    const client = () => {
      const name = { needs: { name: true }, compute: ({ name }: { name: string | null }) => `${name}!` }
      const role = { needs: { password: true }, compute: ({ password }: typeof user) => password }
      return db.orm.$extends({ result: { user: { name, role } } })
    }

    it.each([{}, { select: { name: true, role: true } }, { select: { role: true } }])(
      '%j: replaces the field, or omits it if it needs a write-only field',
      async (args) => {
        const { status, body } = await rpcClient(db, {}, client()).call('user', 'findFirst', args)
        expect(status).toBe(200)
        expect(JSON.stringify(body)).not.toMatch(/long enough|password|role/)
        if (!('select' in args) || args.select.name) expect(body.data).toMatchObject({ name: 'Ann!' })
      },
    )
  })

  it('omits a computed field with the name of a write-only field', async () => {
    const client = db.orm.$extends({ result: { user: { password: { needs: {}, compute: () => 'masked' } } } })
    const { body } = await rpcClient(db, {}, client).call('user', 'findFirst')
    expect(JSON.stringify(body)).not.toMatch(/password|masked/)
    expect((await rpcClient(db, {}, client).call('user', 'findFirst', { select: { password: true } })).status).toBe(400)
  })

  describe('invalid computed option', () => {
    let lines: string[]
    beforeEach(() => {
      lines = []
      vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void lines.push(args.map(String).join(' ')))
    })
    afterEach(() => void vi.restoreAllMocks())

    it.each<[name: string, line: string]>([
      ['hint', 'computed.User: "hint" cannot be exposed, because it needs "password", which is write-only.'],
      ['twice', 'computed.User: "twice" cannot be exposed, because it needs "password", which is write-only.'],
      [
        'nope',
        'computed.User: "nope" is not a computed field of the client. Computed fields of User: hint, kind, quiet, twice, loud.',
      ],
    ])('%s: responds with 500 and logs the reason', async (name, line) => {
      const caller = rpc({ computed: { User: [name] } })
      for (const model of ['user', 'post', 'user']) {
        lines = []
        const { status, body } = await caller.call(model, 'findMany')
        expect(status).toBe(500)
        expect(JSON.stringify(body)).not.toMatch(/hint|twice|nope|password/)
        expect(lines.join()).toContain(line)
      }
      const orm = computing(db).client
      const named = db.routes.exposeComputed(orm, { User: [name as 'hint'] })
      expect(() => db.routes.RPCApiHandler({ computed: named })).toThrow(line)
    })

    it('responds with 500 if the client has no extensions', async () => {
      expect((await rpcClient(db, EXPOSED).call('post', 'findMany')).status).toBe(500)
      expect(lines.join()).toContain(
        'computed.Post: "excerpt" is not a computed field of the client. Computed fields of Post: none.',
      )
      expect((await rpcClient(db, EXPOSED).call('post', 'findMany')).status).toBe(500)
    })
  })

  it('returns the fields that exposeComputed names', async () => {
    const { client } = computing(db)
    const computed = db.routes.exposeComputed(client, { User: ['loud'], Post: ['excerpt'] })
    const caller = rpcClient(db, { computed }, client)
    expect(await caller.result('user', 'findFirst', LOUD)).toEqual({ loud: 'ANN' })
  })

  it.each<[options: object, message: string]>([
    [
      { Nope: ['loud'] },
      'computed names "Nope", which is not a model. Models: Category, Comment, Post, Profile, Tag, User.',
    ],
    [{ user: ['loud'] }, 'computed names "user", which is not a model.'],
    [{ User: 'loud' }, 'computed.User must be a list of names, such as ["excerpt"].'],
    [{ User: ['name'] }, 'computed.User: "name" is already a field of User in the schema.'],
    [{ User: ['password'] }, 'computed.User: "password" is already a field of User in the schema.'],
    [{ User: ['posts'] }, 'computed.User: "posts" is already a relation of User in the schema.'],
    [{ User: ['id'] }, 'computed.User: "id"'],
    [{ User: ['_count'] }, 'computed.User: "_count"'],
    [{ User: ['a.b'] }, 'computed.User: "a.b" is not a valid field name.'],
    [{ User: [1] }, 'computed.User: 1 is not a valid field name.'],
  ])('%j: throws when the handler is created', (computed, message) => {
    expect(() => db.routes.RPCApiHandler({ computed } as RpcApiOptions)).toThrow(message)
  })

  it('accepts a model without names and duplicate names', async () => {
    const computed = { Post: [], User: ['loud', 'loud'] }
    expect(await rpc({ computed }).result('user', 'findMany', LOUD)).toEqual([{ loud: 'ANN' }])
  })
})
