import { beforeAll, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type RpcClient, rpcClient } from './client.js'

type Call = readonly [what: string, model: string, operation: string, args: object, queries: number]

/** A `take` that Prisma does not pass to the database. */
const ONE = { take: 1 }
const POSTS = { posts: ONE }
const COMMENTS = { comments: ONE }
const CURSOR = { cursor: { id: 1 } }
const where = (id: number) => ({ where: { id } })
const posts = (args: object) => ({ posts: args })
const author = (select: object) => ({ author: { select } })

const MEMBERS: readonly Call[] = [
  ['members of many rows', 'user', 'findMany', { take: 20, include: POSTS }, 2],
  ['members of many rows, without take', 'user', 'findMany', { take: 20, select: { posts: true } }, 2],
  ['members of the first row', 'user', 'findFirst', { ...where(4), include: posts({ take: -1, skip: 1 }) }, 2],
  ['members behind a to-one relation', 'post', 'findMany', { take: 9, select: author(POSTS) }, 3],
  ['members behind a relation of one row', 'post', 'findUnique', { ...where(4), include: author(POSTS) }, 3],
  ['members of members', 'user', 'findUnique', { ...where(4), select: posts({ select: COMMENTS }) }, 3],
  ['members of 9', 'user', 'findMany', { ...where(9), take: 1, include: posts({ take: 9, include: COMMENTS }) }, 5],
  ['distinct members', 'user', 'findUnique', { ...where(4), select: posts({ distinct: ['id'], take: 1 }) }, 2],
  ['members after a cursor', 'user', 'findUnique', { ...where(4), select: posts({ ...CURSOR, take: 1 }) }, 2],
]
const BY_AUTHOR = [{ authorId: 'asc' }, { id: 'asc' }]
const ROWS: readonly Call[] = [
  ['distinct rows with take', 'post', 'findMany', { distinct: ['status'], take: 2 }, 1],
  ['distinct rows without take', 'post', 'findMany', { distinct: 'status' }, 1],
  ['cursor, non-unique order', 'post', 'findMany', { ...CURSOR, orderBy: { title: 'asc' }, take: 2 }, 1],
  ['cursor, order of a nullable field', 'post', 'findMany', { ...CURSOR, orderBy: BY_AUTHOR, take: 2 }, 1],
  ['first row after a cursor', 'post', 'findFirst', { ...CURSOR, orderBy: { author: { name: 'asc' } } }, 1],
]

const NAMED = posts({ where: { id: { gt: 1 } } })
const TITLES = posts({ select: { title: true } })
const FEW_COMMENTS = posts({ take: 3, include: { comments: true } })
const INCLUDED: readonly Call[] = [
  ['members of many rows', 'user', 'findMany', { take: 3, include: { posts: true } }, 2],
  ['without take', 'user', 'findMany', { where: { id: { in: [4, 5, 6] } }, include: { posts: true } }, 1],
  ['members with a filter', 'user', 'findMany', { take: 3, include: NAMED }, 2],
  ['members in a join table', 'tag', 'findMany', { take: 3, select: TITLES }, 3],
  ['members behind a to-one relation', 'post', 'findMany', { take: 3, select: author({ posts: true }) }, 3],
  ['members of members', 'user', 'findMany', { take: 1, ...where(4), include: FEW_COMMENTS }, 5],
]

const TWO_LISTS = { posts: ONE, comments: { skip: 1, take: 2 } }
const BY_SLUG = [{ title: 'asc' }, { slug: 'asc' }]
const UNCOUNTED: readonly Call[] = [
  ['members of one row', 'user', 'findUnique', { ...where(4), include: TWO_LISTS }, 3],
  ['no members', 'user', 'findMany', { take: 20, include: { profile: true, posts: { take: 0 } } }, 2],
  ['rows after a cursor in a unique order', 'post', 'findMany', { ...CURSOR, orderBy: BY_SLUG, take: 2 }, 1],
  ['rows after a cursor without an order', 'post', 'findMany', { ...CURSOR, take: 2 }, 1],
]

