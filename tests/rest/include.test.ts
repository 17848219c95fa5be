import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { fillBlog } from './support/blog.js'
import { fixtureClient, type RestClient, restClient } from './support/client.js'

describeDatabases('REST: include', (db) => {
  let rest: RestClient

  beforeAll(async () => {
    await db.fill(seedBlog)
    rest = restClient(db)
  })

  it('returns the same rows as a Prisma include', async () => {
    const response = await rest.get('/user?include=posts.tags.posts,posts.comments.author,profile')
    const order = { orderBy: { id: 'asc' } } as const
    const tags = { orderBy: { name: 'asc' }, include: { posts: order } } as const
    const include = { posts: { ...order, include: { tags, comments: true } } } as const
    const users = await db.orm.user.findMany({ ...order, include })
    const all = [...response.many, ...(response.body.included ?? [])]
    const linkage = (type: string, id: string | number, name: string) =>
      all.find((one) => one.type === type && one.id === String(id))?.relationships?.[name]?.data
    const posts = users.flatMap((user) => user.posts)
    expect(posts.length).toBeGreaterThan(20)
    for (const { id, posts } of users) expect(linkage('user', id, 'posts')).toEqual(identifiers('post', posts))
    for (const { id, tags, comments } of posts) {
      expect(linkage('post', id, 'tags')).toEqual(tags.map(({ name }) => identifier('tag', name)))
      const ids = comments.map(({ postId, seq }) => identifier('comment', `${postId}_${seq}`))
      expect(linkage('post', id, 'comments')).toEqual(ids)
      for (const { name, posts } of tags) expect(linkage('tag', name, 'posts')).toEqual(identifiers('post', posts))
    }
  })

  it.each([
    ['/post?include=comments', 2],
    // The profile of an author is loaded too, for its linkage.
    ['/post?include=author.posts,comments.author', 7],
    ['/post/1?include=comments.author', 4],
    ['/post?include=tags', 3],
    ['/post/1?include=tags', 2],
  ])('%s: sends at most one query per relation and one per join table: %i', async (path, count) => {
    expect(await db.queriesOf(() => rest.get(path))).toHaveLength(count)
  })

  it('adds a LIMIT to every query that can return many rows', async () => {
    const limited = restClient(db, { limits: { includedRows: 5000 } })
    const queries = await db.queriesOf(() => limited.get('/user?include=posts.comments'))
    const many = queries.filter((query) => /from\W+(\w+\W+)?(Post|Comment)\b/i.test(query) && !/COUNT\(/.test(query))
    expect(many).toHaveLength(2)
    for (const query of many) expect(query).toMatch(/\bLIMIT\b/)
  })

  describe('limits.includedRows', () => {
    beforeEach(() => db.fill(fillBlog).then(() => undefined))
    const limited = (includedRows: number, orm?: unknown) => restClient(db, { limits: { includedRows } }, orm)

    // Number of rows that each path adds, once per reference to them.
    it.each([
      ['/post?include=comments', 4],
      ['/post?include=tags', 3],
      ['/user?include=posts', 4],
      ['/user?include=posts.comments', 8],
      ['/user?include=posts,comments', 7],
      ['/comment?include=post.tags', 4 + 6],
      ['/tag?include=posts.tags', 3 + 5],
      ['/user/1/posts?include=comments', 3],
      ['/user/1/relationships/posts?include=posts.comments', 3 + 3],
      ['/post/1/author?include=posts.tags', 3 + 3],
      ['/category/1?include=children.posts', 2 + 2],
    ])('%s: counts %i rows against the limit', async (path, count) => {
      expect((await limited(count).get(path)).status).toBe(200)
      const { status, errors } = await limited(count - 1).get(path)
      expect([status, errors[0]?.code, errors[0]?.source]).toEqual([400, 'limit-exceeded', { parameter: 'include' }])
    })

    it('stops loading rows beyond the limit', async () => {
      const data = Array.from({ length: 3000 }, (_, seq) => ({ postId: 1, seq: seq + 10, body: 'x' }))
      await db.orm.comment.createMany({ data })
      const read: number[] = []
      const comment = {
        async findMany({ args, query }: { args: unknown; query(args: unknown): Promise<readonly unknown[]> }) {
          const rows = await query(args)
          read.push(rows.length)
          return rows
        },
      }
      const counting = db.orm.$extends({ query: { comment } })
      expect((await limited(50, counting).get('/post?include=comments')).status).toBe(400)
      expect(read).toEqual([51])
    })

    it('does not roll back a write whose response exceeds the limit', async () => {
      const body = { data: { type: 'post', attributes: { title: 'New' } } }
      const { status, errors } = await limited(2).patch('/post/1?include=comments', body)
      expect(status).toBe(400)
      expect(errors[0]).toMatchObject({ code: 'limit-exceeded', meta: { reason: 'RESULT_NOT_READABLE' } })
      expect(errors[0]?.detail).toMatch(/The change was made/)
      expect((await db.orm.post.findUniqueOrThrow({ where: { id: 1 } })).title).toBe('New')
    })

    it('does not limit the number of parent rows', async () => {
      const posts = Array.from({ length: 1200 }, (_, index) => ({ slug: `s${index}`, title: 'x', authorId: 3 }))
      await db.orm.post.createMany({ data: posts })
      const ids = (await db.orm.post.findMany({ where: { authorId: 3 }, select: { id: true } })).map(({ id }) => id)
      await db.orm.comment.createMany({ data: ids.map((postId) => ({ postId, seq: 1, body: 'x' })) })
      for (const name of ['all', 'more']) {
        await db.orm.tag.create({ data: { name } })
        for (let at = 0; at < ids.length; at += 300) {
          const posts = { connect: ids.slice(at, at + 300).map((id) => ({ id })) }
          await db.orm.tag.update({ where: { name }, data: { posts } })
        }
      }
      const user = await rest.get('/user/3?include=posts.comments,posts.tags')
      expect([user.status, user.body.included?.length]).toEqual([200, 2402])
      const page = await rest.get('/post?page[limit]=1000&include=comments,tags')
      expect([page.status, page.many.length]).toEqual([200, 1000])
      const all = await rest.get('/tag/all?include=posts')
      expect(all.one.relationships?.['posts']?.data).toHaveLength(1200)
    })

    it('applies to join tables that are loaded in batches', async () => {
      for (let id = 1; id <= 4; id++) {
        const tags = Array.from({ length: 40 }, (_, index) => ({ name: `t${String(index).padStart(2, '0')}` }))
        const connectOrCreate = tags.map((tag) => ({ where: tag, create: tag }))
        await db.orm.post.update({ where: { id }, data: { tags: { connectOrCreate } } })
      }
      const all = 4 * 40 + 3
      const response = await limited(all).get('/post?include=tags')
      const counts = response.many.map((post) => [post.relationships?.['tags']?.data].flat().length)
      expect([response.status, counts]).toEqual([200, [42, 41, 40, 40, 0]])
      // The last limit is so low that the posts are loaded in batches.
      for (const limit of [all - 1, 41]) expect((await limited(limit).get('/post?include=tags')).status).toBe(400)
    })
  })
})

describeDatabases(
  'REST: include with extended clients',
  (db) => {
    beforeEach(() => db.fill(fillBlog).then(() => undefined))

    it('returns the same linkage if extensions add fields or omit foreign keys', async () => {
      const path = '/user?include=posts.comments,posts.tags'
      const plain = await restClient(db).get(path)
      const computing = db.orm.$extends({
        result: { post: { shout: { needs: { title: true }, compute: ({ title }) => title.toUpperCase() } } },
      })
      expect((await restClient(db, {}, computing).get(path)).body).toEqual(plain.body)
      const leaving = db.orm.$extends({
        query: {
          comment: { findMany: ({ args, query }) => query(args.select ? args : { ...args, omit: { postId: true } }) },
          post: { findMany: ({ args, query }) => query(args.select ? args : { ...args, omit: { authorId: true } }) },
        },
      })
      const response = await restClient(db, {}, leaving).get('/user?include=posts.tags')
      expect(response.many[0]?.relationships?.['posts']?.data).toEqual(plain.many[0]?.relationships?.['posts']?.data)
      expect(response.body.included?.[0]?.attributes).not.toHaveProperty('authorId')
    })

    it('supports fieldsets and mapped ids', async () => {
      const response = await restClient(db, { externalIdMapping: { Post: 'slug' } }).get(
        '/post?fields[post]=title,comments&fields[comment]=body&include=comments',
      )
      const first = response.many.find(({ id }) => id === 'one')
      expect(first?.relationships?.['comments']?.data).toHaveLength(3)
      expect(response.body.included).toContainEqual(
        expect.objectContaining({ type: 'comment', id: '1_1', attributes: { body: 'First!' } }),
      )
    })
  },
  { only: ['SQLite'] },
)

describeDatabases(
  'REST: include over other keys',
  (db) => {
    it('loads relations over compound, unique and self-referencing keys', async () => {
      await db.reset()
      const rest = fixtureClient(db)
      const day = new Date('2024-05-31T12:00:00.123Z')
      for (const number of [1n, 2n]) {
        const lines = { create: [{}, {}] }
        await db.orm.compoundKey.create({ data: { tenant: 't', day, number, label: 'x', lines } })
      }
      const orders = await rest.get('/compoundkey?include=lines')
      const lines = (...ids: readonly number[]) => ids.map((id) => identifier('compoundline', id))
      const included = orders.many.map((order) => order.relationships?.['lines']?.data)
      expect(included).toEqual([lines(1, 2), lines(3, 4)])
      for (const name of ['Ann', 'Ben']) await db.orm.person.create({ data: { name } })
      await db.orm.person.update({ where: { id: 1 }, data: { follows: { connect: [{ id: 1 }, { id: 2 }] } } })
      await db.orm.person.update({ where: { id: 2 }, data: { mentorId: 1 } })
      const people = await rest.get('/person?include=follows,followers,mentees')
      const idsOf = (one: (typeof people.many)[number]) =>
        ['follows', 'followers', 'mentees'].map((name) =>
          [one.relationships?.[name]?.data ?? []].flat().map(({ id }) => id),
        )
      expect(people.many.map(idsOf)).toEqual([
        [['1', '2'], ['1'], ['2']],
        [[], ['1'], []],
      ])
      await db.orm.course.create({ data: { code: 'c', enrolments: { create: { personId: 1 } } } })
      const courses = await rest.get('/course?include=enrolments&fields[course]=enrolments')
      expect(courses.many[0]?.relationships?.['enrolments']?.data).toEqual([identifier('enrolment', '1_c')])
    })
  },
  { fixture: 'kitchen-sink', only: ['PGlite'] },
)

function identifier(type: string, id: string | number) {
  return { type, id: String(id) }
}

function identifiers(type: string, rows: readonly { readonly id: number }[]) {
  return rows.map(({ id }) => identifier(type, id))
}
