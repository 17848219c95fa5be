import type { Database } from '../../support/databases.js'

/** The ids of the rows that {@link fillBlog} creates. Counters start at 1, so the ids are fixed. */
export const ANN = 1
export const BEN = 2
export const CAT = 3

/**
 * Creates a small blog in an empty database: three users (Ann with a profile and posts 1 to 3, Ben with post 4, Cat with
 * none), post 5 without an author, tags, comments, and nested categories.
 */
export async function fillBlog({ orm }: Pick<Database, 'orm'>): Promise<void> {
  await orm.user.create({
    data: {
      email: 'ann@example.org',
      name: 'Ann',
      role: 'EDITOR',
      password: 'secret-ann',
      createdAt: new Date('2024-01-01T10:00:00Z'),
      profile: { create: { bio: 'Writes.', avatar: new Uint8Array([0, 255, 7]), settings: { theme: 'dark' } } },
    },
  })
  await orm.user.create({
    data: {
      email: 'ben@example.org',
      name: 'Ben',
      role: 'AUTHOR',
      password: 'secret-ben',
      createdAt: new Date('2024-01-02T10:00:00Z'),
    },
  })
  await orm.user.create({
    data: { email: 'cat@example.org', password: 'secret-cat', createdAt: new Date('2024-01-03T10:00:00Z') },
  })
  await orm.category.create({ data: { name: 'Science', adPrice: '12.50', readers: 9007199254740993n } })
  await orm.category.create({ data: { name: 'Physics', parentId: 1, readers: 5n } })
  await orm.category.create({ data: { name: 'Biology', parentId: 1 } })
  const posts = [
    { slug: 'one', title: 'One', authorId: ANN, categoryId: 1, viewCount: 10, status: 'PUBLISHED' as const },
    { slug: 'two', title: 'Two', authorId: ANN, categoryId: 2, viewCount: 30 },
    { slug: 'three', title: 'Three, or more', authorId: ANN, viewCount: 20, status: 'ARCHIVED' as const },
    { slug: 'four', title: 'Four', authorId: BEN, categoryId: 2, viewCount: 20, status: 'PUBLISHED' as const },
    { slug: 'five', title: 'Five', content: 'Nobody wrote this.' },
  ]
  for (const [index, post] of posts.entries()) {
    const publishedAt = post.status === 'PUBLISHED' ? new Date(Date.UTC(2024, 1, index + 1)) : null
    await orm.post.create({ data: { ...post, publishedAt } })
  }
  for (const [name, ids] of [
    ['news', [1, 2]],
    ['a/b %_ü', [1]],
    ['tips', []],
  ] as const) {
    await orm.tag.create({ data: { name, posts: { connect: ids.map((id) => ({ id })) } } })
  }
  await orm.comment.createMany({
    data: [
      { postId: 1, seq: 1, body: 'First!', authorId: BEN },
      { postId: 1, seq: 2, body: 'Second.', authorId: CAT },
      { postId: 1, seq: 3, body: 'Third, anonymous.' },
      { postId: 4, seq: 1, body: 'Nice.', authorId: ANN },
    ],
  })
}
