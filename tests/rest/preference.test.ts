import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { ENDPOINT, type RestClient, restClient } from './support/client.js'

const MINIMAL = { Prefer: 'return=minimal' }
const data = (slug: string) => ({ data: { type: 'post', attributes: { slug, title: slug } } })

describeDatabases('REST: Prefer: return=minimal', (db) => {
  let rest: RestClient

  beforeEach(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  it('returns only the identifier and links of the written resource', async () => {
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

  it('loads only the required columns', async () => {
    const update = { data: { type: 'post', id: '1', attributes: { title: 'Changed' } } }
    const queries = await db.queriesOf(() => rest.patch('/post/1', update, MINIMAL))
    expect(queries.filter((query) => /content/.test(query))).toEqual([])
  })

  it.each([
    ['return=representation', '/post', { Prefer: 'return=representation' }],
    ['earlier return=representation', '/post', { Prefer: 'return=representation, return=minimal' }],
    ['unknown value', '/post', { Prefer: 'return=minimalistic' }],
    ['fieldset', '/post?fields[post]=title', MINIMAL],
    ['include', '/post?include=author', MINIMAL],
  ])('%s: ignores return=minimal', async (_, path, headers) => {
    const { headers: responseHeaders, one } = await rest.post(path, data('whole'), headers)
    expect([responseHeaders.get('Preference-Applied'), one.attributes?.['title']]).toEqual([null, 'whole'])
  })
})
