import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { ENDPOINT, type RestClient, restClient } from './support/client.js'

const MINIMAL = { Prefer: 'return=minimal' }
const data = (slug: string) => ({ data: { type: 'post', attributes: { slug, title: slug } } })

describeDatabases('REST: the preference for a minimal answer', (db) => {
  let rest: RestClient

  beforeEach(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  it('shows no more than what was written', async () => {
    const created = await rest.post('/post', data('minimal'), MINIMAL)
    const { id } = created.one
    const resource = { type: 'post', id, links: { self: `${ENDPOINT}/post/${id}` } }
    expect([created.status, created.one]).toEqual([201, resource])
    expect(created.headers.get('Preference-Applied')).toBe('return=minimal')
    expect(created.headers.get('Location')).toBe(`${ENDPOINT}/post/${id}`)
    const update = { data: { type: 'post', id, attributes: { title: 'Changed' } } }
    const updated = await rest.patch(`/post/${id}`, update, { Prefer: 'wait=10, Return="minimal"; foo' })
    expect([updated.status, updated.one]).toEqual([200, resource])
    const upsert = { ...data('minimal'), meta: { operation: 'upsert', matchFields: ['slug'] } }
    expect((await rest.post('/post', upsert, MINIMAL)).one).toEqual(resource)
    expect((await rest.get(`/post/${id}`)).one.attributes?.['title']).toBe('minimal')
  })

  it('loads no more than that', async () => {
    const update = { data: { type: 'post', id: '1', attributes: { title: 'Changed' } } }
    const queries = await db.queriesOf(() => rest.patch('/post/1', update, MINIMAL))
    expect(queries.filter((query) => /content/.test(query))).toEqual([])
  })

  it.each([
    ['another preference', '/post', { Prefer: 'return=representation' }],
    ['one that another stands before', '/post', { Prefer: 'return=representation, return=minimal' }],
    ['one that is none', '/post', { Prefer: 'return=minimalistic' }],
    ['a fieldset', '/post?fields[post]=title', MINIMAL],
    ['something to include', '/post?include=author', MINIMAL],
  ])('is not kept with %s', async (_, path, headers) => {
    const { headers: answered, one } = await rest.post(path, data('whole'), headers)
    expect([answered.get('Preference-Applied'), one.attributes?.['title']]).toEqual([null, 'whole'])
  })
})
