import { beforeEach, expect, expectTypeOf, it } from 'vitest'

import { RestError } from '../../../client/index.js'
import { fillBlog } from '../../rest/support/blog.js'
import { describeDatabases } from '../../support/databases.js'
import { blogClient } from './apis.js'
import { fetchOf, recorded } from './serve.js'

describeDatabases('REST client: $operations', (db) => {
  let fetch: ReturnType<typeof recorded>
  let rest: ReturnType<typeof blogClient>

  beforeEach(async () => {
    await db.fill(fillBlog)
    fetch = recorded(fetchOf(db, { atomicOperations: true }))
    rest = blogClient(fetch)
  })

  it('runs changes in order, resolves references between them and returns their results', async () => {
    const publishedAt = new Date('2026-01-02T03:04:05.678Z')
    const user = rest.user.create.call({ email: 'dan@example.org', password: 'long enough' })
    const post = rest.post.create.call({ slug: 'six', title: 'Six', publishedAt, author: user, tags: ['news'] })
    const [createdUser, createdPost, changed, tags, deleted] = await rest.$operations([
      user,
      post,
      rest.post.update.call(post.id, { title: 'Changed', category: 1 }),
      rest.post.relationship(post.id, 'tags').add.call(['tips']),
      rest.comment.delete.call('1_1'),
    ])
    expectTypeOf(createdUser.email).toEqualTypeOf<string>()
    expectTypeOf(createdPost.publishedAt).toEqualTypeOf<Date | null>()
    expectTypeOf(deleted).toEqualTypeOf<null>()
    expectTypeOf(tags[0]?.id).toEqualTypeOf<string | undefined>()
    expect([createdPost.publishedAt, createdPost.author?.id, changed.id, changed.title]).toEqual([
      publishedAt,
      createdUser.id,
      createdPost.id,
      'Changed',
    ])
    expect(tags.map(({ id }) => id).sort()).toEqual(['news', 'tips'])
    expect(deleted).toBeNull()
    expect(fetch.requests.map(({ method, url }) => [method, new URL(url).pathname])).toEqual([
      ['POST', '/api/operations'],
    ])
    expect(await db.orm.post.findUniqueOrThrow({ where: { slug: 'six' } })).toMatchObject({
      title: 'Changed',
      authorId: Number(createdUser.id),
      categoryId: 1,
    })
  })

  it('supports upserts, relationship changes, client ids and BigInts', async () => {
    const readers = 2n ** 62n + 1n
    const tag = rest.tag.create.call({ name: 'chosen' })
    const [, , category] = await rest.$operations([
      tag,
      rest.post.upsert.call({ slug: 'one', title: 'Again', tags: [tag] }, { match: 'slug' }),
      rest.category.create.call({ name: 'Big', readers }),
      rest.post.relationship(2, 'author').replace.call(null),
      rest.post.relationship('2', 'tags').remove.call(['news']),
    ])
    expect(category.readers).toBe(readers)
    const include = { tags: true } as const
    const [one, two] = await db.orm.post.findMany({ where: { id: { in: [1, 2] } }, include, orderBy: { id: 'asc' } })
    expect([one?.title, one?.tags.map(({ name }) => name)]).toEqual(['Again', ['chosen']])
    expect([two?.authorId, two?.tags]).toEqual([null, []])
  })

  it('returns null for each delete', async () => {
    expect(await rest.$operations([rest.comment.delete.call('1_1'), rest.comment.delete.call('1_2')])).toEqual([
      null,
      null,
    ])
  })

  it('rolls back and rejects with 422 and the index of the failed operation', async () => {
    const error = await rest
      .$operations([rest.tag.create.call({ name: 'fresh' }), rest.post.create.call({ slug: 'one', title: '' })])
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    expect(error).toBeInstanceOf(RestError)
    expect(error).toMatchObject({ status: 422, operation: 1, fields: { title: [{ message: expect.any(String) }] } })
    expect(await db.orm.tag.count({ where: { name: 'fresh' } })).toBe(0)
    const alone = await rest.post.create({ slug: 'one', title: 'x' }).catch((thrown: unknown) => thrown)
    expect(alone).toMatchObject({ status: 409, operation: undefined })
  })

  it('accepts only valid method arguments at compile time', () => {
    // @ts-expect-error Unknown attribute.
    void rest.post.create.call({ slug: 'x', title: 'x', titel: 'x' })
    // @ts-expect-error `title` is required.
    void rest.post.create.call({ slug: 'x' })
    // @ts-expect-error A promise instead of a `.call`.
    void (() => rest.$operations([rest.tag.create({ name: 'x' })]))
  })
})
