import { expect, it } from 'vitest'

import { seed } from '../../fixtures/blog/seed.js'
import { describeDatabases, type Database } from './databases.js'
import { seedBlog } from './seed-blog.js'

describeDatabases('seeded blog', (db) => {
  it('creates the same rows on every seed and refill', async () => {
    await db.fill(seedBlog)
    const first = await everything(db)
    await db.reset()
    await seed(db.orm)
    expect(await everything(db)).toEqual(first)
    await db.fill(seedBlog)
    expect(await everything(db)).toEqual(first)
  })

  it('contains rows of every kind, with and without nulls', async () => {
    await db.fill(seedBlog)
    const { users, profiles, posts, comments, categories, tags } = await everything(db)
    expect([users, profiles, posts, comments, categories, tags].map((rows) => rows.length)).toEqual([
      40,
      30,
      90,
      expect.toSatisfy((count: number) => count > 200),
      14,
      24,
    ])
    expect(users.map((user) => user.id)).toEqual(users.map((_, index) => index + 1))
    expect(posts[0]).toMatchObject({ id: 1, slug: 'hello-world', status: 'PUBLISHED' })
    for (const rows of [
      users.map((row) => row.name),
      posts.map((row) => row.content),
      posts.map((row) => row.authorId),
    ]) {
      expect(rows).toContain(null)
    }
    expect(new Set(posts.map((post) => post.status))).toEqual(new Set(['DRAFT', 'PUBLISHED', 'ARCHIVED']))
    expect(posts.some((post) => post.tags.length > 1)).toBe(true)
    expect(profiles.map((profile) => profile.settings)).toContain(null)
    expect(profiles[0]?.avatar).toBeInstanceOf(Uint8Array)
    const databases = categories.find((category) => category.name === 'Databases')
    expect(databases?.readers).toBe(9_223_372_036_854_775_807n)
    expect(databases?.adPrice?.toString()).toBe('512.64')
    const sourdough = categories.find((category) => category.name === 'Sourdough')
    const baking = categories.find((category) => category.id === sourdough?.parentId)
    expect(categories.find((category) => category.id === baking?.parentId)?.name).toBe('Cooking')
  })

  it('continues ids after the seeded rows', async () => {
    const next = () => db.orm.user.create({ data: { email: 'new@example.com', password: 'correct horse' } })
    await db.reset()
    await seed(db.orm)
    expect((await next()).id).toBe(41)
    await db.fill(seedBlog)
    expect((await next()).id).toBe(41)
  })
})

async function everything({ orm }: Database) {
  const [users, profiles, posts, comments, categories, tags] = await Promise.all([
    orm.user.findMany({ orderBy: { id: 'asc' } }),
    orm.profile.findMany({ orderBy: { id: 'asc' } }),
    orm.post.findMany({ include: { tags: { orderBy: { name: 'asc' } } }, orderBy: { id: 'asc' } }),
    orm.comment.findMany({ orderBy: [{ postId: 'asc' }, { seq: 'asc' }] }),
    orm.category.findMany({ orderBy: { id: 'asc' } }),
    orm.tag.findMany({ orderBy: { name: 'asc' } }),
  ])
  return { users, profiles, posts, comments, categories, tags }
}