describeDatabases('RPC: limits.loadedRows', (db) => {
  let few: RpcClient
  beforeAll(async () => {
    await db.fill(seedBlog)
    few = rpcClient(db, { limits: { loadedRows: 4 } })
  })
  const limited = (loadedRows: number) => rpcClient(db, { limits: { loadedRows } })

  /** Expects that a call is rejected after queries that read only keys. Returns the queries. */
  async function queriesOfRejected(api: RpcClient, [, model, operation, args, count]: Call, message: string) {
    const queries = await db.queriesOf(async () => {
      const { status, body } = await api.call(model, operation, args)
      expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
    })
    expect(queries, queries.join('\n')).toHaveLength(count)
    for (const query of queries) expect(query).not.toMatch(/title|body|email/)
    return queries
  }

  it.each([...MEMBERS, ...ROWS])(
    '%s: counts rows before loading them and rejects too many with 400',
    async (...call) => {
      expect((await queriesOfRejected(few, call, 'More than 4 rows')).at(-1)).toMatch(/COUNT\(.*LIMIT/)
    },
  )

  it.each(INCLUDED)('%s: counts included rows before loading them and rejects too many with 400', async (...call) => {
    const small = rpcClient(db, { limits: { loadedRows: 400, includedRows: 3 } })
    await queriesOfRejected(small, call, 'limits.includedRows')
  })

  it('counts members in a join table by their keys', async () => {
    await queriesOfRejected(few, ['', 'tag', 'findMany', { take: 20, include: POSTS }, 3], 'More than 4 rows')
  })

  it('accepts as many rows as the limit and rejects one more with 400', async () => {
    const first = { where: { id: { in: [1, 2, 3] } }, take: 3 }
    const posts = { take: 1, orderBy: { id: 'desc' } } as const
    const args = { ...first, orderBy: { id: 'asc' }, include: { posts } } as const
    const members = await db.orm.post.count({ where: { author: first.where } })
    expect(await limited(members).result('user', 'findMany', args)).toMatchObject(
      (await db.orm.user.findMany(args)).map(({ id, posts }) => ({ id, posts })),
    )
    expect((await limited(members - 1).call('user', 'findMany', args)).status).toBe(400)
  })

  it('counts shared members once per row', async () => {
    const rows = await db.orm.tag.findMany({ select: { _count: { select: { posts: true } } } })
    const pairs = rows.reduce((sum, { _count }) => sum + _count.posts, 0)
    expect(pairs).toBeGreaterThan(await db.orm.post.count())
    for (const args of [{ take: 100, include: POSTS }, { include: { posts: true } }]) {
      expect((await limited(pairs).call('tag', 'findMany', args)).status).toBe(200)
      expect((await limited(pairs - 1).call('tag', 'findMany', args)).status).toBe(400)
    }
  })

  describe('rows that share members, counted in batches of 100', () => {
    const untagged = { title: 'Untagged' }
    const include = { comments: { where: { body: 'One of two' }, ...ONE }, tags: { where: { name: '' } } }
    beforeAll(async () => {
      const slugs = Array.from({ length: 201 }, (_, index) => `untagged-${index}`)
      await db.orm.post.createMany({ data: slugs.map((slug) => ({ slug, ...untagged })) })
      const two = await db.orm.post.findMany({ where: untagged, select: { id: true }, take: 2 })
      await db.orm.comment.createMany({ data: two.map(({ id }) => ({ postId: id, seq: 1, body: 'One of two' })) })
      return () => db.orm.post.deleteMany({ where: untagged })
    })

    it.each([
      ['limit not reached', 400, 200],
      ['limit reached by an earlier relation', 2, 200],
      ['limit exceeded by an earlier relation', 1, 400],
    ])('%s: counts the next relation only within the limit', async (_what, loadedRows, expected) => {
      const args = { where: untagged, take: 201, include }
      const queries = await db.queriesOf(async () => {
        expect((await limited(loadedRows).call('post', 'findMany', args)).status).toBe(expected)
      })
      const ofTags = queries.filter((query) => query.includes('PostToTag'))
      // The last query is the client's own: it loads the response.
      expect(ofTags, ofTags.join('\n')).toHaveLength(expected === 200 ? 4 : 0)
    })
  })

  it.each(UNCOUNTED)(
    '%s: does not count rows that the database limits',
    async (_what, model, operation, args, count) => {
      const queries = await db.queriesOf(() => few.result(model, operation, args))
      expect(queries, queries.join('\n')).toHaveLength(count)
      for (const query of queries) expect(query).not.toMatch(/COUNT\(/)
    },
  )

  it('does not count rows without a limit', async () => {
    for (const [, model, operation, args] of [...MEMBERS, ...ROWS].filter(([, , , args]) => 'take' in args)) {
      const queries = await db.queriesOf(() => limited(Infinity).result(model, operation, args))
      for (const query of queries) expect(query).not.toMatch(/COUNT\(/)
    }
  })

  it.each([
    ['update', { ...where(1), data: { title: 'Changed' } }],
    ['delete', where(1)],
    ['create', { data: { slug: 'changed', title: 'Changed', author: { connect: { id: 1 } } } }],
  ])('%s: rejects a write whose response loads too many rows with 400, without writing', async (operation, args) => {
    const read = () => db.orm.post.findMany({ select: { id: true, title: true }, orderBy: { id: 'asc' } })
    const before = await read()
    const { status, body } = await few.call('post', operation, { ...args, include: { author: { include: POSTS } } })
    expect([status, body.message]).toEqual([400, expect.stringContaining('More than 4 rows')])
    expect(await read()).toEqual(before)
  })
})
