import { beforeAll, describe, expect, it } from 'vitest'

import { DEFAULT_LIMITS } from '../../runtime/limits.js'
import { filterCost, orderCost } from '../../runtime/prisma/filter-cost.js'
import { BLOG } from '../rpc/arbitrary.js'
import { type RpcClient, rpcClient } from '../rpc/client.js'
import { type RestClient, restClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'

/** Typical requests of apps: a search box, facets, a table that is filtered and sorted by its columns. */
const ORDINARY: readonly [what: string, model: string, args: object][] = [
  [
    'a search box over three columns',
    'post',
    { where: { OR: ['title', 'content', 'slug'].map((name) => ({ [name]: { contains: 'x' } })) } },
  ],
  [
    'a search box with two words',
    'post',
    {
      where: {
        AND: ['x', 'y'].map((word) => ({
          OR: ['title', 'content', 'slug'].map((name) => ({ [name]: { contains: word } })),
        })),
      },
    },
  ],
  ['one of three tags', 'post', { where: { tags: { some: { name: { in: ['a', 'b', 'c'] } } } } }],
  [
    'two tags that must both match',
    'post',
    { where: { AND: ['a', 'b'].map((name) => ({ tags: { some: { name } } })) } },
  ],
  [
    "the author's name",
    'post',
    { where: { author: { name: { contains: 'x' } } }, orderBy: { author: { name: 'asc' } } },
  ],
  [
    'a search box with facets, sorted by the author',
    'post',
    {
      where: {
        OR: ['title', 'content', 'slug'].map((name) => ({ [name]: { contains: 'x' } })),
        status: 'PUBLISHED',
        tags: { some: { name: 'a' } },
        category: { name: 'b' },
        publishedAt: { gte: '2024-01-01T00:00:00Z', lt: '2025-01-01T00:00:00Z' },
      },
      orderBy: [{ author: { name: 'asc' } }, { id: 'desc' }],
    },
  ],
  [
    'posts with a comment by an author',
    'post',
    { where: { comments: { some: { author: { email: 'a@example.com' } } } } },
  ],
  ['users with a post under a tag', 'user', { where: { posts: { some: { tags: { some: { name: 'a' } } } } } }],
  ['posts without comments', 'post', { where: { comments: { none: {} }, status: { not: 'DRAFT' } } }],
  ['300 rows by their ids', 'post', { where: { OR: Array.from({ length: 300 }, (_, id) => ({ id })) } }],
  ['counts of related rows', 'user', { select: { id: true, _count: { select: { posts: true, comments: true } } } }],
]

const FIFTEEN = Array.from({ length: 15 }, (_, at) => ({ title: { contains: `${at}` } }))

const EXPENSIVE: readonly [what: string, model: string, operation: string, args: object][] = [
  [
    'a chain back to the members of a shared row',
    'post',
    'count',
    {
      where: {
        author: { posts: { some: { author: { posts: { some: { author: { posts: { some: { title: 'x' } } } } } } } } },
      },
    },
  ],
  [
    '100 text matches',
    'post',
    'findMany',
    { where: { OR: Array.from({ length: 100 }, (_, at) => ({ title: { contains: `${at}` } })) } },
  ],
  [
    '20 negated text matches',
    'post',
    'findMany',
    { where: { NOT: Array.from({ length: 20 }, (_, at) => ({ title: { not: { endsWith: `${at}` } } })) } },
  ],
  [
    'text matches in several nested lists',
    'user',
    'findMany',
    {
      take: 1,
      select: {
        posts: { take: 1, where: { OR: Array.from({ length: 8 }, (_, at) => ({ title: { contains: `${at}` } })) } },
        _count: {
          select: {
            comments: { where: { OR: Array.from({ length: 8 }, (_, at) => ({ body: { contains: `${at}` } })) } },
          },
        },
      },
    },
  ],
  ['filter of a write', 'post', 'updateMany', { data: { title: 'x' }, where: { OR: FIFTEEN } }],
  ['filter next to a unique id', 'post', 'update', { data: {}, where: { id: 1, OR: FIFTEEN } }],
  [
    'filter of a nested write',
    'post',
    'update',
    { where: { id: 1 }, data: { comments: { deleteMany: { post: { OR: FIFTEEN } } } } },
  ],
  [
    'an order through relations',
    'comment',
    'findMany',
    {
      take: 1,
      where: { body: 'x' },
      orderBy: Array.from({ length: 10 }, () => ({ post: { author: { name: 'asc' } } })),
    },
  ],
]

describe('filterCost and orderCost', () => {
  const cost = (model: string, where: unknown) => filterCost(BLOG.get(model) ?? fail(model), where)

  it.each<[string, string, object, number]>([
    ['an empty filter', 'Post', {}, 0],
    ['a comparison', 'Post', { viewCount: { gt: 1 } }, 1],
    ['a list of values', 'Post', { viewCount: { in: Array.from({ length: 199 }, (_, at) => at) } }, 1],
    ['a unique field', 'Post', { slug: 'x' }, 0],
    [
      'a compound unique',
      'Comment',
      {
        OR: [
          { postId: 1, seq: 1 },
          { postId: 1, seq: 2 },
        ],
      },
      0,
    ],
    ['a compound unique with an unindexed field', 'Comment', { OR: [{ postId: 1, seq: 1 }, { body: 'x' }] }, 3],
    ['a part of a compound unique', 'Comment', { postId: 1 }, 1],
    ['a text match', 'Post', { title: { contains: 'x' } }, 10],
    ['a case-insensitive text match', 'Post', { title: { contains: 'x', mode: 'insensitive' } }, 30],
    ['a case-insensitive text match in not', 'Post', { title: { not: { contains: 'x' }, mode: 'insensitive' } }, 30],
    ['a case-insensitive list in not', 'Post', { title: { not: { in: ['x', 'y'] }, mode: 'insensitive' } }, 60],
    ['a value in JSON', 'Profile', { settings: { path: ['a'], equals: 1 } }, 10],
    [
      'several comparisons in JSON',
      'Profile',
      { settings: { path: ['a'], string_contains: 'a', not: 'b', gt: 1 } },
      30,
    ],
    ['a to-one relation', 'Post', { author: { name: 'x' } }, 2],
    ['a to-many relation', 'Post', { comments: { some: {} } }, 1],
    ['two conditions on a to-many relation', 'Post', { comments: { some: {}, none: { body: 'x' } } }, 3],
    ['to-one behind to-many', 'Post', { comments: { some: { author: { name: 'x' } } } }, 3],
    [
      'a text match behind to-many relations',
      'User',
      { posts: { some: { comments: { some: { body: { contains: 'x' } } } } } },
      12,
    ],
    ['back through shared rows', 'Comment', { post: { comments: { some: { post: { title: 'x' } } } } }, 19],
    ['a text match in a shared row', 'Comment', { post: { author: { name: { contains: 'x' } } } }, 12],
    [
      'a text match behind a row that belongs to one row',
      'Profile',
      { user: { comments: { some: { body: { contains: 'x' } } } } },
      12,
    ],
    [
      'a text match behind a shared row',
      'Comment',
      { author: { comments: { some: { body: { contains: 'x' } } } } },
      87,
    ],
    [
      'a text match behind many-to-many',
      'Tag',
      { posts: { some: { comments: { some: { body: { contains: 'x' } } } } } },
      87,
    ],
    [
      'a fourth relation behind to-many',
      'Comment',
      { post: { comments: { some: { author: { posts: { some: {} } } } } } },
      53,
    ],
    ['a fourth relation, to-many', 'Comment', { post: { category: { parent: { posts: { some: {} } } } } }, 53],
    ['a fourth and a fifth relation', 'Tag', { posts: { some: { author: { profile: { user: { name: 'x' } } } } } }, 54],
    ['four to-one relations', 'Comment', { post: { category: { parent: { parent: { readers: 1 } } } } }, 5],
  ])('%s (%s %j): costs %i points', (_what, model, where, points) => {
    expect(cost(model, where)).toBe(points)
  })

  it('orderCost: counts the joins of an order', () => {
    const post = BLOG.get('Post') ?? fail('Post')
    expect(orderCost(post, { title: 'asc' })).toBe(1)
    expect(orderCost(post, [{ author: { name: 'asc' } }, { comments: { _count: 'desc' } }])).toBe(31)
  })
})

describeDatabases('limits.filterCost of a request', (db) => {
  let rest: RestClient
  let rpc: RpcClient
  beforeAll(async () => {
    await db.fill(seedBlog)
    rest = restClient(db)
    rpc = rpcClient(db)
  })

  it.each(ORDINARY)('%s: accepts an ordinary RPC query', async (_what, model, args) => {
    expect((await rpc.call(model, 'findMany', args, 'POST')).status).toBe(200)
  })

  it.each([
    '/post?filter[title$icontains]=a,b&sort=-author.name',
    '/post?filter[title$icontains]=a&filter[content$icontains]=a&filter[tags]=x&filter[author][name]=b',
    '/post?filter[comments][author][name]=b&filter[status]=PUBLISHED',
    '/post?filter[comments][body$icontains]=a,b',
    '/post?filter[tags]=a&filter[tags][name]=b',
    '/user?filter[posts][comments][body$icontains]=a',
    `/comment?filter[id]=${Array.from({ length: 300 }, (_, at) => `1_${at}`).join(',')}`,
    '/post/1/comments?filter[author][name$icontains]=a&sort=author.name,-createdAt',
  ])('%s: accepts an ordinary REST query', async (path) => {
    expect((await rest.get(path)).status).toBe(200)
  })

  it.each(EXPENSIVE)(
    '%s: rejects an expensive RPC request with 400 before the first query',
    async (_what, model, operation, args) => {
      const queries = await db.queriesOf(async () => {
        const { status, body } = await rpc.call(
          model,
          operation,
          args,
          operation === 'updateMany' || operation === 'update' ? undefined : 'POST',
        )
        expect([status, body.message]).toEqual([400, expect.stringContaining('limits.filterCost')])
      })
      expect(queries).toEqual([])
    },
  )

  it.each([
    [
      'filter[author][posts][author][posts][author][posts][title]',
      '/post?filter[author][posts][author][posts][author][posts][title]=x',
    ],
    ['filter[title$contains]', `/post?filter[title$contains]=${Array.from({ length: 100 }, (_, at) => at).join(',')}`],
    [
      'filter',
      `/post/1/comments?filter[body$contains]=${Array.from({ length: 15 }, (_, at) => at).join(',')}&filter[seq]=1`,
    ],
    [
      'sort',
      `/comment?sort=${['id', 'title', 'slug', 'status', 'viewCount', 'author.name', 'author.email', 'author.role', 'author.id', 'category.name'].map((name) => `post.${name}`).join(',')},author.name,author.email,author.role,author.createdAt`,
    ],
  ])('%s: rejects an expensive REST request with 400 before the first query', async (parameter, path) => {
    const queries = await db.queriesOf(async () => {
      const { status, errors } = await rest.get(path)
      expect([status, errors[0]?.source, errors[0]?.detail]).toEqual([
        400,
        { parameter },
        expect.stringContaining('limits.filterCost'),
      ])
    })
    expect(queries).toEqual([])
  })

  it.each([
    [
      'filters of one list',
      'filter[title$contains]',
      `/post?include=comments&${textsIn('filter', 'title')}&${textsIn('includeFilter[comments]', 'body')}`,
    ],
    [
      'filters of two lists',
      'includeFilter[author.posts][title$contains]',
      `/post/1?include=comments,author.posts&${textsIn('includeFilter[comments]', 'body')}&${textsIn('includeFilter[author.posts]', 'title')}`,
    ],
  ])('%s: adds up the cost of a REST collection and its included lists', async (_what, parameter, path) => {
    const { status, errors } = await rest.get(path)
    expect([status, errors[0]?.source, errors[0]?.detail]).toEqual([
      400,
      { parameter },
      expect.stringContaining('limits.filterCost'),
    ])
    expect((await restClient(db, { limits: { filterCost: 170 } }).get(path)).status).toBe(200)
  })

  it('applies the configured limit', async () => {
    const where = { OR: FIFTEEN }
    expect((await rpc.call('post', 'count', { where })).status).toBe(400)
    expect((await rpcClient(db, { limits: { filterCost: 150 } }).call('post', 'count', { where })).status).toBe(200)
    expect((await rpcClient(db, { limits: { filterCost: Infinity } }).call('post', 'count', { where })).status).toBe(
      200,
    )
    expect((await restClient(db, { limits: { filterCost: 9 } }).get('/post?filter[title$contains]=x')).status).toBe(400)
  })
})

describeDatabases('limits.responseBytes', (db) => {
  const responseBytes = 2000
  const options = { limits: { responseBytes } }
  let rest: RestClient
  let rpc: RpcClient
  beforeAll(async () => {
    await db.fill(seedBlog)
    rest = restClient(db, options)
    rpc = rpcClient(db, options)
  })

  it('rejects a longer response with 400 and names the limit', async () => {
    const long = await rest.get('/post?page[limit]=50')
    expect([long.status, long.errors[0]?.code]).toEqual([400, 'limit-exceeded'])
    expect(long.errors[0]?.detail).toContain('limits.responseBytes')
    expect((await rest.get('/post?page[limit]=1&fields[post]=title')).status).toBe(200)
    const { status, body } = await rpc.call('post', 'findMany', {})
    expect([status, body.message]).toEqual([400, expect.stringContaining('limits.responseBytes')])
    expect((await rpc.call('post', 'findMany', { take: 1, select: { title: true } })).status).toBe(200)
  })

  it('counts bytes exactly', async () => {
    const title = 'ü€😀'.repeat(60)
    const { id } = await db.orm.post.create({ data: { slug: 'long', title } })
    const path = `/post/findUnique?q=${encodeURIComponent(JSON.stringify({ where: { id }, select: { title: true } }))}`
    const { body } = await rpcClient(db).fetch(path)
    const length = new TextEncoder().encode(JSON.stringify(body)).length
    expect((await rpcClient(db, { limits: { responseBytes: length } }).fetch(path)).status).toBe(200)
    expect((await rpcClient(db, { limits: { responseBytes: length - 1 } }).fetch(path)).status).toBe(400)
    const restLength = new TextEncoder().encode((await restClient(db).get(`/post/${id}`)).text).length
    expect((await restClient(db, { limits: { responseBytes: restLength } }).get(`/post/${id}`)).status).toBe(200)
    expect((await restClient(db, { limits: { responseBytes: restLength - 1 } }).get(`/post/${id}`)).status).toBe(400)
  })

  it('reports that the write was made if its response is too long', async () => {
    const content = 'x'.repeat(3000)
    const attributes = { slug: 'made', title: 'Made', content }
    const { status, errors } = await rest.post('/post', { data: { type: 'post', attributes } })
    expect([status, errors[0]?.detail]).toEqual([
      400,
      expect.stringMatching(/^The change was made.*limits\.responseBytes/),
    ])
    expect(await db.orm.post.count({ where: { slug: 'made' } })).toBe(1)
    const response = await rpc.call('post', 'create', { data: { slug: 'made-too', title: 'Made', content } })
    expect([response.status, response.body.message]).toEqual([
      400,
      expect.stringMatching(/^The change was made.*limits\.responseBytes/),
    ])
    expect(await db.orm.post.count({ where: { slug: 'made-too' } })).toBe(1)
  })
})

describe('limitMessage', () => {
  it('names the option that raises each limit', async () => {
    const { limitMessage: beyond } = await import('../../runtime/limits.js')
    for (const name of Object.keys(DEFAULT_LIMITS) as (keyof typeof DEFAULT_LIMITS)[]) {
      expect(beyond(name, 'Too much.')).toMatch(new RegExp(`^Too much\\. .*limits\\.${name} because [a-z ,]+\\.$`))
    }
  })
})

/** A filter with eight texts: 80 points. */
function textsIn(family: string, field: string): string {
  return `${family}[${field}$contains]=${Array.from({ length: 8 }, (_, at) => at).join(',')}`
}

function fail(model: string): never {
  throw new Error(`The blog has no ${model}.`)
}
