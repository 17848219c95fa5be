import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { RestApiOptions } from '../../fixtures/blog/expected/index.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { ANN, fillBlog } from './support/blog.js'
import { restClient } from './support/client.js'

/** A client with computed fields of users and posts. */
function computing({ orm }: Database) {
  return orm.$extends({
    result: {
      user: {
        hint: { needs: { password: true }, compute: ({ password }) => password.slice(0, 2) },
        loud: { needs: { name: true }, compute: ({ name }) => name?.toUpperCase() },
        kind: { needs: {}, compute: () => 'a user' },
        quiet: {
          needs: { email: true },
          compute: (): string => {
            throw new Error('This is never asked for.')
          },
        },
      },
      post: {
        excerpt: { needs: { title: true }, compute: ({ title }) => title.slice(0, 2) },
        quiet: {
          needs: { title: true },
          compute: (): string => {
            throw new Error('This is never asked for.')
          },
        },
      },
    },
  })
}

const EXPOSED = { User: ['loud', 'kind'], Post: ['excerpt'] } satisfies RestApiOptions['computed']

describeDatabases('REST: computed fields of client extensions', (db) => {
  beforeEach(async () => void (await db.fill(fillBlog)))

  const rest = (options: Partial<RestApiOptions> = { computed: EXPOSED }) => restClient(db, options, computing(db))

  it('returns computed attributes after those of the schema', async () => {
    const { one } = await rest().get(`/user/${ANN}`)
    expect(one.attributes).toMatchObject({ name: 'Ann', loud: 'ANN', kind: 'a user' })
    expect(Object.keys(one.attributes ?? {}).slice(-2)).toEqual(['loud', 'kind'])
    const { many } = await rest().get('/post?page[limit]=2')
    expect(many.map(({ attributes }) => attributes?.['excerpt'])).toEqual(['On', 'Tw'])
  })

  it('omits computed fields that are not exposed', async () => {
    for (const options of [{}, { computed: {} }, { computed: { User: [] } }, { computed: EXPOSED }]) {
      const { text } = await rest(options).get('/post?include=author,comments.author')
      expect(text).not.toMatch(/hint|quiet/)
      if (options.computed !== EXPOSED) expect(text).not.toMatch(/loud|kind|excerpt/)
    }
  })

  it('does not load the dependencies of computed fields that are not exposed', async () => {
    for (const path of [
      '/user',
      '/user/1',
      '/post/1/author',
      '/post?include=author,comments.author',
      '/user/1?include=posts.author',
    ]) {
      const queries = await db.queriesOf(() => rest().get(path))
      expect(queries.join('\n')).not.toContain('password')
    }
  })

  it('includes only exposed computed fields in custom route responses', async () => {
    const routes = db.routes.defineRestRoutes((app, api) => {
      app.get('/post/:id/again', async (c) => {
        const orm = await api.orm(c)
        return api.reply(c, 'Post', await orm.post.findUniqueOrThrow({ where: api.id(c, 'Post') }))
      })
    })
    const { status, one } = await rest({ computed: EXPOSED, routes }).get('/post/1/again')
    expect([status, one]).toEqual([200, (await rest().get('/post/1')).one])
    expect(one.attributes).toHaveProperty('excerpt', 'On')
  })

  it('replaces a field of the same name, but omits one that needs a write-only field', async () => {
    const name = { needs: { name: true }, compute: ({ name }: { name: string | null }) => `${name}!` }
    const role = { needs: { password: true }, compute: ({ password }: { password: string }) => password }
    const orm = db.orm.$extends({ result: { user: { name, role } } })
    for (const path of ['/user/1', '/user/1?fields[user]=name,role', '/post/1/author', '/user?include=posts.author']) {
      const { status, text } = await restClient(db, {}, orm).get(path)
      expect([status, text.includes('"name":"Ann!"'), text.includes('"role":')]).toEqual([200, true, false])
    }
  })

  it('returns computed fields in included and related resources', async () => {
    const { one, body } = await rest().get('/post/1?include=author,comments.author')
    expect(one.attributes).toHaveProperty('excerpt', 'On')
    const users = body.included?.filter(({ type }) => type === 'user').map(({ attributes }) => attributes?.['loud'])
    expect(users?.sort()).toEqual(['ANN', 'BEN', null])
    expect((await rest().get('/post/1/author')).one.attributes).toMatchObject({ loud: 'ANN', kind: 'a user' })
    expect((await rest().get('/user/1/posts')).many.map(({ attributes }) => attributes?.['excerpt'])).toEqual([
      'On',
      'Tw',
      'Th',
    ])
    expect((await rest().get('/tag/news/posts')).many[0]?.attributes).toHaveProperty('excerpt', 'On')
    const linked = await rest().get('/post/1/relationships/author?include=author')
    expect(linked.body.included?.[0]?.attributes).toHaveProperty('loud', 'ANN')
  })

  it('returns computed fields in responses to writes', async () => {
    await db.reset()
    await fillBlog(db)
    const post = (attributes: object) => ({ data: { type: 'post', attributes } })
    const created = await rest().post('/post', post({ slug: 'six', title: 'Six' }))
    expect([created.status, created.one.attributes?.['excerpt']]).toEqual([201, 'Si'])
    const updated = await rest().patch('/post/1?fields[post]=excerpt', {
      data: { type: 'post', id: '1', attributes: { title: 'New' } },
    })
    expect(updated.one.attributes).toEqual({ excerpt: 'Ne' })
    const upserted = await rest().post('/post', {
      ...post({ slug: 'six', title: 'VI' }),
      meta: { operation: 'upsert', matchFields: ['slug'] },
    })
    expect([upserted.status, upserted.one.attributes?.['excerpt']]).toEqual([200, 'VI'])
  })

  describe('sparse fieldsets', () => {
    it.each([
      ['/post/1?fields[post]=excerpt', { excerpt: 'On' }],
      ['/post/1?fields[post]=title,excerpt', { title: 'One', excerpt: 'On' }],
      ['/post/1?fields[post]=title', { title: 'One' }],
      ['/user/1?fields[user]=kind', { kind: 'a user' }],
      ['/user/3?fields[user]=loud', { loud: null }],
      ['/post/1/author?fields[user]=loud', { loud: 'ANN' }],
    ])('%s: returns only the requested attributes', async (path, attributes) => {
      expect((await rest().get(path)).one.attributes).toEqual(attributes)
    })

    it('selects computed fields of included resources', async () => {
      const { body } = await rest().get(
        '/post/1?include=author,tags.posts&fields[user]=loud&fields[post]=excerpt,author',
      )
      expect(body.included?.find(({ type }) => type === 'user')?.attributes).toEqual({ loud: 'ANN' })
      expect(body.included?.find(({ type }) => type === 'post')?.attributes).toEqual({ excerpt: 'Tw' })
    })

    it('loads only the dependencies of the requested computed fields', async () => {
      const [named, ...more] = await db.queriesOf(() => rest().get('/post/1?fields[post]=excerpt'))
      expect(more).toEqual([])
      expect(named).toContain('title')
      expect(named).not.toMatch(/content|slug/)
      const [without] = await db.queriesOf(() => rest().get('/post/1?fields[post]=slug'))
      expect(without).not.toContain('title')
    })

    it.each(['hint', 'quiet'])('%s: rejects a computed field that is not exposed as unknown with 400', async (name) => {
      const { status, text } = await rest().get(`/user?fields[user]=${name}`)
      const unknown = await rest().get('/user?fields[user]=nope')
      expect([status, text]).toEqual([400, unknown.text.replaceAll('nope', name)])
    })
  })

  it.each([
    ['/user?filter[loud]=ANN', '"loud" is computed and cannot be used in filters.'],
    ['/user?filter[loud$contains]=A', '"loud" is computed and cannot be used in filters.'],
    ['/post?filter[author][loud]=ANN', '"loud" is computed and cannot be used in filters.'],
    ['/user?sort=loud', 'Resources cannot be sorted by "loud", because it is computed.'],
    ['/post?sort=-author.loud', 'Resources cannot be sorted by "loud", because it is computed.'],
  ])('%s: rejects the computed field with 400', async (path, detail) => {
    expect((await rest().get(path)).errors).toMatchObject([{ status: 400, code: 'unknown-field', detail }])
  })

  it('rejects writes of computed fields with 403', async () => {
    const attributes = { slug: 'six', title: 'Six', excerpt: 'x' }
    const error = {
      status: 403,
      code: 'read-only',
      detail: '"excerpt" is computed and cannot be written.',
      source: { pointer: '/data/attributes/excerpt' },
    }
    expect((await rest().post('/post', { data: { type: 'post', attributes } })).errors).toMatchObject([error])
    const update = { data: { type: 'post', id: '1', attributes: { excerpt: 'x' } } }
    expect((await rest().patch('/post/1', update)).errors).toMatchObject([error])
    expect((await restClient(db).patch('/post/1', update)).errors).toMatchObject([{ code: 'unknown-attribute' }])
  })

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
    const { one, body } = await restClient(db, { computed: { Tag: Object.keys(values) } }, orm).get('/tag/tips')
    expect(one.attributes).toMatchObject(Object.fromEntries(entries.map(([name, [, json]]) => [name, json])))
    const notes = entries.flatMap(([name, [, , types = {}]]) =>
      Object.entries(types).map(([below, type]) => [`data.attributes.${name}${below}`, type]),
    )
    expect(body.meta?.serialization?.values).toEqual(Object.fromEntries(notes))
  })

  it('throws in strict mode if the name is not a valid member name', async () => {
    const { one } = await rest({ computed: EXPOSED, strict: true }).get('/post/1?fields[post]=excerpt')
    expect(one.attributes).toEqual({ excerpt: 'On' })
    expect(() => rest({ computed: { Post: ['type'] }, strict: true })).toThrow(
      /strict: "type" in computed\.Post is already in use/,
    )
    expect(() => rest({ computed: { Post: ['end_'] }, strict: true })).toThrow(
      /strict: "end_" in computed\.Post is already in use/,
    )
  })

  it('returns computed fields under mapped model names and ids', async () => {
    const options = {
      computed: EXPOSED,
      modelNameMapping: { Post: 'posts' },
      externalIdMapping: { Post: 'slug' },
    } as const
    const { one } = await rest(options).get('/posts/one?fields[posts]=excerpt')
    expect(one.attributes).toEqual({ excerpt: 'On' })
  })

  describe('invalid exposed field', () => {
    let lines: string[]
    beforeEach(() => {
      lines = []
      vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void lines.push(args.map(String).join(' ')))
    })
    afterEach(() => void vi.restoreAllMocks())

    it.each<[name: string, line: string]>([
      ['hint', 'computed.User: "hint" cannot be exposed, because it needs "password", which is write-only.'],
      [
        'nope',
        'computed.User: "nope" is not a computed field of the client. Computed fields of User: hint, loud, kind, quiet.',
      ],
    ])('%s: responds with 500 and logs the reason', async (name, line) => {
      const { status, text } = await rest({ computed: { User: [name] } }).get('/post')
      expect(status).toBe(500)
      expect(text).not.toMatch(/hint|nope|password/)
      expect(lines.join()).toContain(line)
      const computed = db.routes.exposeComputed(computing(db), { User: [name as 'hint'] })
      expect(() => rest({ computed })).toThrow(line)
    })
  })

  it('accepts the result of exposeComputed', async () => {
    const computed = db.routes.exposeComputed(computing(db), { Post: ['excerpt'] })
    expect((await rest({ computed }).get('/post/1?fields[post]=excerpt')).one.attributes).toEqual({ excerpt: 'On' })
  })

  it.each<[computed: object, message: string]>([
    [
      { Nope: ['loud'] },
      'computed names "Nope", which is not a model. Models: Category, Comment, Post, Profile, Tag, User.',
    ],
    [{ User: ['name'] }, 'computed.User: "name" is already a field of User in the schema.'],
    [{ User: ['password'] }, 'computed.User: "password" is already a field of User in the schema.'],
    [{ User: ['posts'] }, 'computed.User: "posts" is already a relation of User in the schema.'],
    [{ Tag: ['id'] }, 'computed.Tag: "id"'],
    [{ User: ['a,b'] }, 'computed.User: "a,b" is not a valid field name.'],
  ])('%j: throws when the handler is created', (computed, message) => {
    expect(() => rest({ computed } as Partial<RestApiOptions>)).toThrow(message)
  })
})
