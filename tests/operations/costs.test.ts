import { beforeAll, describe, expect, it } from 'vitest'

import { DEFAULT_LIMITS } from '../../runtime/limits.js'
import { filterCost, orderCost } from '../../runtime/orm/filter-cost.js'
import { BLOG } from '../rpc/arbitrary.js'
import { type RpcClient, rpcClient } from '../rpc/client.js'
import { type RestClient, restClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'

/** What apps ask for: a search box, facets, a table that is filtered and sorted by its columns. */
const ORDINARY: readonly [what: string, model: string, args: object][] = [
  [
    'a search box over three columns',
    'post',
    { where: { OR: ['title', 'content', 'slug'].map((name) => ({ [name]: { contains: 'x' } })) } },
  ],
  [
    'the same with two words',
    'post',
    {
      where: {
        AND: ['x', 'y'].map((word) => ({
          OR: ['title', 'content', 'slug'].map((name) => ({ [name]: { contains: word } })),
        })),
      },
    },
  ],
  ['some of tags', 'post', { where: { tags: { some: { name: { in: ['a', 'b', 'c'] } } } } }],
  ['two tags, both of them', 'post', { where: { AND: ['a', 'b'].map((name) => ({ tags: { some: { name } } })) } }],
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
    'posts that someone commented on',
    'post',
    { where: { comments: { some: { author: { email: 'a@example.com' } } } } },
  ],
  ['who has written about something', 'user', { where: { posts: { some: { tags: { some: { name: 'a' } } } } } }],
  ['those without comments', 'post', { where: { comments: { none: {} }, status: { not: 'DRAFT' } } }],
  ['many by their ids', 'post', { where: { OR: Array.from({ length: 300 }, (_, id) => ({ id })) } }],
  ['how many there are of each', 'user', { select: { id: true, _count: { select: { posts: true, comments: true } } } }],
]

const FIFTEEN = Array.from({ length: 15 }, (_, at) => ({ title: { contains: `${at}` } }))

