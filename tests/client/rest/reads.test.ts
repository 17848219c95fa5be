import { beforeAll, describe, expect, it } from 'vitest'

import { createRestClient, json, RestError } from '../../../client/index.js'
import { fillBlog } from '../../rest/support/blog.js'
import { ENDPOINT } from '../../rest/support/client.js'
import { describeDatabases } from '../../support/databases.js'
import { type Blog, blogClient } from './apis.js'
import { fetchOf, recorded } from './serve.js'

describeDatabases('REST client: reads', (db) => {
  let rest: ReturnType<typeof blogClient>

  beforeAll(async () => {
    await db.fill(fillBlog)
    const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT })
    const app = db.hono.createHonoHandler({ getOrm: () => db.orm, handler, prefix: '/api' })
    rest = blogClient(app.fetch)
  })

  it('filters, sorts and limits a list and resolves its included relations', async () => {
    const posts = await rest.post.list({
      filter: { status: 'PUBLISHED', author: { name: { contains: 'n' } } },
      sort: ['-viewCount', 'title'],
      include: ['author', 'comments.author'],
      fields: { user: ['name'] },
      page: { limit: 20 },
    })
    expect(posts.map(({ id }) => id)).toEqual(['4', '1'])
    expect(posts.total).toBe(2)
    expect(posts[0]?.author?.name).toBe('Ben')
    expect(posts[1]?.comments.map(({ author }) => author?.name)).toEqual(['Ben', null, undefined])
    expect(posts[1]?.author).not.toHaveProperty('email')
  })

  it('decodes Date, BigInt, Decimal, Bytes and Json values', async () => {
    const post = await rest.post.get(1)
    expect(post.publishedAt).toEqual(new Date('2024-02-01T00:00:00Z'))
    expect(post.updatedAt).toBeInstanceOf(Date)
    const category = await rest.category.get(1)
    expect([category.readers, category.adPrice]).toEqual([9007199254740993n, '12.5'])
    const profile = await rest.profile.get(1)
    expect([profile.avatar, profile.settings]).toEqual([new Uint8Array([0, 255, 7]), { theme: 'dark' }])
  })

  it('exposes JSON:API members of a resource under $-prefixed properties', async () => {
    const tag = await rest.tag.get('news')
    expect({ ...tag }).toEqual({ id: 'news', name: 'news' })
    expect(tag.$type).toBe('tag')
    expect(tag.$links['self']).toBe(`${ENDPOINT}/tag/news`)
    expect(tag.$meta).toEqual({})
    expect(tag.$relationships['posts']?.links?.['related']).toBe(`${ENDPOINT}/tag/news/posts`)
    expect(tag.$document.data).toMatchObject({ type: 'tag', id: 'news' })
  })

  it('returns one object per resource, including in cycles', async () => {
    const user = await rest.user.get(1, { include: ['posts.author.posts', 'posts.comments.post'] })
    const [first] = user.posts
    expect(first?.author).toBe(user)
    expect(first?.author?.posts[0]).toBe(first)
    expect(first?.comments[0]?.post).toBe(first)
    // The JSON form omits cycles.
    expect(JSON.parse(JSON.stringify(first))).toMatchObject({
      id: '1',
      title: 'One',
      author: { type: 'user', id: '1' },
    })
  })

  it('returns an id or null for a to-one relation without include and omits to-many', async () => {
    const [one, , , , five] = await rest.post.list()
    expect([one?.author?.id, one?.author?.$type]).toEqual(['1', 'user'])
    expect(one?.author).not.toHaveProperty('name')
    expect(one).not.toHaveProperty('comments')
    expect(five?.author).toBeNull()
    // The foreign key is on the other side.
    const users = await rest.user.list({ sort: ['id'] })
    expect(users.map(({ profile }) => profile?.id)).toEqual(['1', undefined, undefined])
  })

  it('returns related resources and relationship identifiers', async () => {
    expect((await rest.post.related(1, 'author'))?.name).toBe('Ann')
    expect(await rest.post.related(5, 'author')).toBeNull()
    const comments = await rest.post.related(1, 'comments', { filter: { author: null }, include: ['post'] })
    expect(comments.map(({ body, post }) => [body, post.title])).toEqual([['Third, anonymous.', 'One']])
    const tags = await rest.post.relationship(1, 'tags').get({ sort: ['-name'] })
    expect(tags.map(({ id, $type }) => [id, $type])).toEqual([
      ['news', 'tag'],
      ['a/b %_ü', 'tag'],
    ])
    expect((await rest.post.relationship(1, 'author').get())?.id).toBe('1')
    expect(await rest.post.relationship(5, 'author').get()).toBeNull()
  })

  it('returns relationship members with their included relations', async () => {
    const comments = await rest.post.relationship(1, 'comments').get({
      include: ['comments', 'comments.author'],
      fields: { user: ['name'] },
      sort: ['-seq'],
      page: { limit: 2 },
    })
    expect(comments.map(({ body, author }) => [body, author?.name])).toEqual([
      ['Third, anonymous.', undefined],
      ['Second.', null],
    ])
    expect(comments.total).toBe(3)
    expect((await comments.next())?.map(({ body, author }) => [body, author?.name])).toEqual([['First!', 'Ben']])
    const author = await rest.post.relationship(1, 'author').get({ include: ['author.profile'] })
    expect([author?.email, author?.profile?.bio]).toEqual(['ann@example.org', 'Writes.'])
    expect(await rest.post.relationship(5, 'author').get({ include: ['author'] })).toBeNull()
  })

  it.each([
    [{ status: ['DRAFT', 'ARCHIVED'] as const }, ['2', '3', '5']],
    [{ title: 'Three, or more' }, ['3']],
    [{ title: ['Three, or more', 'One'] }, ['1', '3']],
    [{ title: { contains: ',' } }, ['3']],
    [{ viewCount: { gt: 10, lt: 30 } }, ['3', '4']],
    [{ publishedAt: null }, ['2', '3', '5']],
    [{ publishedAt: { isNull: false } }, ['1', '4']],
    [{ publishedAt: { gte: new Date('2024-02-02T00:00:00Z') } }, ['4']],
    [{ author: null }, ['5']],
    [{ author: 2 }, ['4']],
    [{ author: ['1', 2] }, ['1', '2', '3', '4']],
    [{ author: { isNull: false } }, ['1', '2', '3', '4']],
    [{ tags: 'a/b %_ü' }, ['1']],
    [{ comments: { author: { name: 'Ann' } } }, ['4']],
    [{ category: { parent: { readers: { gt: 2n ** 53n } } } }, ['2', '4']],
    [{ category: { adPrice: { lte: '12.5' } } }, ['1']],
    [{ author: { profile: { avatar: new Uint8Array([0, 255, 7]) } } }, ['1', '2', '3']],
    [{ author: { profile: { settings: json({ theme: 'dark' }) } } }, ['1', '2', '3']],
    [{ id: { lte: 2 } }, ['1', '2']],
    [{}, ['1', '2', '3', '4', '5']],
  ])('%o: returns the matching posts', async (filter, ids) => {
    expect((await rest.post.list({ filter })).map(({ id }) => id)).toEqual(ids)
  })

  describe('pages', () => {
    it('follows page links at the url of the client', async () => {
      const fetch = recorded(fetchOf(db))
      const first = await blogClient(fetch).post.list({ sort: ['-id'], page: { limit: 2 }, filter: { id: { gt: 0 } } })
      expect([first.map(({ id }) => id), first.total, first.links['prev']]).toEqual([['5', '4'], 5, null])
      expect(await first.prev()).toBeNull()
      const second = await first.next()
      const third = await second?.next({ headers: { 'X-Page': 'three' } })
      expect(third?.map(({ id }) => id)).toEqual(['1'])
      expect(await third?.next()).toBeNull()
      expect((await third?.prev())?.map(({ id }) => id)).toEqual(['3', '2'])
      expect(fetch.requests.every(({ url }) => url.startsWith('http://localhost/api/post?'))).toBe(true)
      expect(fetch.requests[2]?.headers.get('X-Page')).toBe('three')
    })

    it('follows page links of related resources and relationships', async () => {
      const comments = await rest.post.related(1, 'comments', { page: { number: 2, size: 2 } })
      expect((await comments.prev())?.map(({ id }) => id)).toEqual(['1_1', '1_2'])
      const tags = await rest.post.relationship(1, 'tags').get({ page: { limit: 1 } })
      expect((await tags.next())?.map(({ id }) => id)).toEqual(['news'])
    })

    it('requests the next page only when the iteration reaches it', async () => {
      const fetch = recorded(fetchOf(db))
      const client = blogClient(fetch)
      const ids: string[] = []
      for await (const { id } of client.post.each({ page: { limit: 2 } })) {
        ids.push(id)
        if (ids.length === 3) break
      }
      expect([ids, fetch.requests.length]).toEqual([['1', '2', '3'], 2])
      const sizes: number[] = []
      for await (const page of client.post.pages({ page: { limit: 2 } })) sizes.push(page.length)
      expect(sizes).toEqual([2, 2, 1])
    })

    it('returns arrays that carry the response document', async () => {
      const tags = await rest.tag.list()
      expect(Array.isArray(tags)).toBe(true)
      expect(tags.map(({ name }) => name)).toEqual(['a/b %_ü', 'news', 'tips'])
      expect(tags.document.data).toHaveLength(3)
      expect(JSON.parse(JSON.stringify(tags))).toHaveLength(3)
    })
  })

  it('uses the types and paths of modelNameMapping and throws for unmapped models', async () => {
    const names = { Post: 'posts', User: 'people' } as const
    const fetch = fetchOf(db, { modelNameMapping: names })
    const client = createRestClient<Blog, string, typeof names>({
      url: 'http://localhost/api/',
      modelNameMapping: names,
      fetch,
    })
    const [post] = await client.post.list({ include: ['author'], fields: { user: ['name'] }, page: { limit: 1 } })
    expect([post?.$type, post?.author?.$type, post?.author?.name]).toEqual(['posts', 'people', 'Ann'])
    expect(() => Reflect.get(client, 'tag')).toThrow('modelNameMapping does not contain "tag"')
  })

  it('rejects with a RestError with status 404 if the resource does not exist', async () => {
    const error = await rest.post.get(99).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(RestError)
    expect(error).toMatchObject({
      name: 'RestError',
      status: 404,
      code: 'not-found',
      rejectedByPolicy: false,
      fields: {},
    })
  })
})
