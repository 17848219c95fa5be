import { beforeEach, describe, expect, it } from 'vitest'

import { RestApiHandler } from '../../fixtures/blog/expected/index.js'
import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fillWorkspace, recorder } from '../hooks/support/workspace.js'
import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { type Answer, fixtureClient, MEDIA_TYPE, type RestClient, restClient } from './support/client.js'

const EXT = 'https://jsonapi.org/ext/atomic'
const ATOMIC = `${MEDIA_TYPE};ext="${EXT}"`

/** Sends operations as a client of the extension does. */
function operate(rest: RestClient, operations: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return rest.post('/operations', { 'atomic:operations': operations }, { 'Content-Type': ATOMIC, ...headers })
}

function resultsOf({ text }: Answer): readonly { readonly data?: { readonly id?: string } }[] {
  return JSON.parse(text)['atomic:results']
}

/** All rows that tests here write. */
async function dump({ orm }: Database): Promise<string> {
  const rows = await Promise.all([
    orm.user.findMany({ orderBy: { id: 'asc' } }),
    orm.post.findMany({ orderBy: { id: 'asc' }, include: { tags: { orderBy: { name: 'asc' } } } }),
    orm.tag.findMany({ orderBy: { name: 'asc' } }),
    orm.comment.findMany({ orderBy: [{ postId: 'asc' }, { seq: 'asc' }] }),
  ])
  return JSON.stringify(rows)
}

const post = (slug: string, more: object = {}) => ({ type: 'post', attributes: { slug, title: slug }, ...more })
const addTag = (name: string) => ({ op: 'add', data: { type: 'tag', id: name } })
const link = (type: string, id: string) => ({ data: { type, id } })
const local = (type: string, lid: string) => ({ type, lid })

