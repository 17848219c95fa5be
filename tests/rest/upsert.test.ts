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

  it('creates with 201 and updates with 200', async () => {
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

  it('matches compound ids', async () => {
    const body = (text: string) => upsert('comment', { postId: 1, seq: 2, body: text }, ['seq', 'postId'])
    const updated = await rest.post('/comment', body('Changed.'))
    expect([updated.status, updated.one]).toMatchObject([200, { id: '1_2', attributes: { body: 'Changed.' } }])
    const created = await rest.post('/comment', upsert('comment', { postId: 2, seq: 1, body: 'x' }, ['postId', 'seq']))
    expect([created.status, created.one.id]).toEqual([201, '2_1'])
  })

  it('replaces relationships where it updates', async () => {
    const relationships = { tags: { data: [{ type: 'tag', id: 'tips' }] }, author: { data: null } }
    const answer = await rest.post('/post', upsert('post', { slug: 'one', title: 'One' }, ['slug'], { relationships }))
    expect([answer.status, answer.one.attributes?.['authorId']]).toEqual([200, null])
    expect((await rest.get('/post/1/relationships/tags')).ids).toEqual(['tips'])
  })

  it('applies nothing where a related resource does not exist', async () => {
    const relationships = { tags: { data: [{ type: 'tag', id: 'nope' }] } }
    for (const slug of ['one', 'new']) {
      const answer = await rest.post('/post', upsert('post', { slug, title: 'x' }, ['slug'], { relationships }))
      expect(answer.status).toBe(404)
    }
    expect(await db.orm.post.count({ where: { title: 'x' } })).toBe(0)
  })

  it('answers 409 where another unique field is taken', async () => {
    const answer = await rest.post('/category', upsert('category', { name: 'New' }, ['name']))
    expect(answer.status).toBe(201)
    const taken = await rest.post('/tag', upsert('tag', { name: 'news' }, ['name']))
    expect(taken.status).toBe(200)
    await db.orm.user.update({ where: { id: 2 }, data: { email: 'taken@example.org' } })
    const user = upsert('profile', { userId: 99 }, ['userId'])
    expect((await rest.post('/profile', user)).status).toBe(409)
  })

  describe('refuses with 400, and creates nothing,', () => {
    it.each([
      ['another operation', { operation: 'replace', matchFields: ['slug'] }],
      ['an operation that is no text', { operation: true, matchFields: ['slug'] }],
      ['no operation', { matchFields: ['slug'] }],
      ['no matchFields', { operation: 'upsert' }],
      ['matchFields that are no list', { operation: 'upsert', matchFields: 'slug' }],
      ['an empty list', { operation: 'upsert', matchFields: [] }],
      ['an unknown field', { operation: 'upsert', matchFields: ['nope'] }],
      ['a prototype', { operation: 'upsert', matchFields: ['__proto__'] }],
      ['a relation', { operation: 'upsert', matchFields: ['author'] }],
      ['a field that is no name', { operation: 'upsert', matchFields: [5] }],
      ['a field that is not unique', { operation: 'upsert', matchFields: ['title'] }],
      ['fields that are not unique together', { operation: 'upsert', matchFields: ['slug', 'title'] }],
      ['a field twice', { operation: 'upsert', matchFields: ['slug', 'slug'] }],
      ['a field without a value', { operation: 'upsert', matchFields: ['id'] }],
    ])('%s', async (_what, meta) => {
      const answer = await rest.post('/post', {
        data: { type: 'post', attributes: { slug: 'new', title: 'New' } },
        meta,
      })
      expect(answer.status).toBe(400)
      expect(await db.orm.post.count()).toBe(5)
    })
  })

  it('answers 409 for another type and 422 for what a create would refuse', async () => {
    expect((await rest.post('/post', upsert('user', { slug: 'x' }, ['slug']))).status).toBe(409)
    expect((await rest.post('/post', upsert('post', { slug: 'x' }, ['slug']))).status).toBe(422)
  })

  it('makes one row of twenty at once, and no answer is a failure', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        rest.post('/post', upsert('post', { slug: 'race', title: `Title ${index}` }, ['slug'])),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 201])
    expect(await db.orm.post.count({ where: { slug: 'race' } })).toBe(1)
  })
})
