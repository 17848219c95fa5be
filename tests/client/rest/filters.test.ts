import { beforeAll, describe, expect, it } from 'vitest'

import type { RestCollection } from '../../../client/index.js'
import { json } from '../../../client/index.js'
import { fillBlog } from '../../rest/support/blog.js'
import { describeDatabases } from '../../support/databases.js'
import { type Blog, blogClient } from './apis.js'
import { fetchOf, recorded } from './serve.js'

type PostFilter = NonNullable<NonNullable<Parameters<RestCollection<Blog, 'Post'>['list']>[0]>['filter']>
type Joined = Extract<NonNullable<PostFilter['AND']>, readonly unknown[]>[number]

/** Filters that become parameters. As the operand of `AND`, each becomes an expression. */
const SAME: readonly (PostFilter & Joined)[] = [
  { status: 'PUBLISHED', viewCount: { gte: 1 } },
  { status: ['DRAFT', 'ARCHIVED'] },
  { status: { ne: 'DRAFT' } },
  { title: { ne: ['One', "It's"] } },
  { title: { not: { contains: ['n', 'o'] } } },
  { viewCount: { between: [0, 5] } },
  { viewCount: { not: { between: [0, 5] }, lt: 100 } },
  { title: { istartsWith: 'o', iendsWith: 'e' } },
  { publishedAt: null },
  { publishedAt: { isNull: false, gt: new Date(0) } },
  { publishedAt: { lt: { $field: 'updatedAt' } } },
  { publishedAt: { not: { gte: { $field: 'updatedAt' } }, isNull: false } },
  { slug: { ne: { $field: 'title' } } },
  { slug: { $field: 'slug' } },
  { category: { name: { $field: 'name' } } },
  { comments: { some: { seq: { gte: { $field: 'postId' } } } } },
  { id: [1, '2'] },
  { id: { gt: 2 } },
  { id: { ne: 2 } },
  { author: 1 },
  { author: { ne: [1, 3] } },
  { author: { name: { contains: 'n' }, profile: { bio: null } } },
  { category: null },
  { category: { isNull: false } },
  { tags: ['news', 'tips'] },
  { tags: { some: 'news' } },
  { tags: { none: ['news', 'tips'] } },
  { comments: { none: { author: { name: 'Ben' } } } },
  { comments: { every: { seq: { lt: 3 } }, isEmpty: false } },
  { comments: { some: { body: { icontains: 'A' } } } },
  { comments: { isEmpty: true } },
]

describeDatabases('REST client: filters', (db) => {
  let rest: ReturnType<typeof blogClient>

  beforeAll(async () => {
    await db.fill(fillBlog)
    rest = blogClient(fetchOf(db))
  })

  const found = async (filter: PostFilter) => (await rest.post.list({ filter, sort: ['id'] })).map(({ id }) => id)

  it.each(SAME.map((filter) => [JSON.stringify(filter), filter] as const))(
    '%s: matches the same rows as an expression, and the other rows with NOT',
    async (_text, filter) => {
      const ids = await found(filter)
      expect(await found({ AND: [filter] })).toEqual(ids)
      expect(await found({ OR: [filter, { id: { lt: 0 } }] })).toEqual(ids)
      const others = await found({ NOT: filter })
      expect([...ids, ...others].sort()).toEqual(await found({}))
    },
  )

  it('combines OR and NOT at any depth with plain conditions', async () => {
    const wanted = await db.orm.post.findMany({
      where: {
        status: 'PUBLISHED',
        OR: [{ author: { OR: [{ name: 'Ann' }, { name: null }] } }, { comments: { some: { NOT: { seq: 1 } } } }],
      },
      orderBy: { id: 'asc' },
    })
    expect(
      await found({
        status: 'PUBLISHED',
        OR: [{ author: { OR: [{ name: 'Ann' }, { name: null }] } }, { comments: { some: { NOT: { seq: 1 } } } }],
      }),
    ).toEqual(wanted.map(({ id }) => String(id)))
    expect(wanted.length).toBeGreaterThan(0)
    const profiles = await rest.profile.list({ filter: { NOT: [{ settings: json({ theme: 'dark' }) }, { bio: 'x' }] } })
    expect(profiles.every(({ settings }) => JSON.stringify(settings) !== '{"theme":"dark"}')).toBe(true)
  })

  it('filters included lists by expressions', async () => {
    const [post] = await rest.post.list({
      filter: { id: 1 },
      include: ['comments'],
      lists: { comments: { filter: { OR: [{ seq: 1 }, { seq: { gt: 2 } }] }, sort: ['seq'] } },
    })
    expect(post?.comments.map(({ seq }) => seq)).toEqual([1, 3])
  })
})

describe('REST client: filter expressions', () => {
  const respond = () =>
    Response.json({ data: [], links: {} }, { headers: { 'Content-Type': 'application/vnd.api+json' } })

  it('serializes an expression as one parameter with quoted values', async () => {
    const fetch = recorded(respond)
    await blogClient(fetch).post.list({ filter: { viewCount: 1, OR: [{ title: "It's" }, { author: { name: null } }] } })
    expect([...new URL(fetch.requests[0]?.url ?? '').searchParams]).toEqual([
      ['filter[viewCount]', '1'],
      ['filter', "or(equals(title,'It''s'),equals(author.name,null))"],
    ])
  })

  it.each([
    [{ OR: [] }, 'OR'],
    [{ NOT: {} }, 'NOT'],
    [{ OR: [{ title: undefined }] }, 'title'],
    [{ OR: [{ title: [] }] }, 'title'],
    [{ OR: [{ title: ['a', undefined] }] }, 'title'],
    [{ NOT: { comments: { some: {} } } }, 'comments'],
  ])('%j: rejects the call without sending a request', async (filter, what) => {
    const fetch = recorded(respond)
    await expect(blogClient(fetch).post.list({ filter: filter as never })).rejects.toThrow(what)
    expect(fetch.requests).toEqual([])
  })
})
