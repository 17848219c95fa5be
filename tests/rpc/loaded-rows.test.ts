import { beforeAll, describe, expect, it } from 'vitest'

import { type Database, describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type RpcClient, rpcClient } from './client.js'

type Call = readonly [what: string, model: string, operation: string, args: object, queries: number]

/** A `take` that Prisma does not pass to the database. */
const ONE = { take: 1 }
const FOURTH = { where: { id: 4 } }

const MEMBERS: readonly Call[] = [
  ['members of many rows', 'user', 'findMany', { take: 20, include: { posts: ONE } }, 2],
  ['members of many rows, without take', 'user', 'findMany', { take: 20, select: { posts: true } }, 2],
  ['members of the first row', 'user', 'findFirst', { ...FOURTH, include: { posts: { take: -1, skip: 1 } } }, 2],
  [
    'members behind a to-one relation',
    'post',
    'findMany',
    { take: 9, select: { author: { select: { posts: ONE } } } },
    3,
  ],
  [
    'members behind a to-one relation of one row',
    'post',
    'findUnique',
    { ...FOURTH, include: { author: { include: { posts: ONE } } } },
    3,
  ],
  ['members of members', 'user', 'findUnique', { ...FOURTH, select: { posts: { select: { comments: ONE } } } }, 3],
  [
    'members of members with take',
    'user',
    'findMany',
    { take: 1, where: { id: 9 }, include: { posts: { take: 9, include: { comments: ONE } } } },
    5,
  ],
  [
    'distinct members of one row',
    'user',
    'findUnique',
    { ...FOURTH, select: { posts: { distinct: ['id'], take: 1 } } },
    2,
  ],
  [
    'members of one row after a cursor',
    'user',
    'findUnique',
    { ...FOURTH, select: { posts: { cursor: { id: 1 }, take: 1 } } },
    2,
  ],
]

const ROWS: readonly Call[] = [
  ['distinct rows with take', 'post', 'findMany', { distinct: ['status'], take: 2 }, 1],
  ['distinct rows without take', 'post', 'findMany', { distinct: 'status' }, 1],
  [
    'rows after a cursor in a non-unique order',
    'post',
    'findMany',
    { cursor: { id: 1 }, orderBy: { title: 'asc' }, take: 2 },
    1,
  ],
  [
    'rows after a cursor in the order of a nullable field',
    'post',
    'findMany',
    { cursor: { id: 1 }, orderBy: [{ authorId: 'asc' }, { id: 'asc' }], take: 2 },
    1,
  ],
  ['first row after a cursor', 'post', 'findFirst', { cursor: { id: 1 }, orderBy: { author: { name: 'asc' } } }, 1],
]

describeDatabases('RPC: limits.loadedRows', (db) => {
  let few: RpcClient
  beforeAll(async () => {
    await db.fill(seedBlog)
    few = rpcClient(db, { limits: { loadedRows: 4 } })
  })

  it.each([...MEMBERS, ...ROWS])(
    '%s: counts rows before loading them and rejects too many with 400',
    async (_what, model, operation, args, count) => {
      const queries = await db.queriesOf(async () => {
        const { status, body } = await few.call(model, operation, args)
        expect([status, body.message]).toEqual([400, expect.stringContaining('More than 4 rows')])
      })
      expect(queries, queries.join('\n')).toHaveLength(count)
      expect(queries.at(-1)).toMatch(/COUNT\(.*LIMIT/)
      // Only keys were read.
      for (const query of queries) expect(query).not.toMatch(/title|body|email/)
    },
  )

  it.each<Call>([
    ['members of many rows', 'user', 'findMany', { take: 3, include: { posts: true } }, 2],
    [
      'members of many rows, without take',
      'user',
      'findMany',
      { where: { id: { in: [4, 5, 6] } }, include: { posts: true } },
      1,
    ],
    ['members with a filter', 'user', 'findMany', { take: 3, include: { posts: { where: { id: { gt: 1 } } } } }, 2],
    ['members in a join table', 'tag', 'findMany', { take: 3, select: { posts: { select: { title: true } } } }, 3],
    [
      'members behind a to-one relation',
      'post',
      'findMany',
      { take: 3, select: { author: { select: { posts: true } } } },
      3,
    ],
    [
      'members of members',
      'user',
      'findMany',
      { take: 1, where: { id: 4 }, include: { posts: { take: 3, include: { comments: true } } } },
      5,
    ],
  ])(
    '%s: counts included rows before loading them and rejects too many with 400',
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

  it('accepts as many rows as the limit and rejects one more with 400', async () => {
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

  it('counts shared members once per row', async () => {
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

  describe('rows that share members, counted in batches of 100', () => {
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
      ['limit not reached', 400, 200],
      ['limit reached by an earlier relation', 2, 200],
      ['limit exceeded by an earlier relation', 1, 400],
    ])('%s: counts the next relation only within the limit', async (_what, loadedRows, expected) => {
      const read = rpcClient(db, { limits: { loadedRows } })
      const queries = await db.queriesOf(async () => {
        expect((await read.call('post', 'findMany', { where, take: 201, include })).status).toBe(expected)
      })
      const ofTags = queries.filter((query) => query.includes('PostToTag'))
      // The last query is the client's own: it loads the response.
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
      'rows after a cursor in a unique order',
      'post',
      'findMany',
      { cursor: { id: 1 }, orderBy: [{ title: 'asc' }, { slug: 'asc' }], take: 2 },
      1,
    ],
    ['rows after a cursor without an order', 'post', 'findMany', { cursor: { id: 1 }, take: 2 }, 1],
  ])('%s: does not count rows that the database limits', async (_what, model, operation, args, count) => {
    const queries = await db.queriesOf(() => few.result(model, operation, args))
    expect(queries, queries.join('\n')).toHaveLength(count)
    for (const query of queries) expect(query).not.toMatch(/COUNT\(/)
  })

  it('does not count rows without a limit', async () => {
    const all = rpcClient(db, { limits: { loadedRows: Infinity } })
    for (const [, model, operation, args] of [...MEMBERS, ...ROWS].filter(([, , , args]) => 'take' in args)) {
      const queries = await db.queriesOf(() => all.result(model, operation, args))
      for (const query of queries) expect(query).not.toMatch(/COUNT\(/)
    }
  })

  describe('write whose response loads too many rows', () => {
    it.each([
      ['update', { where: { id: 1 }, data: { title: 'Changed' } }],
      ['delete', { where: { id: 1 } }],
      ['create', { data: { slug: 'changed', title: 'Changed', author: { connect: { id: 1 } } } }],
    ])('%s: rejects with 400 without writing', async (operation, args) => {
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