describeDatabases('REST: atomic operations', (db) => {
  let rest: RestClient

  beforeEach(async () => {
    await db.fill(fillBlog)
    rest = restClient(db, { atomicOperations: true })
  })

  it('are done in order, and each has its result', async () => {
    const answer = await operate(rest, [
      { op: 'add', data: { ...post('new', { lid: 'p' }), relationships: { author: link('user', '2') } } },
      { op: 'update', ref: local('post', 'p'), data: { ...local('post', 'p'), attributes: { title: 'Renamed' } } },
      { op: 'add', ref: { ...local('post', 'p'), relationship: 'tags' }, data: [{ type: 'tag', id: 'news' }] },
      { op: 'remove', ref: { type: 'comment', id: '1_3' } },
      { op: 'update', ref: { type: 'post', id: '2', relationship: 'author' }, data: null },
    ])
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toBe(ATOMIC)
    expect(answer.headers.get('Vary')).toBe('Accept')
    const results = resultsOf(answer)
    expect(results).toHaveLength(5)
    const { id = '' } = results[0]?.data ?? {}
    expect(results[0]?.data).toMatchObject({ type: 'post', id, attributes: { slug: 'new', title: 'new' } })
    expect(results[1]?.data).toMatchObject({ id, attributes: { title: 'Renamed' } })
    expect(results[2]?.data).toEqual([{ type: 'tag', id: 'news' }])
    expect(results[3]).toEqual({})
    expect(results[4]).toMatchObject({ data: null })
    const made = await rest.get(`/post/${id}?include=tags,author`)
    expect(made.one.attributes?.['title']).toBe('Renamed')
    expect(made.body.included?.map((one) => one.id).sort()).toEqual(['2', 'news'])
    expect((await rest.get('/comment/1_3')).status).toBe(404)
  })

  it('give values as other answers do, and take them', async () => {
    const [created] = resultsOf(
      await operate(rest, [
        { op: 'add', data: { type: 'category', attributes: { name: 'New', readers: '12', adPrice: '1.50' } } },
      ]),
    )
    const { one, body } = await rest.get(`/category/${created?.data?.id}`)
    expect(created).toEqual({ data: one, meta: body.meta })
  })

  it('know local ids wherever an identifier may stand', async () => {
    const answer = await operate(rest, [
      { op: 'add', data: { type: 'category', lid: 'top', attributes: { name: 'Top' } } },
      {
        op: 'add',
        data: {
          type: 'category',
          lid: 'sub',
          attributes: { name: 'Sub' },
          relationships: { parent: { data: local('category', 'top') } },
        },
      },
      { op: 'add', data: { type: 'tag', lid: 't', id: undefined, attributes: { name: 'fresh' } } },
      {
        op: 'add',
        data: { ...post('one-more', { lid: 'top' }), relationships: { category: { data: local('category', 'sub') } } },
      },
      {
        op: 'update',
        ref: { ...local('post', 'top'), relationship: 'tags' },
        data: [local('tag', 't'), { type: 'tag', id: 'news' }],
      },
      { op: 'update', data: { ...local('post', 'top'), attributes: { content: 'by its local id' } } },
      { op: 'update', ref: { ...local('post', 'top'), relationship: 'category' }, data: local('category', 'top') },
      { op: 'remove', ref: local('category', 'sub') },
    ])
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    const found = await db.orm.post.findUniqueOrThrow({
      where: { slug: 'one-more' },
      include: { tags: { orderBy: { name: 'asc' } }, category: true },
    })
    expect(found).toMatchObject({ content: 'by its local id', category: { name: 'Top' } })
    expect(found.tags.map(({ name }) => name)).toEqual(['fresh', 'news'])
  })

  it('know a resource by its local id when another id was given to it', async () => {
    const done = await operate(rest, [
      { op: 'add', data: { ...local('tag', 't'), attributes: { name: 'draft' } } },
      { op: 'update', data: { ...local('tag', 't'), attributes: { name: 'final' } } },
      addTag('draft'),
      { op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [local('tag', 't')] },
      { op: 'update', ref: local('tag', 't'), data: { ...local('tag', 't'), attributes: { name: 'last' } } },
    ])
    expect(done.status).toBe(200)
    expect(resultsOf(done)[3]?.data).toContainEqual({ type: 'tag', id: 'final' })
    // Not what has its first id by now.
    expect((await operate(rest, [{ op: 'remove', ref: { type: 'tag', id: 'last' } }])).status).toBe(204)
    expect((await rest.get('/tag/draft')).status).toBe(200)
  })

  it('say of a local id that is not the one in the ref that it is another', async () => {
    const update = { op: 'update', ref: { type: 'post', id: '1' }, data: { ...local('post', 'p'), attributes: {} } }
    const answer = await operate(rest, [{ op: 'add', data: post('new', { lid: 'p' }) }, update])
    expect([answer.status, answer.errors[0]?.source]).toEqual([409, { pointer: '/atomic:operations/1/data/lid' }])
  })

  it('go by "href" too: absolute, below the mount, and relative', async () => {
    const answer = await operate(rest, [
      { op: 'add', href: '/post', data: post('by-href') },
      {
        op: 'update',
        href: 'https://blog.example/api/post/1',
        data: { type: 'post', id: '1', attributes: { title: 'Absolute' } },
      },
      { op: 'add', href: '/api/post/1/relationships/tags', data: [{ type: 'tag', id: 'tips' }] },
      { op: 'remove', href: 'comment/4_1' },
    ])
    expect(answer.status).toBe(200)
    expect(await db.orm.post.findUnique({ where: { id: 1 }, include: { tags: true } })).toMatchObject({
      title: 'Absolute',
    })
    expect(await db.orm.comment.count()).toBe(3)
  })

  it('have nothing to say where nothing is to be said: 204', async () => {
    const answer = await operate(rest, [{ op: 'remove', ref: { type: 'comment', id: '1_1' } }])
    expect([answer.status, answer.text]).toEqual([204, ''])
  })

  it('may be upserts, and write one row several times', async () => {
    const upsert = (title: string) => ({
      op: 'add',
      data: { type: 'post', attributes: { slug: 'one', title } },
      meta: { operation: 'upsert', matchFields: ['slug'] },
    })
    const answer = await operate(rest, [upsert('First'), upsert('Second')])
    expect(resultsOf(answer).map(({ data }) => data)).toMatchObject([
      { id: '1', attributes: { title: 'First' } },
      { id: '1', attributes: { title: 'Second' } },
    ])
  })

  it.each([
    [
      'a rule',
      { op: 'add', data: { type: 'user', attributes: { email: 'none', password: 'long enough' } } },
      422,
      '/data/attributes/email',
    ],
    ['a unique value', { op: 'add', data: post('one') }, 409, '/data/attributes/slug'],
    [
      'a foreign key',
      { op: 'add', data: { ...post('x'), relationships: { author: link('user', '99') } } },
      404,
      '/data/relationships/author/data',
    ],
    ['a row that is not there', { op: 'remove', ref: { type: 'post', id: '99' } }, 404, ''],
    ['an id that is none', { op: 'remove', ref: { type: 'post', id: 'x' } }, 404, ''],
    [
      'a read-only attribute',
      { op: 'update', data: { type: 'user', id: '1', attributes: { role: 'ADMIN' } } },
      403,
      '/data/attributes/role',
    ],
    [
      'a relationship that is needed',
      { op: 'update', ref: { type: 'comment', id: '1_1', relationship: 'post' }, data: null },
      403,
      '/data',
    ],
    ['a member too much', { op: 'add', ref: { type: 'post', id: '1', relationship: 'author' }, data: [] }, 403, ''],
    ['another id', { op: 'update', ref: { type: 'post', id: '1' }, data: { type: 'post', id: '2' } }, 409, '/data/id'],
  ])('are undone where one fails: %s', async (_, failing, status, pointer) => {
    const before = await dump(db)
    const rename = {
      op: 'update',
      ref: { type: 'post', id: '3' },
      data: { type: 'post', id: '3', attributes: { title: 'X' } },
    }
    const answer = await operate(rest, [addTag('before'), rename, failing, addTag('after')])
    expect([answer.status, answer.errors[0]?.source]).toEqual([status, { pointer: `/atomic:operations/2${pointer}` }])
    expect(await dump(db)).toBe(before)
  })

  it.each([
    ['no operations', undefined, ''],
    ['an object', {}, '/atomic:operations'],
    ['an empty list', [], '/atomic:operations'],
    ['null', [null], '/atomic:operations/0'],
    ['an unknown op', [{ op: 'replace', ref: link('post', '1').data, data: post('a') }], '/atomic:operations/0/op'],
    ['no op', [{ data: post('a') }], '/atomic:operations/0'],
    ['ref and href', [{ op: 'remove', ref: { type: 'post', id: '1' }, href: '/post/1' }], '/atomic:operations/0'],
    ['neither', [{ op: 'remove' }], '/atomic:operations/0'],
    ['an update of nothing', [{ op: 'update', data: post('a') }], '/atomic:operations/0/data'],
    ['a ref without id', [{ op: 'remove', ref: { type: 'post' } }], '/atomic:operations/0/ref'],
    ['a ref with both', [{ op: 'remove', ref: { type: 'post', id: '1', lid: 'a' } }], '/atomic:operations/0/ref'],
    ['a ref that is a text', [{ op: 'remove', ref: 'post' }], '/atomic:operations/0/ref'],
    ['no data', [{ op: 'add', href: '/post' }], '/atomic:operations/0'],
    [
      'data of what is removed',
      [{ op: 'remove', ref: { type: 'post', id: '1' }, data: null }],
      '/atomic:operations/0/data',
    ],
    ['another origin', [{ op: 'remove', href: 'https://evil.example/post/1' }], '/atomic:operations/0/href'],
    ['a path without host', [{ op: 'remove', href: '//evil.example/post/1' }], '/atomic:operations/0/href'],
    ['a query', [{ op: 'remove', href: '/post/1?include=author' }], '/atomic:operations/0/href'],
    ['a related URL', [{ op: 'remove', href: '/post/1/comments' }], '/atomic:operations/0/href'],
    ['a collection', [{ op: 'remove', href: '/post' }], '/atomic:operations/0/href'],
    [
      'a member that is none',
      [{ op: 'remove', ref: { type: 'post', id: '1' }, force: true }],
      '/atomic:operations/0/force',
    ],
    [
      'a member of ref that is none',
      [{ op: 'remove', ref: { type: 'post', id: '1', relation: 'tags' } }],
      '/atomic:operations/0/ref/relation',
    ],
    ['a lid that is empty', [{ op: 'add', data: post('a', { lid: '' }) }], '/atomic:operations/0/data/lid'],
    ['meta that is none', [{ op: 'remove', ref: { type: 'post', id: '1' }, meta: 1 }], '/atomic:operations/0/meta'],
    [
      'a lid that is taken',
      [
        { op: 'add', data: post('a', { lid: 'x' }) },
        { op: 'add', data: post('b', { lid: 'x' }) },
      ],
      '/atomic:operations/1/data/lid',
    ],
    ['a lid beside an id', [{ op: 'add', data: { type: 'tag', id: 'a', lid: 'a' } }], '/atomic:operations/0/data'],
    ['a lid that is a number', [{ op: 'add', data: post('a', { lid: 1 }) }], '/atomic:operations/0/data/lid'],
    ['a lid that is not given, in ref', [{ op: 'remove', ref: local('post', 'x') }], '/atomic:operations/0/ref/lid'],
    [
      'a lid that is not given yet',
      [
        { op: 'remove', ref: local('post', 'x') },
        { op: 'add', data: post('a', { lid: 'x' }) },
      ],
      '/atomic:operations/0/ref/lid',
    ],
    ['a lid that is not given, in data', [{ op: 'update', data: local('post', 'x') }], '/atomic:operations/0/data/lid'],
    [
      'a lid that is not given, in linkage',
      [{ op: 'add', data: { ...post('a'), relationships: { author: { data: local('user', 'x') } } } }],
      '/atomic:operations/0/data/relationships/author/data/lid',
    ],
    [
      'a lid that is not given, in a list',
      [{ op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [local('tag', 'x')] }],
      '/atomic:operations/0/data/0/lid',
    ],
    [
      'a lid of another type',
      [
        { op: 'add', data: { type: 'category', lid: 'x', attributes: { name: 'N' } } },
        { op: 'remove', ref: local('post', 'x') },
      ],
      '/atomic:operations/1/ref/lid',
    ],
    [
      'a lid of its own',
      [
        {
          op: 'add',
          data: {
            type: 'category',
            lid: 'x',
            attributes: { name: 'N' },
            relationships: { parent: { data: local('category', 'x') } },
          },
        },
      ],
      '/atomic:operations/0/data/relationships/parent/data/lid',
    ],
  ])('refuse %s before anything is asked', async (_, operations, pointer) => {
    const queries = await db.queriesOf(async () => {
      const { status, errors } = await operate(rest, operations)
      expect([status, errors[0]?.source]).toEqual([400, pointer === '' ? { pointer } : { pointer }])
    })
    expect(queries).toEqual([])
  })

  it.each([
    ['a type', [{ op: 'add', data: { type: 'constructor', attributes: {} } }], '/atomic:operations/0/data/type'],
    ['a type in ref', [{ op: 'remove', ref: { type: 'nothing', id: '1' } }], '/atomic:operations/0/ref/type'],
    [
      'a relationship',
      [{ op: 'update', ref: { type: 'post', id: '1', relationship: 'title' }, data: null }],
      '/atomic:operations/0/ref/relationship',
    ],
  ])('know nothing of %s that is not there: 404', async (_, operations, pointer) => {
    const { status, errors } = await operate(rest, operations)
    expect([status, errors[0]?.source]).toEqual([404, { pointer }])
  })

  it('refuse a ref that says something else of what is added', async () => {
    const { status, errors } = await operate(rest, [
      { op: 'add', ref: { type: 'tag', id: 'a' }, data: { type: 'tag', id: 'b' } },
    ])
    expect([status, errors[0]?.source]).toEqual([409, { pointer: '/atomic:operations/0/ref/id' }])
    const type = await operate(rest, [{ op: 'add', ref: { type: 'post' }, data: { type: 'tag', id: 'b' } }])
    expect([type.status, type.errors[0]?.source]).toEqual([409, { pointer: '/atomic:operations/0/data/type' }])
  })

  it('refuse an upsert that is asked for of all of them', async () => {
    const body = { 'atomic:operations': [{ op: 'add', data: post('one') }], meta: { operation: 'upsert' } }
    const { status, errors } = await rest.post('/operations', body, { 'Content-Type': ATOMIC })
    expect([status, errors[0]?.source]).toEqual([400, { pointer: '/meta/operation' }])
  })

  it('show no more than what was written, where that is preferred', async () => {
    const answer = await operate(rest, [{ op: 'add', data: post('minimal') }], { Prefer: 'return=minimal' })
    expect(answer.headers.get('Preference-Applied')).toBe('return=minimal')
    const [result] = resultsOf(answer)
    expect(Object.keys(result?.data ?? {}).sort()).toEqual(['id', 'links', 'type'])
  })

  it('refuse other members beside them', async () => {
    for (const [name, value] of Object.entries({ data: null, included: [{}], errors: [], 'atomic:results': [] })) {
      const body = { 'atomic:operations': [addTag('x')], [name]: value }
      const { status, errors } = await rest.post('/operations', body, { 'Content-Type': ATOMIC })
      expect([status, errors[0]?.source], name).toEqual([400, { pointer: `/${name}` }])
    }
  })

  it.each([
    [{ 'Content-Type': MEDIA_TYPE }, 415],
    [{ 'Content-Type': 'application/json' }, 415],
    [{ 'Content-Type': `${MEDIA_TYPE};ext="${EXT} https://jsonapi.org/ext/version"` }, 415],
    [{ 'Content-Type': `${MEDIA_TYPE};ext="${EXT}";charset=utf-8` }, 415],
    [{ 'Content-Type': `${MEDIA_TYPE}; EXT="${EXT} ${EXT}"; profile="https://example.org/p"` }, 200],
    [{ Accept: MEDIA_TYPE }, 406],
    [{ Accept: `${MEDIA_TYPE};ext="https://jsonapi.org/ext/version"` }, 406],
    [{ Accept: 'text/html' }, 406],
    [{ Accept: `${MEDIA_TYPE}, ${ATOMIC};q=0.5` }, 200],
    [{ Accept: 'text/html, */*;q=0.1' }, 200],
    [{ Accept: `${MEDIA_TYPE}, */*;q=0.1` }, 200],
    [{ Accept: 'application/json' }, 200],
  ])('negotiate the extension: %j', async (headers, status) => {
    expect((await operate(rest, [addTag('x')], headers)).status).toBe(status)
  })

  it('are limited as a whole', async () => {
    const tags = (count: number) => Array.from({ length: count }, (_, index) => addTag(`tag-${index}`))
    const few = restClient(db, { atomicOperations: true, limits: { operations: 3, nodes: 40, bodyBytes: 600 } })
    expect((await operate(few, tags(3))).status).toBe(200)
    const [many] = (await operate(few, tags(4))).errors
    expect(many?.detail).toContain('limits.operations')
    expect(many?.source).toEqual({ pointer: '/atomic:operations' })
    const nodes = restClient(db, { atomicOperations: true, limits: { nodes: 20 } })
    expect((await operate(nodes, tags(6))).errors[0]?.detail).toContain('limits.nodes')
    const bytes = restClient(db, { atomicOperations: true, limits: { responseBytes: 100 } })
    expect((await operate(bytes, [{ op: 'add', data: post('too-long') }])).status).toBe(400)
    const together = await operate(
      restClient(db, { atomicOperations: true, limits: { responseBytes: 600 } }),
      tags(13).slice(3),
    )
    expect([together.status, together.errors[0]?.detail]).toEqual([400, expect.stringContaining('return=minimal')])
    expect(await db.orm.post.count({ where: { slug: 'too-long' } })).toBe(0)
    expect((await operate(rest, tags(100))).status).toBe(409)
    await db.reset()
    expect((await operate(rest, tags(100))).status).toBe(200)
    expect((await operate(rest, tags(101))).status).toBe(400)
  })

  it('are served only where that is asked for, at one path, to POST, without a query', async () => {
    expect((await operate(restClient(db), [addTag('x')])).status).toBe(404)
    const get = await rest.get('/operations')
    expect([get.status, get.headers.get('Allow')]).toEqual([405, 'POST'])
    const query = await rest.post(
      '/operations?include=tags',
      { 'atomic:operations': [addTag('x')] },
      { 'Content-Type': ATOMIC },
    )
    expect([query.status, query.errors[0]?.source]).toEqual([400, { parameter: 'include' }])
    const other = restClient(db, { atomicOperations: '/batch' })
    expect((await operate(other, [addTag('x')])).status).toBe(404)
  })

  it.each([
    ['an id that is half a character', [{ op: 'remove', ref: { type: 'tag', id: '\ud800' } }], 404],
    ['an empty id', [{ op: 'remove', ref: { type: 'post', id: '' } }], 404],
    ['an href without an id', [{ op: 'remove', href: '/post/' }], 400],
    [
      'a type that is no text',
      [
        {
          op: 'add',
          ref: { type: 'post', id: '1', relationship: 'tags' },
          data: [{ type: { toString: 1, valueOf: 1 }, lid: 'x' }],
        },
      ],
      400,
    ],
    [
      'a lid that is no text',
      [{ op: 'update', ref: { type: 'post', id: '1' }, data: { type: 'post', lid: { toString: 1 }, attributes: {} } }],
      400,
    ],
    [
      'a lid that nobody gave, beside a ref',
      [{ op: 'update', ref: { type: 'post', id: '1' }, data: { type: 'post', lid: 'x', attributes: {} } }],
      400,
    ],
  ])('refuse %s', async (_, operations, status) => {
    expect((await operate(rest, operations)).status).toBe(status)
  })

  it('ask for no more once the answer would be too long', async () => {
    const limited = restClient(db, { atomicOperations: true, limits: { responseBytes: 1500 } })
    const many = Array.from({ length: 50 }, (_, index) => ({ op: 'add', data: post(`many-${index}`) }))
    const queries = await db.queriesOf(async () => {
      const { status, errors } = await operate(limited, many)
      expect([status, errors[0]?.detail]).toEqual([400, expect.stringContaining('limits.responseBytes')])
    })
    expect(queries.filter((query) => query.startsWith('INSERT')).length).toBeLessThan(10)
  })

  it('make local ids anew where all is made again', async () => {
    let failures = 1
    const failing = db.orm.$extends({
      name: 'routewright',
      query: {
        post: {
          update({ args, query }) {
            if (failures-- > 0)
              throw Object.assign(new Error('deadlock'), { code: 'P2034', name: 'PrismaClientKnownRequestError' })
            return query(args)
          },
        },
      },
    })
    const again = restClient(db, { atomicOperations: true }, failing)
    const answer = await operate(again, [
      { op: 'add', data: post('again', { lid: 'p' }) },
      { op: 'update', data: { ...local('post', 'p'), attributes: { title: 'Again' } } },
    ])
    expect([answer.status, answer.errors]).toEqual([200, []])
    expect(await db.orm.post.findMany({ where: { slug: 'again' }, select: { title: true } })).toEqual([
      { title: 'Again' },
    ])
  })

  it('replace a relationship so that of two that do at once, one has its way', async () => {
    await db.orm.tag.createMany({ data: ['a', 'b', 'c', 'd'].map((name) => ({ name })) })
    const sets = ['ab', 'cd', 'ad', 'bc']
    const answers = await Promise.all(
      sets.map((set) => {
        const data = [...set].map((id) => ({ type: 'tag', id }))
        return operate(rest, [{ op: 'update', ref: { type: 'post', id: '5', relationship: 'tags' }, data }])
      }),
    )
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    const { tags } = await db.orm.post.findUniqueOrThrow({
      where: { id: 5 },
      include: { tags: { orderBy: { name: 'asc' } } },
    })
    expect(sets).toContain(tags.map(({ name }) => name).join(''))
  })

  it('lose nothing where many write at once', async () => {
    const rename = (title: string) => [
      { op: 'update', ref: { type: 'post', id: '1' }, data: { type: 'post', id: '1', attributes: { title } } },
      { op: 'update', ref: { type: 'post', id: '2' }, data: { type: 'post', id: '2', attributes: { title } } },
    ]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => {
        const operations = rename(`title-${index}`)
        return operate(rest, index % 2 === 0 ? operations : operations.toReversed())
      }),
    )
    for (const { status } of answers) expect([200, 409, 503]).toContain(status)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    const [one, two] = await db.orm.post.findMany({ where: { id: { in: [1, 2] } } })
    expect(one?.title).toBe(two?.title)
  })
})

