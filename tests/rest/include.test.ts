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
    const users = await db.orm.user.findMany({
      ...order,
      include: {
        posts: { ...order, include: { tags: { orderBy: { name: 'asc' }, include: { posts: order } }, comments: true } },
      },
    })
    const posts = users.flatMap((user) => user.posts)
    expect(posts.length).toBeGreaterThan(20)
    const byKey = new Map(
      (response.body.included ?? []).map((resource) => [`${resource.type} ${resource.id}`, resource]),
    )
    for (const [index, user] of users.entries()) {
      expect(response.many[index]?.relationships?.['posts']?.data).toEqual(
        user.posts.map(({ id }) => identifier('post', id)),
      )
    }
    for (const post of posts) {
      const resource = byKey.get(`post ${post.id}`)
      expect(resource?.relationships?.['tags']?.data).toEqual(post.tags.map(({ name }) => identifier('tag', name)))
      expect(resource?.relationships?.['comments']?.data).toEqual(
        post.comments.map(({ postId, seq }) => identifier('comment', `${postId}_${seq}`)),
      )
      for (const tag of post.tags) {
        expect(byKey.get(`tag ${tag.name}`)?.relationships?.['posts']?.data).toEqual(
          tag.posts.map(({ id }) => identifier('post', id)),
        )
      }
    }
  })

  it('sends at most one query per relation and one per join table', async () => {
    const queries = (path: string) => db.queriesOf(() => rest.get(path))
    expect(await queries('/post?include=comments')).toHaveLength(2)
    // The profile of an author is loaded too, for its linkage.
    expect(await queries('/post?include=author.posts,comments.author')).toHaveLength(7)
    expect(await queries('/post/1?include=comments.author')).toHaveLength(4)
    expect(await queries('/post?include=tags')).toHaveLength(3)
    expect(await queries('/post/1?include=tags')).toHaveLength(2)
  })

  it('adds a LIMIT to every query that can return many rows', async () => {
    const limited = restClient(db, { limits: { includedRows: 5000 } })
    const queries = await db.queriesOf(() => limited.get('/user?include=posts.comments'))
    const many = queries.filter((query) => /from\W+(\w+\W+)?(Post|Comment)\b/i.test(query) && !/COUNT\(/.test(query))
    expect(many).toHaveLength(2)
    for (const query of many) expect(query).toMatch(/\bLIMIT\b/)
  })

  describe('limits.includedRows', () => {
    beforeEach(async () => {
      await db.fill(fillBlog)
    })

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
      const clientWithLimit = (includedRows: number) => restClient(db, { limits: { includedRows } })
      expect((await clientWithLimit(count).get(path)).status).toBe(200)
      const { status, errors } = await clientWithLimit(count - 1).get(path)
      expect([status, errors[0]?.code, errors[0]?.source]).toEqual([400, 'limit-exceeded', { parameter: 'include' }])
    })

    it('stops loading rows beyond the limit', async () => {
      const data = Array.from({ length: 3000 }, (_, seq) => ({ postId: 1, seq: seq + 10, body: 'x' }))
      await db.orm.comment.createMany({ data })
      const read: number[] = []
      const orm = db.orm.$extends({
        query: {
          comment: {
            async findMany({ args, query }) {
              const rows = await query(args)
              read.push(rows.length)
              return rows
            },
          },
        },
      })
      const few = restClient(db, { limits: { includedRows: 50 } }, orm)
      expect((await few.get('/post?include=comments')).status).toBe(400)
      expect(read).toEqual([51])
    })

    it('does not roll back a write whose response exceeds the limit', async () => {
      const few = restClient(db, { limits: { includedRows: 2 } })
      const response = await few.patch('/post/1?include=comments', {
        data: { type: 'post', attributes: { title: 'New' } },
      })
      expect(response.status).toBe(400)
      expect(response.errors[0]).toMatchObject({ code: 'limit-exceeded', meta: { reason: 'RESULT_NOT_READABLE' } })
      expect(response.errors[0]?.detail).toMatch(/The change was made/)
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
      const clientWithLimit = (includedRows: number) => restClient(db, { limits: { includedRows } })
      const response = await clientWithLimit(all).get('/post?include=tags')
      expect(response.status).toBe(200)
      expect(response.many.map((post) => [post.relationships?.['tags']?.data].flat().length)).toEqual([
        42, 41, 40, 40, 0,
      ])
      expect((await clientWithLimit(all - 1).get('/post?include=tags')).status).toBe(400)
      // So low that the posts are loaded in batches.
      expect((await clientWithLimit(41).get('/post?include=tags')).status).toBe(400)
    })
  })
})

describeDatabases(
  'REST: include with extended clients',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillBlog)
    })

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
      expect(orders.many.map((order) => order.relationships?.['lines']?.data)).toEqual([
        [identifier('compoundline', 1), identifier('compoundline', 2)],
        [identifier('compoundline', 3), identifier('compoundline', 4)],
      ])
      for (const name of ['Ann', 'Ben']) await db.orm.person.create({ data: { name } })
      await db.orm.person.update({ where: { id: 1 }, data: { follows: { connect: [{ id: 1 }, { id: 2 }] } } })
      await db.orm.person.update({ where: { id: 2 }, data: { mentorId: 1 } })
      const people = await rest.get('/person?include=follows,followers,mentees')
      expect(people.many.map(({ relationships }) => linkage(relationships))).toEqual([
        { follows: ['1', '2'], followers: ['1'], mentees: ['2'] },
        { follows: [], followers: ['1'], mentees: [] },
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

function linkage(relationships: NonNullable<Awaited<ReturnType<RestClient['get']>>['one']['relationships']> = {}) {
  const ids = (name: string) => [relationships[name]?.data ?? []].flat().map(({ id }) => id)
  return { follows: ids('follows'), followers: ids('followers'), mentees: ids('mentees') }
}
