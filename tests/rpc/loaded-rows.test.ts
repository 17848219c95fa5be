import { beforeAll, describe, expect, it } from 'vitest'

import { type Database, describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type RpcClient, rpcClient } from './client.js'

type Call = readonly [what: string, model: string, operation: string, args: object, queries: number]

/** A `take` that Prisma does not give to the database. */
const ONE = { take: 1 }
const FOURTH = { where: { id: 4 } }

const MEMBERS: readonly Call[] = [
  ['of many rows', 'user', 'findMany', { take: 20, include: { posts: ONE } }, 2],
  ['of many rows, without take', 'user', 'findMany', { take: 20, select: { posts: true } }, 2],
  ['of the first row', 'user', 'findFirst', { ...FOURTH, include: { posts: { take: -1, skip: 1 } } }, 2],
  ['behind a to-one relation', 'post', 'findMany', { take: 9, select: { author: { select: { posts: ONE } } } }, 3],
  ['behind one of one row', 'post', 'findUnique', { ...FOURTH, include: { author: { include: { posts: ONE } } } }, 3],
  ['of members', 'user', 'findUnique', { ...FOURTH, select: { posts: { select: { comments: ONE } } } }, 3],
  [
    'of members that are cut',
    'user',
    'findMany',
    { take: 1, where: { id: 9 }, include: { posts: { take: 9, include: { comments: ONE } } } },
    5,
  ],
  ['of one row, compared', 'user', 'findUnique', { ...FOURTH, select: { posts: { distinct: ['id'], take: 1 } } }, 2],
  ['of one row, behind one', 'user', 'findUnique', { ...FOURTH, select: { posts: { cursor: { id: 1 }, take: 1 } } }, 2],
]

const ROWS: readonly Call[] = [
  ['compared', 'post', 'findMany', { distinct: ['status'], take: 2 }, 1],
  ['compared, without take', 'post', 'findMany', { distinct: 'status' }, 1],
  [
    'behind one that others rank equal with',
    'post',
    'findMany',
    { cursor: { id: 1 }, orderBy: { title: 'asc' }, take: 2 },
    1,
  ],
  [
    'behind one, by what may be null',
    'post',
    'findMany',
    { cursor: { id: 1 }, orderBy: [{ authorId: 'asc' }, { id: 'asc' }], take: 2 },
    1,
  ],
  ['the first behind one', 'post', 'findFirst', { cursor: { id: 1 }, orderBy: { author: { name: 'asc' } } }, 1],
]

