import { beforeEach, describe, expect, it } from 'vitest'

import { RestError } from '../../../client/index.js'
import { fillBlog } from '../../rest/support/blog.js'
import { describeDatabases } from '../../support/databases.js'
import { blogClient } from './apis.js'
import { fetchOf, recorded } from './serve.js'

/** Returns the error of a call that must fail. */
async function errorOf(call: Promise<unknown>): Promise<RestError> {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (error instanceof RestError) return error
  throw new Error(`This is no RestError: ${String(error)}`)
}

describeDatabases('REST client: writes', (db) => {
  let rest: ReturnType<typeof blogClient>

  beforeEach(async () => {
    await db.fill(fillBlog)
    rest = blogClient(fetchOf(db))
  })

  it('creates a resource from attributes and relationships in one object', async () => {
    const publishedAt = new Date('2026-01-02T03:04:05.678Z')
    const [news] = await rest.tag.list({ filter: { name: 'news' } })
    const post = await rest.post.create(
      { slug: 'six', title: 'Six', publishedAt, author: 2, category: null, tags: ['tips', { id: news?.id ?? '' }] },
      { include: ['tags', 'author'], fields: { user: ['name'] } },
    )
    expect([post.id, post.publishedAt, post.author?.name]).toEqual(['6', publishedAt, 'Ben'])
    expect(post.tags.map(({ name }) => name).sort()).toEqual(['news', 'tips'])
    expect(await db.orm.post.findUniqueOrThrow({ where: { id: 6 }, include: { tags: true } })).toMatchObject({
      publishedAt,
      authorId: 2,
      categoryId: null,
      tags: [{ name: 'news' }, { name: 'tips' }],
    })
  })

  it('creates a resource with a compound id, from its key or its relation', async () => {
    expect((await rest.comment.create({ post: '2', seq: 7, body: 'By relation.' })).id).toBe('2_7')
    expect((await rest.comment.create({ postId: 2, seq: 8, body: 'By key.', author: null })).id).toBe('2_8')
    expect((await rest.tag.create({ name: 'a_b', posts: [1, 2n, '3'] })).id).toBe('a_b')
    expect(await db.orm.post.count({ where: { tags: { some: { name: 'a_b' } } } })).toBe(3)
  })

  it('writes BigInt, Decimal, Bytes and Json values exactly', async () => {
    const readers = 2n ** 62n + 1n
    const category = await rest.category.create({ name: 'Big', readers, adPrice: '12345678901.25', parent: 1 })
    expect([category.readers, category.parent?.id]).toEqual([readers, '1'])
    const avatar = new Uint8Array([1, 2, 250])
    const profile = await rest.profile.create({ user: 2, avatar, settings: { at: ['x', null, 1.5], '': {} } })
    expect([profile.avatar, profile.settings]).toEqual([avatar, { at: ['x', null, 1.5], '': {} }])
    expect((await db.orm.category.findUniqueOrThrow({ where: { name: 'Big' } })).readers).toBe(readers)
  })

  it('updates only the given attributes and relationships', async () => {
    const before = await rest.post.get(1)
    const after = await rest.post.update(1, { title: 'Uno', content: undefined as never, author: null, tags: ['tips'] })
    expect(after).toMatchObject({ title: 'Uno', slug: before.slug, author: null, authorId: null, content: null })
    expect((await rest.post.relationship(1, 'tags').get()).map(({ id }) => id)).toEqual(['tips'])
    // A value from a response can be sent back.
    const { author } = await rest.post.get(4)
    expect((await rest.post.update('1', { author, tags: [] })).author?.id).toBe('2')
    expect((await rest.comment.update('1_2', { body: 'Changed.' })).body).toBe('Changed.')
  })

  it('upserts by any unique criterion and sets $created', async () => {
    const created = await rest.post.upsert(
      { slug: 'new', title: 'First', author: 1 },
      { match: 'slug', include: ['author'] },
    )
    expect([created.$created, created.id, created.author?.name]).toEqual([true, '6', 'Ann'])
    const changed = await rest.post.upsert({ slug: 'new', title: 'Second' }, { match: 'slug' })
    expect([changed.$created, changed.id, changed.title]).toEqual([false, '6', 'Second'])
    const comment = await rest.comment.upsert({ postId: 1, seq: 2, body: 'Anew.' }, { match: ['postId', 'seq'] })
    expect([comment.$created, comment.id, comment.body]).toEqual([false, '1_2', 'Anew.'])
  })

  it('deletes a resource and rejects a second delete with 404', async () => {
    expect(await rest.comment.delete('1_1')).toBeUndefined()
    expect(await db.orm.comment.count()).toBe(3)
    expect(await errorOf(rest.comment.delete('1_1'))).toMatchObject({ status: 404, code: 'not-found' })
  })

  it('changes relationships and returns their members', async () => {
    const tags = rest.post.relationship(1, 'tags')
    const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)
    expect(ids(await tags.add(['tips']))).toEqual(['a/b %_ü', 'news', 'tips'])
    expect(ids(await tags.remove(['news', 'a/b %_ü']))).toEqual(['tips'])
    expect((await tags.replace(await rest.tag.list({ page: { limit: 2 } }))).total).toBe(2)
    expect(ids(await tags.replace([]))).toEqual([])
    const author = rest.post.relationship(1, 'author')
    expect((await author.replace(3))?.id).toBe('3')
    expect(await author.replace(null)).toBeNull()
    expect(await db.orm.post.findUniqueOrThrow({ where: { id: 1 }, include: { tags: true } })).toMatchObject({
      authorId: null,
      tags: [],
    })
  })

  describe('errors', () => {
    it('groups the validation errors of a 422 by field', async () => {
      const error = await errorOf(rest.user.create({ email: 'nonsense', password: 'short' }))
      expect([error.status, error.code]).toEqual([422, 'invalid-value'])
      expect(Object.keys(error.fields)).toEqual(['email', 'password'])
      expect(error.fields['email']).toMatchObject([
        { message: 'Invalid email address', code: 'invalid-value', rule: 'invalid_format', format: 'email' },
      ])
      expect(error.fields['password']).toMatchObject([{ code: 'invalid-value', rule: 'too_small', minimum: 8 }])
      expect(error.errors[1]?.meta).toMatchObject({ rule: 'too_small', minimum: 8 })
      expect(error.message).toBe(error.errors.map(({ detail }) => detail).join(' '))
    })

    it('groups errors about constraints, relations and missing values by field', async () => {
      const fieldsOf = async (call: Promise<unknown>) => Object.keys((await errorOf(call)).fields)
      expect(await fieldsOf(rest.post.create({ slug: 'one', title: 'Again' }))).toEqual(['slug'])
      expect(await fieldsOf(rest.post.create({ slug: 'six', title: 'Six', author: 99 }))).toEqual(['author'])
      expect(await fieldsOf(rest.post.create({ slug: 'six', title: 'Six', tags: ['tips', 'nope'] }))).toEqual(['tags'])
      expect(await fieldsOf(rest.post.create({ slug: 'six' } as never))).toEqual(['title'])
      expect(await fieldsOf(rest.post.create({ id: 7, slug: 'six', title: 'Six' } as never))).toEqual(['id'])
      expect(await db.orm.post.count()).toBe(5)
    })

    it('reports a foreign key violation with 409 and the ormCode P2003', async () => {
      const error = await errorOf(rest.category.delete(1))
      expect(error).toMatchObject({ status: 409, code: 'foreign-key-violation', fields: {}, retryAfter: undefined })
      expect(error.errors[0]?.ormCode).toBe('P2003')
    })
  })

  it('does not retry a write after a network error', async () => {
    const fetch = recorded(() => Promise.reject(new Error('The line is down.')))
    const error = await errorOf(blogClient(fetch).post.update(1, { title: 'x' }))
    expect([error.status, error.code, fetch.requests.length]).toEqual([0, 'network-error', 1])
  })
})