const DEAR: readonly [what: string, model: string, operation: string, args: object][] = [
  [
    'repeatedly back to the members of a shared row',
    'post',
    'count',
    {
      where: {
        author: { posts: { some: { author: { posts: { some: { author: { posts: { some: { title: 'x' } } } } } } } } },
      },
    },
  ],
  [
    'a hundred texts',
    'post',
    'findMany',
    { where: { OR: Array.from({ length: 100 }, (_, at) => ({ title: { contains: `${at}` } })) } },
  ],
  [
    'negated ones',
    'post',
    'findMany',
    { where: { NOT: Array.from({ length: 20 }, (_, at) => ({ title: { not: { endsWith: `${at}` } } })) } },
  ],
  [
    'texts in many places',
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
  ['of a write', 'post', 'updateMany', { data: { title: 'x' }, where: { OR: FIFTEEN } }],
  ['beside what identifies a row', 'post', 'update', { data: {}, where: { id: 1, OR: FIFTEEN } }],
  [
    'of a nested write',
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

describe('the cost of a condition', () => {
  const cost = (model: string, where: unknown) => filterCost(BLOG.get(model) ?? fail(model), where)

  it.each<[string, string, object, number]>([
    ['nothing', 'Post', {}, 0],
    ['a comparison', 'Post', { viewCount: { gt: 1 } }, 1],
    ['a list is looked up', 'Post', { viewCount: { in: Array.from({ length: 199 }, (_, at) => at) } }, 1],
    ['what a unique criterion finds', 'Post', { slug: 'x' }, 0],
    [
      'a compound one',
      'Comment',
      {
        OR: [
          { postId: 1, seq: 1 },
          { postId: 1, seq: 2 },
        ],
      },
      0,
    ],
    ['the same beside what no index finds', 'Comment', { OR: [{ postId: 1, seq: 1 }, { body: 'x' }] }, 3],
    ['half of it', 'Comment', { postId: 1 }, 1],
    ['a text match', 'Post', { title: { contains: 'x' } }, 10],
    ['one that ignores case', 'Post', { title: { contains: 'x', mode: 'insensitive' } }, 30],
    ['the same within not', 'Post', { title: { not: { contains: 'x' }, mode: 'insensitive' } }, 30],
    ['a list within not', 'Post', { title: { not: { in: ['x', 'y'] }, mode: 'insensitive' } }, 60],
    ['a value in JSON', 'Profile', { settings: { path: ['a'], equals: 1 } }, 10],
    ['several comparisons of it', 'Profile', { settings: { path: ['a'], string_contains: 'a', not: 'b', gt: 1 } }, 30],
    ['a relation to one', 'Post', { author: { name: 'x' } }, 2],
    ['to many', 'Post', { comments: { some: {} } }, 1],
    ['several conditions of one', 'Post', { comments: { some: {}, none: { body: 'x' } } }, 3],
    ['to one behind many', 'Post', { comments: { some: { author: { name: 'x' } } } }, 3],
    ['a text behind it', 'User', { posts: { some: { comments: { some: { body: { contains: 'x' } } } } } }, 12],
    ['back through shared rows', 'Comment', { post: { comments: { some: { post: { title: 'x' } } } } }, 4],
    ['a fourth, behind to-many', 'Comment', { post: { comments: { some: { author: { posts: { some: {} } } } } } }, 53],
    ['a fourth, to many', 'Comment', { post: { category: { parent: { posts: { some: {} } } } } }, 53],
    ['a fourth and a fifth', 'Tag', { posts: { some: { author: { profile: { user: { name: 'x' } } } } } }, 54],
    ['a fourth, all of them to one', 'Comment', { post: { category: { parent: { parent: { readers: 1 } } } } }, 5],
  ])('%s', (_what, model, where, points) => {
    expect(cost(model, where)).toBe(points)
  })

  it('an order costs what it joins', () => {
    const post = BLOG.get('Post') ?? fail('Post')
    expect(orderCost(post, { title: 'asc' })).toBe(1)
    expect(orderCost(post, [{ author: { name: 'asc' } }, { comments: { _count: 'desc' } }])).toBe(31)
  })
})

describeDatabases('what a request may cost', (db) => {
  let rest: RestClient
  let rpc: RpcClient
  beforeAll(async () => {
    await db.fill(seedBlog)
    rest = restClient(db)
    rpc = rpcClient(db)
  })

  it.each(ORDINARY)('RPC answers what apps ask for: %s', async (_what, model, args) => {
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
  ])('REST answers what apps ask for: %s', async (path) => {
    expect((await rest.get(path)).status).toBe(200)
  })

  it.each(DEAR)(
    'RPC refuses what costs too much, before the database is asked: %s',
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
  ])('REST refuses what costs too much, before the database is asked: %s', async (parameter, path) => {
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
  ])('REST adds up the conditions of the collection and its included lists: %s', async (_what, parameter, path) => {
    const { status, errors } = await rest.get(path)
    expect([status, errors[0]?.source, errors[0]?.detail]).toEqual([
      400,
      { parameter },
      expect.stringContaining('limits.filterCost'),
    ])
    expect((await restClient(db, { limits: { filterCost: 170 } }).get(path)).status).toBe(200)
  })

  it('the option raises it', async () => {
    const where = { OR: FIFTEEN }
    expect((await rpc.call('post', 'count', { where })).status).toBe(400)
    expect((await rpcClient(db, { limits: { filterCost: 150 } }).call('post', 'count', { where })).status).toBe(200)
    expect((await rpcClient(db, { limits: { filterCost: Infinity } }).call('post', 'count', { where })).status).toBe(
      200,
    )
    expect((await restClient(db, { limits: { filterCost: 9 } }).get('/post?filter[title$contains]=x')).status).toBe(400)
  })
})

describeDatabases('how long an answer may be', (db) => {
  const responseBytes = 2000
  const options = { limits: { responseBytes } }
  let rest: RestClient
  let rpc: RpcClient
  beforeAll(async () => {
    await db.fill(seedBlog)
    rest = restClient(db, options)
    rpc = rpcClient(db, options)
  })

  it('a longer one is refused, and the message says what raises the limit', async () => {
    const long = await rest.get('/post?page[limit]=50')
    expect([long.status, long.errors[0]?.code]).toEqual([400, 'limit-exceeded'])
    expect(long.errors[0]?.detail).toContain('limits.responseBytes')
    expect((await rest.get('/post?page[limit]=1&fields[post]=title')).status).toBe(200)
    const { status, body } = await rpc.call('post', 'findMany', {})
    expect([status, body.message]).toEqual([400, expect.stringContaining('limits.responseBytes')])
    expect((await rpc.call('post', 'findMany', { take: 1, select: { title: true } })).status).toBe(200)
  })

  it('is counted in bytes, to the last one', async () => {
    const title = 'ü€😀'.repeat(60)
    const { id } = await db.orm.post.create({ data: { slug: 'long', title } })
    const path = `/post/findUnique?q=${encodeURIComponent(JSON.stringify({ where: { id }, select: { title: true } }))}`
    const { body } = await rpcClient(db).fetch(path)
    const length = new TextEncoder().encode(JSON.stringify(body)).length
    expect((await rpcClient(db, { limits: { responseBytes: length } }).fetch(path)).status).toBe(200)
    expect((await rpcClient(db, { limits: { responseBytes: length - 1 } }).fetch(path)).status).toBe(400)
    const shown = new TextEncoder().encode((await restClient(db).get(`/post/${id}`)).text).length
    expect((await restClient(db, { limits: { responseBytes: shown } }).get(`/post/${id}`)).status).toBe(200)
    expect((await restClient(db, { limits: { responseBytes: shown - 1 } }).get(`/post/${id}`)).status).toBe(400)
  })

  it('a write that was made says so', async () => {
    const content = 'x'.repeat(3000)
    const attributes = { slug: 'made', title: 'Made', content }
    const { status, errors } = await rest.post('/post', { data: { type: 'post', attributes } })
    expect([status, errors[0]?.detail]).toEqual([
      400,
      expect.stringMatching(/^The change was made.*limits\.responseBytes/),
    ])
    expect(await db.orm.post.count({ where: { slug: 'made' } })).toBe(1)
    const answer = await rpc.call('post', 'create', { data: { slug: 'made-too', title: 'Made', content } })
    expect([answer.status, answer.body.message]).toEqual([
      400,
      expect.stringMatching(/^The change was made.*limits\.responseBytes/),
    ])
    expect(await db.orm.post.count({ where: { slug: 'made-too' } })).toBe(1)
  })
})

describe('the message of every limit', () => {
  it('names the option that raises it', async () => {
    const { limitMessage: beyond } = await import('../../runtime/limits.js')
    for (const name of Object.keys(DEFAULT_LIMITS) as (keyof typeof DEFAULT_LIMITS)[]) {
      expect(beyond(name, 'Too much.')).toMatch(
        new RegExp(`^Too much\\. .*limits\\.${name} raises this limit, which is there because [a-z ,]+\\.$`),
      )
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