describeDatabases(
  'REST: atomic operations under policies',
  (db) => {
    it('are judged one by one, and undone where one is denied', async () => {
      await db.fill(fillTenants)
      const rest = fixtureClient(
        { orm: db.orm.$extends(withPolicies(betaAbility())), routes: db.routes },
        { atomicOperations: true },
      )
      const rename = (id: string) => ({
        op: 'update',
        data: { type: 'document', id, attributes: { title: 'Mine' } },
      })
      const answer = await operate(rest, [rename('3'), rename('3'), rename('3'), rename('3'), rename('1')])
      expect([answer.status, answer.errors[0]?.source]).toEqual([404, { pointer: '/atomic:operations/4' }])
      expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({ title: 'beta doc' })
      expect((await operate(rest, [rename('3')])).status).toBe(200)
    })
  },
  { fixture: 'tenants' },
)

describeDatabases(
  'REST: atomic operations with hooks',
  (db) => {
    it('tell of each, and after the commit once all is committed', async () => {
      await db.fill(fillWorkspace)
      const recorded = recorder()
      const rest = fixtureClient(db, { atomicOperations: true, hooks: recorded.hooks })
      const add = (text: string) => ({
        op: 'add',
        data: { type: 'comment', attributes: { text, documentId: 1 } },
      })
      expect((await operate(rest, [add('a'), add('b')])).status).toBe(200)
      const names = ['before', 'after', 'before', 'after', 'afterCommit', 'afterCommit']
      expect(recorded.names()).toEqual(names.map((name) => `Comment.create.${name}`))
      recorded.clear()
      expect((await operate(rest, [add('c'), { op: 'remove', ref: { type: 'comment', id: '999' } }])).status).toBe(404)
      expect(recorded.names()).not.toContain('Comment.create.afterCommit')
    })
  },
  { fixture: 'workspace' },
)

describeDatabases(
  'REST: atomic operations that a model does not offer',
  (db) => {
    it('are refused', async () => {
      const rest = fixtureClient(db, { atomicOperations: true })
      const { status, errors } = await operate(rest, [{ op: 'remove', ref: { type: 'feedback', id: '1' } }])
      expect([status, errors[0]?.source]).toEqual([403, { pointer: '/atomic:operations/0' }])
    })
  },
  { fixture: 'annotations' },
)

describe('the option operations', () => {
  it.each([
    ['/post', /"\/post" is taken/],
    ['operations', /must be true, false, or a path of one segment/],
    ['/a/b', /must be true, false, or a path of one segment/],
  ])('refuses %s', (operations, message) => {
    expect(() => RestApiHandler({ endpoint: 'https://example.org', atomicOperations: operations })).toThrow(message)
  })
})
