import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { ENDPOINT, type RestClient, restClient } from './support/client.js'

const tag = (id: string) => ({ type: 'tag', id })

describeDatabases('REST: related resources and relationships', (db) => {
  let rest: RestClient

  beforeEach(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  it('returns a related resource', async () => {
    const response = await rest.get('/post/1/author')
    expect(response.status).toBe(200)
    expect(response.one).toMatchObject({ type: 'user', id: '1', links: { self: `${ENDPOINT}/user/1` } })
    expect(response.body.links).toEqual({ self: `${ENDPOINT}/post/1/author` })
  })

  it('returns a page of related resources', async () => {
    const response = await rest.get('/user/1/posts?page[limit]=2&sort=-viewCount&filter[viewCount$gt]=5')
    expect(response.ids).toEqual(['2', '3'])
    expect(response.body.meta?.total).toBe(3)
    const { links } = response.body
    expect(links?.['next']).toContain('page%5Boffset%5D=2&page%5Blimit%5D=2')
    expect((await rest.follow(links?.['next'])).ids).toEqual(['1'])
  })

  it('returns null for an empty to-one relation, also as linkage', async () => {
    for (const path of [
      '/post/5/author',
      '/post/5/relationships/author',
      '/user/2/profile',
      '/user/2/relationships/profile',
    ]) {
      const response = await rest.get(path)
      expect([path, response.status, response.body.data]).toEqual([path, 200, null])
    }
  })

  it('responds with 404 if the parent does not exist', async () => {
    for (const path of [
      '/post/99/author',
      '/post/99/tags',
      '/post/99/relationships/author',
      '/post/99/relationships/tags',
    ]) {
      expect([path, (await rest.get(path)).status]).toEqual([path, 404])
    }
  })

  it('returns linkage', async () => {
    const one = await rest.get('/post/1/relationships/author')
    expect(one.body).toMatchObject({
      data: { type: 'user', id: '1' },
      links: { self: `${ENDPOINT}/post/1/relationships/author` },
    })
    const many = await rest.get('/post/1/relationships/comments')
    expect(many.body.data).toEqual(['1_1', '1_2', '1_3'].map((id) => ({ type: 'comment', id })))
    expect(many.body.meta?.total).toBe(3)
    const profile = await rest.get('/user/1/relationships/profile')
    expect(profile.body.data).toEqual({ type: 'profile', id: '1' })
  })

  it('adds members without duplicates', async () => {
    const response = await rest.post('/post/1/relationships/tags', { data: [tag('tips'), tag('tips'), tag('news')] })
    expect(response.status).toBe(200)
    expect(response.body.data).toEqual([tag('a/b %_ü'), tag('news'), tag('tips')])
    expect(response.body.meta?.total).toBe(3)
  })

  it('removes members and ignores other identifiers', async () => {
    const response = await rest.delete('/post/1/relationships/tags', { data: [tag('news'), tag('tips')] })
    expect(response.status).toBe(200)
    expect(response.body.data).toEqual([tag('a/b %_ü')])
  })

  it.each(['patch', 'put'] as const)('%s: replaces and clears a to-many relationship', async (method) => {
    const replaced = await rest[method]('/post/1/relationships/tags', { data: [tag('tips')] })
    expect([replaced.status, replaced.body.data]).toEqual([200, [tag('tips')]])
    const cleared = await rest[method]('/post/1/relationships/tags', { data: [] })
    expect([cleared.status, cleared.body.data]).toEqual([200, []])
    expect(await db.orm.tag.count()).toBe(3)
  })

  it('rejects a replacement by an unknown member with 404', async () => {
    const response = await rest.patch('/post/1/relationships/tags', { data: [tag('tips'), tag('nope')] })
    expect(response.status).toBe(404)
    expect((await rest.get('/post/1/relationships/tags')).ids).toEqual(['a/b %_ü', 'news'])
    const posts = await rest.patch('/user/1/relationships/posts', {
      data: [
        { type: 'post', id: 5 },
        { type: 'post', id: 99 },
      ],
    })
    expect(posts.status).toBe(404)
    expect((await rest.get('/user/1/relationships/posts')).ids).toEqual(['1', '2', '3'])
  })

  it('rejects the addition of an unknown member with 404', async () => {
    expect((await rest.post('/post/1/relationships/tags', { data: [tag('tips'), tag('nope')] })).status).toBe(404)
    expect((await rest.get('/post/1/relationships/tags')).ids).toEqual(['a/b %_ü', 'news'])
  })

  it('sets and clears a to-one relationship', async () => {
    const set = await rest.patch('/post/1/relationships/author', { data: { type: 'user', id: 2 } })
    expect([set.status, set.body.data]).toEqual([200, { type: 'user', id: '2' }])
    const cleared = await rest.put('/post/1/relationships/author', { data: null })
    expect([cleared.status, cleared.body.data]).toEqual([200, null])
    expect((await rest.patch('/post/1/relationships/author', { data: { type: 'user', id: 99 } })).status).toBe(404)
  })

  it('replaces members with compound ids and keeps those of other owners', async () => {
    // Each id of the first post shares a part with each id of the others.
    await db.orm.comment.deleteMany()
    const rows = [
      { postId: 1, seq: 1, authorId: 1 },
      { postId: 2, seq: 2, authorId: 1 },
      { postId: 1, seq: 2, authorId: 2 },
      { postId: 2, seq: 1, authorId: 2 },
    ]
    const fill = () => db.orm.comment.createMany({ data: rows.map((row) => ({ ...row, body: 'b' })) })
    const countOfSecondUser = () => db.orm.comment.count({ where: { authorId: 2 } })
    const comments = (...ids: string[]) => ({ data: ids.map((id) => ({ type: 'comment', id })) })
    await fill()
    expect((await rest.patch('/user/1/relationships/comments', comments('2_2'))).ids).toEqual(['2_2'])
    expect(await countOfSecondUser()).toBe(2)
    expect((await rest.patch('/user/1/relationships/comments', comments())).ids).toEqual([])
    expect((await rest.patch('/user/99/relationships/comments', comments())).status).toBe(404)
    expect((await rest.patch('/user/1/relationships/comments', comments('9_9'))).status).toBe(404)
    await db.orm.comment.deleteMany()
    await fill()
    const relationships = { comments: comments() }
    expect((await rest.patch('/user/1', { data: { type: 'user', id: '1', relationships } })).status).toBe(200)
    expect((await rest.get('/user/1/relationships/comments')).ids).toEqual([])
    expect(await countOfSecondUser()).toBe(2)
  })

  it('rejects unlinking a row from its required owner with 403', async () => {
    const comments = (...ids: string[]) => ({ data: ids.map((id) => ({ type: 'comment', id })) })
    expect((await rest.patch('/post/1/relationships/comments', comments('1_1'))).status).toBe(403)
    expect((await rest.patch('/post/1/relationships/comments', comments())).status).toBe(403)
    expect((await rest.get('/post/1/relationships/comments')).body.meta?.total).toBe(3)
    const same = await rest.patch('/post/1/relationships/comments', comments('1_1', '1_2', '1_3'))
    expect([same.status, same.ids]).toEqual([200, ['1_1', '1_2', '1_3']])
    expect((await rest.patch('/comment/1_1/relationships/post', { data: null })).status).toBe(403)
    expect((await rest.patch('/user/1/relationships/profile', { data: null })).status).toBe(403)
    expect(
      (
        await rest.patch('/post/1', {
          data: { type: 'post', attributes: { title: 'x' }, relationships: { comments: comments('1_1') } },
        })
      ).status,
    ).toBe(403)
    expect((await rest.get('/post/1')).one.attributes?.['title']).toBe('One')
  })

  it('rejects unsupported changes of a relationship with 403', async () => {
    const author = { data: { type: 'user', id: '2' } }
    for (const response of [
      await rest.post('/post/1/relationships/author', author),
      await rest.delete('/post/1/relationships/author', author),
      await rest.delete('/post/1/relationships/comments', { data: [{ type: 'comment', id: '1_1' }] }),
    ]) {
      expect([response.status, response.errors[0]?.code]).toEqual([403, 'unsupported-change'])
    }
    expect(await db.orm.comment.count()).toBe(4)
  })

  it('lists the allowed methods of a path', async () => {
    for (const [path, allow] of [
      ['/post/1/relationships/author', 'GET, HEAD, PATCH, PUT'],
      ['/post/1/relationships/comments', 'GET, HEAD, PATCH, POST, PUT'],
      ['/post/1/relationships/tags', 'DELETE, GET, HEAD, PATCH, POST, PUT'],
      ['/post/1/author', 'GET, HEAD'],
    ] as const) {
      const options = await rest.fetch(path, { method: 'OPTIONS' })
      expect([options.status, options.headers.get('Allow')]).toEqual([204, allow])
      const unknown = await rest.fetch(path, { method: 'PROPFIND' })
      expect([unknown.status, unknown.headers.get('Allow')]).toEqual([405, allow])
      expect((await rest.fetch(path, { method: 'HEAD' })).status).toBe(200)
    }
    expect((await rest.post('/post/1/author', { data: null })).headers.get('Allow')).toBe('GET, HEAD')
  })

  it('rejects invalid resource identifiers', async () => {
    const at = '/post/1/relationships/tags'
    expect((await rest.post(at, { data: [{ type: 'post', id: '1' }] })).errors).toMatchObject([
      { code: 'type-conflict', status: 409, source: { pointer: '/data/0/type' } },
    ])
    expect((await rest.post(at, { data: [{ type: 'tag' }] })).status).toBe(400)
    expect((await rest.post(at, { data: [{ type: 'tag', lid: 'x' }] })).status).toBe(400)
    expect((await rest.post(at, { data: tag('news') })).status).toBe(400)
    expect((await rest.post(at, { data: null })).status).toBe(400)
    expect((await rest.post(at, {})).status).toBe(400)
    expect((await rest.patch('/post/1/relationships/author', { data: [] })).status).toBe(400)
    expect((await rest.patch('/post/1/relationships/author', { data: { type: 'user', id: '1abc' } })).status).toBe(404)
  })
})

// Other databases do not have this race: PGlite has one connection, and on MySQL a new member waits for the lock of the
// owner's row.
describeDatabases(
  'REST: required members',
  (db) => {
    let rest: RestClient
    beforeEach(async () => {
      await db.fill(fillBlog)
      rest = restClient(db)
    })

    it('rejects the removal of a concurrently added member with 403', async () => {
      const racing = db.orm.$extends({
        query: {
          post: {
            async update({ args, query }) {
              await db.orm.comment.create({ data: { postId: 1, seq: 9, body: 'Wait!' } })
              return query(args)
            },
          },
        },
      })
      const late = restClient(db, {}, racing)
      const data = ['1_1', '1_2', '1_3'].map((id) => ({ type: 'comment', id }))
      const replaced = await late.patch('/post/1/relationships/comments', { data })
      expect([replaced.status, replaced.errors[0]?.code]).toEqual([403, 'relationship-required'])
      await db.orm.comment.delete({ where: { postId_seq: { postId: 1, seq: 9 } } })
      const body = { data: { type: 'post', attributes: { title: 'x' }, relationships: { comments: { data } } } }
      const updated = await late.patch('/post/1', body)
      expect([updated.status, updated.errors[0]?.code]).toEqual([403, 'relationship-required'])
      expect((await rest.get('/post/1')).one.attributes?.['title']).toBe('One')
    })
  },
  { only: ['SQLite', 'PostgreSQL'] },
)
