import { beforeEach, describe, expect, it } from 'vitest'

import { RestApiHandler } from '../../fixtures/blog/expected/index.js'
import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fillWorkspace, recorder } from '../hooks/support/workspace.js'
import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { type TestResponse, fixtureClient, MEDIA_TYPE, type RestClient, restClient } from './support/client.js'

const EXT = 'https://jsonapi.org/ext/atomic'
const ATOMIC = `${MEDIA_TYPE};ext="${EXT}"`

/** Sends operations like a client of the extension. */
function operate(rest: RestClient, operations: unknown, headers: Record<string, string> = {}): Promise<TestResponse> {
  return rest.post('/operations', { 'atomic:operations': operations }, { 'Content-Type': ATOMIC, ...headers })
}

function resultsOf({ text }: TestResponse): readonly { readonly data?: { readonly id?: string } }[] {
  return JSON.parse(text)['atomic:results']
}

/** Reads all rows that these tests write. */
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

  it('runs the operations in order and returns a result for each', async () => {
    const response = await operate(rest, [
      { op: 'add', data: { ...post('new', { lid: 'p' }), relationships: { author: link('user', '2') } } },
      { op: 'update', ref: local('post', 'p'), data: { ...local('post', 'p'), attributes: { title: 'Renamed' } } },
      { op: 'add', ref: { ...local('post', 'p'), relationship: 'tags' }, data: [{ type: 'tag', id: 'news' }] },
      { op: 'remove', ref: { type: 'comment', id: '1_3' } },
      { op: 'update', ref: { type: 'post', id: '2', relationship: 'author' }, data: null },
    ])
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe(ATOMIC)
    expect(response.headers.get('Vary')).toBe('Accept')
    const results = resultsOf(response)
    expect(results).toHaveLength(5)
    const { id = '' } = results[0]?.data ?? {}
    expect(results[0]?.data).toMatchObject({ type: 'post', id, attributes: { slug: 'new', title: 'new' } })
    expect(results[1]?.data).toMatchObject({ id, attributes: { title: 'Renamed' } })
    expect(results[2]?.data).toEqual([{ type: 'tag', id: 'news' }])
    expect(results[3]).toEqual({})
    expect(results[4]).toMatchObject({ data: null })
    const created = await rest.get(`/post/${id}?include=tags,author`)
    expect(created.one.attributes?.['title']).toBe('Renamed')
    expect(created.body.included?.map((one) => one.id).sort()).toEqual(['2', 'news'])
    expect((await rest.get('/comment/1_3')).status).toBe(404)
  })

  it('serializes values like other responses', async () => {
    const [created] = resultsOf(
      await operate(rest, [
        { op: 'add', data: { type: 'category', attributes: { name: 'New', readers: '12', adPrice: '1.50' } } },
      ]),
    )
    const { one, body } = await rest.get(`/category/${created?.data?.id}`)
    expect(created).toEqual({ data: one, meta: body.meta })
  })

  it('resolves local ids in all identifiers', async () => {
    const response = await operate(rest, [
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
    expect([response.status, response.text]).toEqual([200, expect.any(String)])
    const found = await db.orm.post.findUniqueOrThrow({
      where: { slug: 'one-more' },
      include: { tags: { orderBy: { name: 'asc' } }, category: true },
    })
    expect(found).toMatchObject({ content: 'by its local id', category: { name: 'Top' } })
    expect(found.tags.map(({ name }) => name)).toEqual(['fresh', 'news'])
  })

  it('resolves a local id after an operation changed the id', async () => {
    const done = await operate(rest, [
      { op: 'add', data: { ...local('tag', 't'), attributes: { name: 'draft' } } },
      { op: 'update', data: { ...local('tag', 't'), attributes: { name: 'final' } } },
      addTag('draft'),
      { op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [local('tag', 't')] },
      { op: 'update', ref: local('tag', 't'), data: { ...local('tag', 't'), attributes: { name: 'last' } } },
    ])
    expect(done.status).toBe(200)
    expect(resultsOf(done)[3]?.data).toContainEqual({ type: 'tag', id: 'final' })
    // The id does not refer to the row that had it first.
    expect((await operate(rest, [{ op: 'remove', ref: { type: 'tag', id: 'last' } }])).status).toBe(204)
    expect((await rest.get('/tag/draft')).status).toBe(200)
  })

  it('rejects a lid that differs from ref with 409', async () => {
    const update = { op: 'update', ref: { type: 'post', id: '1' }, data: { ...local('post', 'p'), attributes: {} } }
    const response = await operate(rest, [{ op: 'add', data: post('new', { lid: 'p' }) }, update])
    expect([response.status, response.errors[0]?.source]).toEqual([409, { pointer: '/atomic:operations/1/data/lid' }])
  })

  it('accepts absolute, mounted and relative hrefs', async () => {
    const response = await operate(rest, [
      { op: 'add', href: '/post', data: post('by-href') },
      {
        op: 'update',
        href: 'https://blog.example/api/post/1',
        data: { type: 'post', id: '1', attributes: { title: 'Absolute' } },
      },
      { op: 'add', href: '/api/post/1/relationships/tags', data: [{ type: 'tag', id: 'tips' }] },
      { op: 'remove', href: 'comment/4_1' },
    ])
    expect(response.status).toBe(200)
    expect(await db.orm.post.findUnique({ where: { id: 1 }, include: { tags: true } })).toMatchObject({
      title: 'Absolute',
    })
    expect(await db.orm.comment.count()).toBe(3)
  })

  it('responds with 204 if no result has data', async () => {
    const response = await operate(rest, [{ op: 'remove', ref: { type: 'comment', id: '1_1' } }])
    expect([response.status, response.text]).toEqual([204, ''])
  })

  it('upserts one row several times', async () => {
    const upsert = (title: string) => ({
      op: 'add',
      data: { type: 'post', attributes: { slug: 'one', title } },
      meta: { operation: 'upsert', matchFields: ['slug'] },
    })
    const response = await operate(rest, [upsert('First'), upsert('Second')])
    expect(resultsOf(response).map(({ data }) => data)).toMatchObject([
      { id: '1', attributes: { title: 'First' } },
      { id: '1', attributes: { title: 'Second' } },
    ])
  })

  it.each([
    [
      'validation rule (422)',
      { op: 'add', data: { type: 'user', attributes: { email: 'none', password: 'long enough' } } },
      422,
      '/data/attributes/email',
    ],
    ['unique value (409)', { op: 'add', data: post('one') }, 409, '/data/attributes/slug'],
    [
      'missing related row (404)',
      { op: 'add', data: { ...post('x'), relationships: { author: link('user', '99') } } },
      404,
      '/data/relationships/author/data',
    ],
    ['missing row (404)', { op: 'remove', ref: { type: 'post', id: '99' } }, 404, ''],
    ['invalid id (404)', { op: 'remove', ref: { type: 'post', id: 'x' } }, 404, ''],
    [
      'read-only attribute (403)',
      { op: 'update', data: { type: 'user', id: '1', attributes: { role: 'ADMIN' } } },
      403,
      '/data/attributes/role',
    ],
    [
      'required relationship (403)',
      { op: 'update', ref: { type: 'comment', id: '1_1', relationship: 'post' }, data: null },
      403,
      '/data',
    ],
    [
      'member of a to-one relationship (403)',
      { op: 'add', ref: { type: 'post', id: '1', relationship: 'author' }, data: [] },
      403,
      '',
    ],
    [
      'contradicting id (409)',
      { op: 'update', ref: { type: 'post', id: '1' }, data: { type: 'post', id: '2' } },
      409,
      '/data/id',
    ],
  ])('%s: rolls back all operations', async (_, failing, status, pointer) => {
    const before = await dump(db)
    const rename = {
      op: 'update',
      ref: { type: 'post', id: '3' },
      data: { type: 'post', id: '3', attributes: { title: 'X' } },
    }
    const response = await operate(rest, [addTag('before'), rename, failing, addTag('after')])
    expect([response.status, response.errors[0]?.source]).toEqual([
      status,
      { pointer: `/atomic:operations/2${pointer}` },
    ])
    expect(await dump(db)).toBe(before)
  })

  it.each([
    ['no operations', undefined, ''],
    ['object instead of a list', {}, '/atomic:operations'],
    ['empty list', [], '/atomic:operations'],
    ['null operation', [null], '/atomic:operations/0'],
    ['unknown op', [{ op: 'replace', ref: link('post', '1').data, data: post('a') }], '/atomic:operations/0/op'],
    ['no op', [{ data: post('a') }], '/atomic:operations/0'],
    ['ref and href', [{ op: 'remove', ref: { type: 'post', id: '1' }, href: '/post/1' }], '/atomic:operations/0'],
    ['neither ref nor href', [{ op: 'remove' }], '/atomic:operations/0'],
    ['update without a target', [{ op: 'update', data: post('a') }], '/atomic:operations/0/data'],
    ['ref without id', [{ op: 'remove', ref: { type: 'post' } }], '/atomic:operations/0/ref'],
    ['ref with id and lid', [{ op: 'remove', ref: { type: 'post', id: '1', lid: 'a' } }], '/atomic:operations/0/ref'],
    ['string as ref', [{ op: 'remove', ref: 'post' }], '/atomic:operations/0/ref'],
    ['no data', [{ op: 'add', href: '/post' }], '/atomic:operations/0'],
    [
      'data of a remove operation',
      [{ op: 'remove', ref: { type: 'post', id: '1' }, data: null }],
      '/atomic:operations/0/data',
    ],
    ['href of another origin', [{ op: 'remove', href: 'https://evil.example/post/1' }], '/atomic:operations/0/href'],
    ['protocol-relative href', [{ op: 'remove', href: '//evil.example/post/1' }], '/atomic:operations/0/href'],
    ['href with a query', [{ op: 'remove', href: '/post/1?include=author' }], '/atomic:operations/0/href'],
    ['href of related resources', [{ op: 'remove', href: '/post/1/comments' }], '/atomic:operations/0/href'],
    ['href of a collection', [{ op: 'remove', href: '/post' }], '/atomic:operations/0/href'],
    [
      'unknown member of an operation',
      [{ op: 'remove', ref: { type: 'post', id: '1' }, force: true }],
      '/atomic:operations/0/force',
    ],
    [
      'unknown member of ref',
      [{ op: 'remove', ref: { type: 'post', id: '1', relation: 'tags' } }],
      '/atomic:operations/0/ref/relation',
    ],
    ['empty lid', [{ op: 'add', data: post('a', { lid: '' }) }], '/atomic:operations/0/data/lid'],
    ['number as meta', [{ op: 'remove', ref: { type: 'post', id: '1' }, meta: 1 }], '/atomic:operations/0/meta'],
    [
      'duplicate lid',
      [
        { op: 'add', data: post('a', { lid: 'x' }) },
        { op: 'add', data: post('b', { lid: 'x' }) },
      ],
      '/atomic:operations/1/data/lid',
    ],
    ['lid and id', [{ op: 'add', data: { type: 'tag', id: 'a', lid: 'a' } }], '/atomic:operations/0/data'],
    ['number as lid', [{ op: 'add', data: post('a', { lid: 1 }) }], '/atomic:operations/0/data/lid'],
    ['unknown lid in ref', [{ op: 'remove', ref: local('post', 'x') }], '/atomic:operations/0/ref/lid'],
    [
      'lid of a later operation',
      [
        { op: 'remove', ref: local('post', 'x') },
        { op: 'add', data: post('a', { lid: 'x' }) },
      ],
      '/atomic:operations/0/ref/lid',
    ],
    ['unknown lid in data', [{ op: 'update', data: local('post', 'x') }], '/atomic:operations/0/data/lid'],
    [
      'unknown lid in linkage',
      [{ op: 'add', data: { ...post('a'), relationships: { author: { data: local('user', 'x') } } } }],
      '/atomic:operations/0/data/relationships/author/data/lid',
    ],
    [
      'unknown lid in a list',
      [{ op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [local('tag', 'x')] }],
      '/atomic:operations/0/data/0/lid',
    ],
    [
      'lid of another type',
      [
        { op: 'add', data: { type: 'category', lid: 'x', attributes: { name: 'N' } } },
        { op: 'remove', ref: local('post', 'x') },
      ],
      '/atomic:operations/1/ref/lid',
    ],
    [
      'lid of the same operation',
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
  ])('%s: rejects the request with 400 before any query', async (_, operations, pointer) => {
    const queries = await db.queriesOf(async () => {
      const { status, errors } = await operate(rest, operations)
      expect([status, errors[0]?.source]).toEqual([400, pointer === '' ? { pointer } : { pointer }])
    })
    expect(queries).toEqual([])
  })

  it.each([
    ['type', [{ op: 'add', data: { type: 'constructor', attributes: {} } }], '/atomic:operations/0/data/type'],
    ['type in ref', [{ op: 'remove', ref: { type: 'nothing', id: '1' } }], '/atomic:operations/0/ref/type'],
    [
      'relationship',
      [{ op: 'update', ref: { type: 'post', id: '1', relationship: 'title' }, data: null }],
      '/atomic:operations/0/ref/relationship',
    ],
  ])('%s: rejects an unknown name with 404', async (_, operations, pointer) => {
    const { status, errors } = await operate(rest, operations)
    expect([status, errors[0]?.source]).toEqual([404, { pointer }])
  })

  it('rejects a ref that contradicts data with 409', async () => {
    const { status, errors } = await operate(rest, [
      { op: 'add', ref: { type: 'tag', id: 'a' }, data: { type: 'tag', id: 'b' } },
    ])
    expect([status, errors[0]?.source]).toEqual([409, { pointer: '/atomic:operations/0/ref/id' }])
    const type = await operate(rest, [{ op: 'add', ref: { type: 'post' }, data: { type: 'tag', id: 'b' } }])
    expect([type.status, type.errors[0]?.source]).toEqual([409, { pointer: '/atomic:operations/0/data/type' }])
  })

  it('rejects an upsert at the document level with 400', async () => {
    const body = { 'atomic:operations': [{ op: 'add', data: post('one') }], meta: { operation: 'upsert' } }
    const { status, errors } = await rest.post('/operations', body, { 'Content-Type': ATOMIC })
    expect([status, errors[0]?.source]).toEqual([400, { pointer: '/meta/operation' }])
  })

  it('returns only identifiers and links for return=minimal', async () => {
    const response = await operate(rest, [{ op: 'add', data: post('minimal') }], { Prefer: 'return=minimal' })
    expect(response.headers.get('Preference-Applied')).toBe('return=minimal')
    const [result] = resultsOf(response)
    expect(Object.keys(result?.data ?? {}).sort()).toEqual(['id', 'links', 'type'])
  })

  it('rejects other top-level members with 400', async () => {
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
  ])('%j: negotiates the extension', async (headers, status) => {
    expect((await operate(rest, [addTag('x')], headers)).status).toBe(status)
  })

  it('rejects a request beyond the limits of operations, nodes or bytes', async () => {
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

  it('serves only POST without a query at the configured path', async () => {
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
    ['lone surrogate as id', [{ op: 'remove', ref: { type: 'tag', id: '\ud800' } }], 404],
    ['empty id', [{ op: 'remove', ref: { type: 'post', id: '' } }], 404],
    ['href without an id', [{ op: 'remove', href: '/post/' }], 400],
    [
      'object as type',
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
      'object as lid',
      [{ op: 'update', ref: { type: 'post', id: '1' }, data: { type: 'post', lid: { toString: 1 }, attributes: {} } }],
      400,
    ],
    [
      'unknown lid next to ref',
      [{ op: 'update', ref: { type: 'post', id: '1' }, data: { type: 'post', lid: 'x', attributes: {} } }],
      400,
    ],
  ])('%s: rejects the operation with 400 or 404', async (_, operations, status) => {
    expect((await operate(rest, operations)).status).toBe(status)
  })

  it('stops writing once the response exceeds limits.responseBytes', async () => {
    const limited = restClient(db, { atomicOperations: true, limits: { responseBytes: 1500 } })
    const many = Array.from({ length: 50 }, (_, index) => ({ op: 'add', data: post(`many-${index}`) }))
    const queries = await db.queriesOf(async () => {
      const { status, errors } = await operate(limited, many)
      expect([status, errors[0]?.detail]).toEqual([400, expect.stringContaining('limits.responseBytes')])
    })
    expect(queries.filter((query) => query.startsWith('INSERT')).length).toBeLessThan(10)
  })

  it('resolves local ids again after a retry', async () => {
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
    const response = await operate(again, [
      { op: 'add', data: post('again', { lid: 'p' }) },
      { op: 'update', data: { ...local('post', 'p'), attributes: { title: 'Again' } } },
    ])
    expect([response.status, response.errors]).toEqual([200, []])
    expect(await db.orm.post.findMany({ where: { slug: 'again' }, select: { title: true } })).toEqual([
      { title: 'Again' },
    ])
  })

  it('stores the members of one of several concurrent replacements', async () => {
    await db.orm.tag.createMany({ data: ['a', 'b', 'c', 'd'].map((name) => ({ name })) })
    const sets = ['ab', 'cd', 'ad', 'bc']
    const responses = await Promise.all(
      sets.map((set) => {
        const data = [...set].map((id) => ({ type: 'tag', id }))
        return operate(rest, [{ op: 'update', ref: { type: 'post', id: '5', relationship: 'tags' }, data }])
      }),
    )
    expect(responses.some(({ status }) => status === 200)).toBe(true)
    const { tags } = await db.orm.post.findUniqueOrThrow({
      where: { id: 5 },
      include: { tags: { orderBy: { name: 'asc' } } },
    })
    expect(sets).toContain(tags.map(({ name }) => name).join(''))
  })

  it('applies concurrent requests completely or not at all', async () => {
    const rename = (title: string) => [
      { op: 'update', ref: { type: 'post', id: '1' }, data: { type: 'post', id: '1', attributes: { title } } },
      { op: 'update', ref: { type: 'post', id: '2' }, data: { type: 'post', id: '2', attributes: { title } } },
    ]
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => {
        const operations = rename(`title-${index}`)
        return operate(rest, index % 2 === 0 ? operations : operations.toReversed())
      }),
    )
    for (const { status } of responses) expect([200, 409, 503]).toContain(status)
    expect(responses.some(({ status }) => status === 200)).toBe(true)
    const [one, two] = await db.orm.post.findMany({ where: { id: { in: [1, 2] } } })
    expect(one?.title).toBe(two?.title)
  })
})

describeDatabases(
  'REST: atomic operations under policies',
  (db) => {
    it('rolls back all operations if a policy denies one', async () => {
      await db.fill(fillTenants)
      const rest = fixtureClient(
        { orm: db.orm.$extends(withPolicies(betaAbility())), routes: db.routes },
        { atomicOperations: true },
      )
      const rename = (id: string) => ({
        op: 'update',
        data: { type: 'document', id, attributes: { title: 'Mine' } },
      })
      const response = await operate(rest, [rename('3'), rename('3'), rename('3'), rename('3'), rename('1')])
      expect([response.status, response.errors[0]?.source]).toEqual([404, { pointer: '/atomic:operations/4' }])
      expect(await db.orm.document.findUnique({ where: { id: 3 } })).toMatchObject({ title: 'beta doc' })
      expect((await operate(rest, [rename('3')])).status).toBe(200)
    })
  },
  { fixture: 'tenants' },
)

describeDatabases(
  'REST: atomic operations with hooks',
  (db) => {
    it('calls hooks for each operation, and afterCommit only after the commit', async () => {
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
  'REST: atomic operations of a model with disabled operations',
  (db) => {
    it('rejects a disabled operation with 403', async () => {
      const rest = fixtureClient(db, { atomicOperations: true })
      const { status, errors } = await operate(rest, [{ op: 'remove', ref: { type: 'feedback', id: '1' } }])
      expect([status, errors[0]?.source]).toEqual([403, { pointer: '/atomic:operations/0' }])
    })
  },
  { fixture: 'annotations' },
)

describe('Option atomicOperations', () => {
  it.each([
    ['/post', /"\/post" is taken/],
    ['operations', /must be true, false, or a path of one segment/],
    ['/a/b', /must be true, false, or a path of one segment/],
  ])('%s: throws', (operations, message) => {
    expect(() => RestApiHandler({ endpoint: 'https://example.org', atomicOperations: operations })).toThrow(message)
  })
})