describeDatabases('RPC: rows that Prisma would load', (db) => {
  let few: RpcClient
  beforeAll(async () => {
    await db.fill(seedBlog)
    few = rpcClient(db, { limits: { loadedRows: 4 } })
  })

  it.each([...MEMBERS, ...ROWS])('too many are counted first: %s', async (_what, model, operation, args, count) => {
    const queries = await db.queriesOf(async () => {
      const { status, body } = await few.call(model, operation, args)
      expect([status, body.message]).toEqual([400, expect.stringContaining('More than 4 rows')])
    })
    expect(queries, queries.join('\n')).toHaveLength(count)
    expect(queries.at(-1)).toMatch(/COUNT\(.*LIMIT/)
    // Nothing else was read than keys.
    for (const query of queries) expect(query).not.toMatch(/title|body|email/)
  })

  it.each<Call>([
    ['of many rows', 'user', 'findMany', { take: 3, include: { posts: true } }, 2],
    [
      'of many rows, without take',
      'user',
      'findMany',
      { where: { id: { in: [4, 5, 6] } }, include: { posts: true } },
      1,
    ],
    ['with a filter', 'user', 'findMany', { take: 3, include: { posts: { where: { id: { gt: 1 } } } } }, 2],
    ['in a join table', 'tag', 'findMany', { take: 3, select: { posts: { select: { title: true } } } }, 3],
    ['behind a to-one relation', 'post', 'findMany', { take: 3, select: { author: { select: { posts: true } } } }, 3],
    [
      'of members',
      'user',
      'findMany',
      { take: 1, where: { id: 4 }, include: { posts: { take: 3, include: { comments: true } } } },
      5,
    ],
  ])(
    'included rows beyond the limit are counted before they are loaded: %s',
    async (_what, model, operation, args, count) => {
      const small = rpcClient(db, { limits: { loadedRows: 400, includedRows: 3 } })
      const queries = await db.queriesOf(async () => {
        const { status, body } = await small.call(model, operation, args)
        expect([status, body.message]).toEqual([400, expect.stringContaining('limits.includedRows')])
      })
      expect(queries, queries.join('\n')).toHaveLength(count)
      for (const query of queries) expect(query).not.toMatch(/title|body|email/)
    },
  )

  it('counts members in a join table by their keys', async () => {
    const queries = await db.queriesOf(async () => {
      const { status, body } = await few.call('tag', 'findMany', { take: 20, include: { posts: ONE } })
      expect([status, body.message]).toEqual([400, expect.stringContaining('More than 4 rows')])
    })
    expect(queries, queries.join('\n')).toHaveLength(3)
    for (const query of queries) expect(query).not.toMatch(/title|body|email/)
  })

  it('as many as the limit are answered as the client does, one more is not', async () => {
    const where = { id: { in: [1, 2, 3] } }
    const args = {
      where,
      take: 3,
      orderBy: { id: 'asc' },
      include: { posts: { take: 1, orderBy: { id: 'desc' } } },
    } as const
    const members = await db.orm.post.count({ where: { author: where } })
    const read = (loadedRows: number) => rpcClient(db, { limits: { loadedRows } })
    expect(await read(members).result('user', 'findMany', args)).toMatchObject(
      (await db.orm.user.findMany(args)).map(({ id, posts }) => ({ id, posts })),
    )
    expect((await read(members - 1).call('user', 'findMany', args)).status).toBe(400)
  })

  it('members that several rows share count for each of them', async () => {
    const rows = await db.orm.tag.findMany({ select: { _count: { select: { posts: true } } } })
    const pairs = rows.reduce((sum, { _count }) => sum + _count.posts, 0)
    expect(pairs).toBeGreaterThan(await db.orm.post.count())
    const read = (loadedRows: number, args: object) =>
      rpcClient(db, { limits: { loadedRows } }).call('tag', 'findMany', args)
    for (const args of [{ take: 100, include: { posts: ONE } }, { include: { posts: true } }]) {
      expect((await read(pairs, args)).status).toBe(200)
      expect((await read(pairs - 1, args)).status).toBe(400)
    }
  })

  describe('of rows that share their members, 100 are looked at at once', () => {
    const where = { title: 'Untagged' }
    const include = { comments: { where: { body: 'One of two' }, ...ONE }, tags: { where: { name: '' } } }
    beforeAll(async () => {
      const slugs = Array.from({ length: 201 }, (_, index) => `untagged-${index}`)
      await db.orm.post.createMany({ data: slugs.map((slug) => ({ slug, ...where })) })
      const posts = await db.orm.post.findMany({ where, select: { id: true }, take: 2 })
      await db.orm.comment.createMany({ data: posts.map(({ id }) => ({ postId: id, seq: 1, body: 'One of two' })) })
      return () => db.orm.post.deleteMany({ where })
    })

    it.each([
      ['the limit is not reached', 400, 200],
      ['the limit is reached before', 2, 200],
      ['the limit is exceeded before', 1, 400],
    ])('where the first have none, and %s', async (_what, loadedRows, expected) => {
      const read = rpcClient(db, { limits: { loadedRows } })
      const queries = await db.queriesOf(async () => {
        expect((await read.call('post', 'findMany', { where, take: 201, include })).status).toBe(expected)
      })
      const ofTags = queries.filter((query) => query.includes('PostToTag'))
      // The last one is the client's own, for the answer.
      expect(ofTags, ofTags.join('\n')).toHaveLength(expected === 200 ? 4 : 0)
    })
  })

  it.each<Call>([
    [
      'members of one row',
      'user',
      'findUnique',
      { ...FOURTH, include: { posts: ONE, comments: { skip: 1, take: 2 } } },
      3,
    ],
    ['no members', 'user', 'findMany', { take: 20, include: { profile: true, posts: { take: 0 } } }, 2],
    [
      'rows behind one, in the order of what is unique',
      'post',
      'findMany',
      { cursor: { id: 1 }, orderBy: [{ title: 'asc' }, { slug: 'asc' }], take: 2 },
      1,
    ],
    ['rows behind one, without an order', 'post', 'findMany', { cursor: { id: 1 }, take: 2 }, 1],
  ])('what the database bounds is not counted: %s', async (_what, model, operation, args, count) => {
    const queries = await db.queriesOf(() => few.result(model, operation, args))
    expect(queries, queries.join('\n')).toHaveLength(count)
    for (const query of queries) expect(query).not.toMatch(/COUNT\(/)
  })

  it('without a limit nothing is counted', async () => {
    const all = rpcClient(db, { limits: { loadedRows: Infinity } })
    for (const [, model, operation, args] of [...MEMBERS, ...ROWS].filter(([, , , args]) => 'take' in args)) {
      const queries = await db.queriesOf(() => all.result(model, operation, args))
      for (const query of queries) expect(query).not.toMatch(/COUNT\(/)
    }
  })

  describe('a write whose answer would load more is not made', () => {
    it.each([
      ['update', { where: { id: 1 }, data: { title: 'Changed' } }],
      ['delete', { where: { id: 1 } }],
      ['create', { data: { slug: 'changed', title: 'Changed', author: { connect: { id: 1 } } } }],
    ])('%s', async (operation, args) => {
      const include = { author: { include: { posts: ONE } } }
      const before = await rowsOf(db)
      const { status, body } = await few.call('post', operation, { ...args, include })
      expect([status, body.message]).toEqual([400, expect.stringContaining('More than 4 rows')])
      expect(await rowsOf(db)).toEqual(before)
    })
  })
})

function rowsOf({ orm }: Database): Promise<unknown> {
  return orm.post.findMany({ select: { id: true, title: true }, orderBy: { id: 'asc' } })
}
