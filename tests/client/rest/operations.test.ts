import { beforeEach, expect, expectTypeOf, it } from 'vitest'

import { RestError } from '../../../client/index.js'
import { fillBlog } from '../../rest/support/blog.js'
import { describeDatabases } from '../../support/databases.js'
import { blogClient } from './apis.js'
import { fetchOf, recorded } from './serve.js'

describeDatabases('REST client: several changes at once', (db) => {
  let fetch: ReturnType<typeof recorded>
  let rest: ReturnType<typeof blogClient>

  beforeEach(async () => {
    await db.fill(fillBlog)
    fetch = recorded(fetchOf(db, { atomicOperations: true }))
    rest = blogClient(fetch)
  })

  it('are made in order, name what others make, and give what each gives', async () => {
    const publishedAt = new Date('2026-01-02T03:04:05.678Z')
    const user = rest.user.create.call({ email: 'dan@example.org', password: 'long enough' })
    const post = rest.post.create.call({ slug: 'six', title: 'Six', publishedAt, author: user, tags: ['news'] })
    const [made, created, changed, tags, gone] = await rest.$operations([
      user,
      post,
      rest.post.update.call(post.id, { title: 'Changed', category: 1 }),
      rest.post.relationship(post.id, 'tags').add.call(['tips']),
      rest.comment.delete.call('1_1'),
    ])
    expectTypeOf(made.email).toEqualTypeOf<string>()
    expectTypeOf(created.publishedAt).toEqualTypeOf<Date | null>()
    expectTypeOf(gone).toEqualTypeOf<null>()
    expectTypeOf(tags[0]?.id).toEqualTypeOf<string | undefined>()
    expect([created.publishedAt, created.author?.id, changed.id, changed.title]).toEqual([
      publishedAt,
      made.id,
      created.id,
      'Changed',
    ])
    expect(tags.map(({ id }) => id).sort()).toEqual(['news', 'tips'])
    expect(gone).toBeNull()
    expect(fetch.requests.map(({ method, url }) => [method, new URL(url).pathname])).toEqual([
      ['POST', '/api/operations'],
    ])
    expect(await db.orm.post.findUniqueOrThrow({ where: { slug: 'six' } })).toMatchObject({
      title: 'Changed',
      authorId: Number(made.id),
      categoryId: 1,
    })
  })

  it('may be upserts, replacements, ids that are chosen, and BigInts', async () => {
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

  it('give nothing where nothing is to be said', async () => {
    expect(await rest.$operations([rest.comment.delete.call('1_1'), rest.comment.delete.call('1_2')])).toEqual([
      null,
      null,
    ])
  })

  it('are undone where one fails, which the error tells', async () => {
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

  it('take what the methods take, and no others', () => {
    // @ts-expect-error There is no such attribute.
    void rest.post.create.call({ slug: 'x', title: 'x', titel: 'x' })
    // @ts-expect-error It lacks what a post needs.
    void rest.post.create.call({ slug: 'x' })
    // @ts-expect-error A method was called already.
    void (() => rest.$operations([rest.tag.create({ name: 'x' })]))
  })
})
