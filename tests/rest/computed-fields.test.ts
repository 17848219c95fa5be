import { beforeEach, describe, expect, it } from 'vitest'

import { RestApiHandler, RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import { rpcClient } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { restClient, type RestApiOptions } from './support/client.js'

const EXPOSED = { User: ['loud'], Post: ['excerpt'] } satisfies RestApiOptions['computed']
const endpoint = 'https://example.org'

/** A client with computed fields of users and posts. */
const computing = ({ orm }: Database) =>
  orm.$extends({
    result: {
      user: {
        hint: { needs: { password: true }, compute: ({ password }) => password.slice(0, 2) },
        loud: { needs: { name: true }, compute: ({ name }) => name?.toUpperCase() },
      },
      post: { excerpt: { needs: { title: true }, compute: ({ title }) => title.slice(0, 2) } },
    },
  })

describeDatabases('computed fields of client extensions', (db) => {
  beforeEach(async () => void (await db.fill(fillBlog)))

  const rest = (options: Partial<RestApiOptions> = { computed: EXPOSED }) => restClient(db, options, computing(db))

  it('serializes each value according to its type', async () => {
    const { Decimal } = db.client.Prisma
    const values: Readonly<Record<string, readonly [value: unknown, json: unknown, types?: object]>> = {
      text: ['a"b', 'a"b'],
      number: [1.5, 1.5],
      notANumber: [NaN, null],
      yes: [true, true],
      none: [null, null],
      absent: [undefined, null],
      method: [() => 1, null],
      date: [new Date(0), '1970-01-01T00:00:00.000Z', { '': ['Date'] }],
      noDate: [new Date(NaN), null],
      big: [9007199254740993n, '9007199254740993', { '': ['bigint'] }],
      price: [new Decimal('1.50'), '1.5', { '': [['custom', 'Decimal']] }],
      bytes: [new Uint8Array([0, 255]), 'AP8=', { '': [['custom', 'Bytes']] }],
      list: [[1, undefined, new Date(0)], [1, null, '1970-01-01T00:00:00.000Z'], { '.2': ['Date'] }],
      tree: [{ 'a.b': { n: 1n }, left: undefined }, { 'a.b': { n: '1' } }, { '.a\\.b.n': ['bigint'] }],
      url: [new URL('https://example.org/x'), 'https://example.org/x'],
    }
    const entries = Object.entries(values)
    const fields = entries.map(([name, [value]]) => [name, { needs: {}, compute: () => value }])
    const orm = db.orm.$extends({ result: { tag: Object.fromEntries(fields) } })
    const computed = { Tag: Object.keys(values) }
    const { one, body } = await restClient(db, { computed }, orm).get('/tag/tips')
    expect(one.attributes).toMatchObject(Object.fromEntries(entries.map(([name, [, json]]) => [name, json])))
    const notes = entries.flatMap(([name, [, , types = {}]]) =>
      Object.entries(types).map(([below, type]) => [`data.attributes.${name}${below}`, type]),
    )
    expect(body.meta?.serialization?.values).toEqual(Object.fromEntries(notes))

    const restored = ['absent', 'none', 'date', 'big', 'price', 'bytes', 'tree']
    const select = Object.fromEntries(restored.map((name) => [name, true]))
    const row = await rpcClient(db, { computed }, orm).result('tag', 'findFirst', { select })
    expect(row).toEqual(Object.fromEntries(restored.map((name) => [name, values[name]?.[0]])))
    const absent = await rpcClient(db, { computed }, orm).call('tag', 'findFirst', { select: { absent: true } })
    expect(absent.body.data).toEqual({ absent: null })
  })

  it('accepts the result of exposeComputed', async () => {
    const computed = db.routes.exposeComputed(computing(db), { User: ['loud'], Post: ['excerpt'] })
    const { one } = await rest({ computed }).get('/post/1?fields[post]=excerpt')
    expect(one.attributes).toEqual({ excerpt: 'On' })
    const rpc = rpcClient(db, { computed }, computing(db))
    expect(await rpc.result('user', 'findFirst', { select: { loud: true } })).toEqual({ loud: 'ANN' })
  })

  it.each([
    ['hint', 'computed.User: "hint" cannot be exposed, because it needs "password", which is write-only.'],
    ['nope', 'computed.User: "nope" is not a computed field of the client. Computed fields of User: hint, loud.'],
  ])('%s: throws if exposeComputed names it', (name, message) => {
    const computed = db.routes.exposeComputed(computing(db), { User: [name as 'hint'] })
    expect(() => db.routes.RestApiHandler({ endpoint, computed })).toThrow(message)
    expect(() => db.routes.RPCApiHandler({ computed })).toThrow(message)
  })
})

describe('computed option', () => {
  it.each<[computed: object, message: string]>([
    [{ Nope: ['loud'] }, 'names "Nope", which is not a model. Models: Category, Comment, Post, Profile, Tag, User.'],
    [{ user: ['loud'] }, 'names "user", which is not a model.'],
    [{ User: 'loud' }, '.User must be a list of names, such as ["excerpt"].'],
    [{ User: ['name'] }, '.User: "name" is already a field of User in the schema.'],
    [{ User: ['password'] }, '.User: "password" is already a field of User in the schema.'],
    [{ User: ['posts'] }, '.User: "posts" is already a relation of User in the schema.'],
    [{ Tag: ['id'] }, '.Tag: "id"'],
    [{ User: ['_count'] }, '.User: "_count"'],
    ...['a,b', 'a.b', 1].map((name): [object, string] => [
      { User: [name] },
      `.User: ${JSON.stringify(name)} is not a valid field name.`,
    ]),
  ])('%j: throws when the handler is created', (computed, message) => {
    const options = { endpoint, computed } as RestApiOptions
    expect(() => RestApiHandler(options)).toThrow(`computed${message.startsWith('.') ? message : ` ${message}`}`)
    expect(() => RPCApiHandler({ computed })).toThrow(message)
  })

  it.each(['type', 'end_'])('%s: throws in strict mode, because the member name is reserved', (name) => {
    const options = { endpoint, computed: { Post: [name] }, strict: true }
    expect(() => RestApiHandler(options)).toThrow(`strict: "${name}" in computed.Post is already in use`)
    expect(() => RestApiHandler({ ...options, computed: { Post: ['excerpt'] } })).not.toThrow()
  })
})
