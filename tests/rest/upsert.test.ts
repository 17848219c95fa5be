import { beforeEach, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { type RestClient, restClient } from './support/client.js'

const upsert = (type: string, attributes: object, matchFields: unknown, more: object = {}) => ({
  data: { type, attributes, ...more },
  meta: { operation: 'upsert', matchFields },
})

describeDatabases('REST: upsert', (db) => {
  let rest: RestClient

  beforeEach(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  it('responds with 201 to a create and with 200 to an update', async () => {
    const body = (title: string) => upsert('post', { slug: 'new', title }, ['slug'])
    const created = await rest.post('/post', body('First'))
    expect([created.status, created.one.id, created.headers.get('Location')]).toEqual([
      201,
      '6',
      created.one.links?.self,
    ])
    const updated = await rest.post('/post', body('Second'))
    expect([updated.status, updated.one.id, updated.headers.get('Location')]).toEqual([200, '6', null])
    expect(updated.one.attributes).toMatchObject({ slug: 'new', title: 'Second' })
  })

  it('matches rows by a compound id', async () => {
    const body = (text: string) => upsert('comment', { postId: 1, seq: 2, body: text }, ['seq', 'postId'])
    const updated = await rest.post('/comment', body('Changed.'))
    expect([updated.status, updated.one]).toMatchObject([200, { id: '1_2', attributes: { body: 'Changed.' } }])
    const created = await rest.post('/comment', upsert('comment', { postId: 2, seq: 1, body: 'x' }, ['postId', 'seq']))
    expect([created.status, created.one.id]).toEqual([201, '2_1'])
  })

  it('replaces relationships if it updates', async () => {
    const relationships = { tags: { data: [{ type: 'tag', id: 'tips' }] }, author: { data: null } }
    const response = await rest.post(
      '/post',
      upsert('post', { slug: 'one', title: 'One' }, ['slug'], { relationships }),
    )
    expect([response.status, response.one.attributes?.['authorId']]).toEqual([200, null])
    expect((await rest.get('/post/1/relationships/tags')).ids).toEqual(['tips'])
  })

  it('rejects a missing related resource with 404 and writes no row', async () => {
    const relationships = { tags: { data: [{ type: 'tag', id: 'nope' }] } }
    for (const slug of ['one', 'new']) {
      const response = await rest.post('/post', upsert('post', { slug, title: 'x' }, ['slug'], { relationships }))
      expect(response.status).toBe(404)
    }
    expect(await db.orm.post.count({ where: { title: 'x' } })).toBe(0)
  })

  it('responds with 409 if a foreign key refers to a missing row', async () => {
    const response = await rest.post('/category', upsert('category', { name: 'New' }, ['name']))
    expect(response.status).toBe(201)
    const taken = await rest.post('/tag', upsert('tag', { name: 'news' }, ['name']))
    expect(taken.status).toBe(200)
    await db.orm.user.update({ where: { id: 2 }, data: { email: 'taken@example.org' } })
    const user = upsert('profile', { userId: 99 }, ['userId'])
    expect((await rest.post('/profile', user)).status).toBe(409)
  })

  describe('invalid meta', () => {
    it.each([
      ['unknown operation', { operation: 'replace', matchFields: ['slug'] }],
      ['boolean operation', { operation: true, matchFields: ['slug'] }],
      ['missing operation', { matchFields: ['slug'] }],
      ['missing matchFields', { operation: 'upsert' }],
      ['string matchFields', { operation: 'upsert', matchFields: 'slug' }],
      ['empty matchFields', { operation: 'upsert', matchFields: [] }],
      ['unknown field', { operation: 'upsert', matchFields: ['nope'] }],
      ['prototype', { operation: 'upsert', matchFields: ['__proto__'] }],
      ['relation', { operation: 'upsert', matchFields: ['author'] }],
      ['number as field', { operation: 'upsert', matchFields: [5] }],
      ['field that is not unique', { operation: 'upsert', matchFields: ['title'] }],
      ['fields that are not unique together', { operation: 'upsert', matchFields: ['slug', 'title'] }],
      ['duplicate field', { operation: 'upsert', matchFields: ['slug', 'slug'] }],
      ['field without a value', { operation: 'upsert', matchFields: ['id'] }],
    ])('%s: rejects the request with 400 and creates no row', async (_what, meta) => {
      const response = await rest.post('/post', {
        data: { type: 'post', attributes: { slug: 'new', title: 'New' } },
        meta,
      })
      expect(response.status).toBe(400)
      expect(await db.orm.post.count()).toBe(5)
    })
  })

  it('rejects another type with 409 and a missing attribute with 422', async () => {
    expect((await rest.post('/post', upsert('user', { slug: 'x' }, ['slug']))).status).toBe(409)
    expect((await rest.post('/post', upsert('post', { slug: 'x' }, ['slug']))).status).toBe(422)
  })

  it('creates one row for twenty concurrent requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        rest.post('/post', upsert('post', { slug: 'race', title: `Title ${index}` }, ['slug'])),
      ),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 201])
    expect(await db.orm.post.count({ where: { slug: 'race' } })).toBe(1)
  })
})
