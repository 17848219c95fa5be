import { buildJSONAPISerializerFor, JSONAPISerializers } from '@orbit/jsonapi'
import { RecordSchema } from '@orbit/records'
import { expect, it } from 'vitest'

import { isObject } from '../../runtime/values/is-object.js'
import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { MEDIA_TYPE, restClient } from './support/client.js'

const ATOMIC = `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`

const schema = new RecordSchema({
  models: {
    post: {
      attributes: { slug: { type: 'string' }, title: { type: 'string' } },
      relationships: {
        author: { kind: 'hasOne', type: 'user' },
        tags: { kind: 'hasMany', type: 'tag' },
      },
    },
    user: { attributes: {} },
    tag: { attributes: {} },
  },
})

/** Returns an Orbit serializer. Orbit's own types are imprecise. */
function serializer(name: string): { serialize(value: unknown): unknown; deserialize(value: unknown): unknown } {
  const found: unknown = buildJSONAPISerializerFor({ schema })(name)
  return found as ReturnType<typeof serializer>
}

describeDatabases('REST: atomic operations of @orbit/jsonapi', (db) => {
  it('runs the operations and returns results that Orbit can read', async () => {
    await db.fill(fillBlog)
    const one = { type: 'post', id: '1' }
    const operations = [
      { op: 'addRecord', record: { type: 'tag', id: 'orbit' } },
      { op: 'updateRecord', record: { ...one, attributes: { title: 'By Orbit' } } },
      { op: 'addToRelatedRecords', record: one, relationship: 'tags', relatedRecord: { type: 'tag', id: 'orbit' } },
      { op: 'removeFromRelatedRecords', record: one, relationship: 'tags', relatedRecord: { type: 'tag', id: 'news' } },
      { op: 'replaceRelatedRecord', record: one, relationship: 'author', relatedRecord: { type: 'user', id: '3' } },
      { op: 'replaceRelatedRecord', record: { type: 'post', id: '2' }, relationship: 'author', relatedRecord: null },
      {
        op: 'replaceRelatedRecords',
        record: { type: 'post', id: '3' },
        relationship: 'tags',
        relatedRecords: [{ type: 'tag', id: 'tips' }],
      },
      { op: 'removeRecord', record: { type: 'post', id: '5' } },
    ]
    const operation = serializer(JSONAPISerializers.ResourceAtomicOperation)
    const body = { 'atomic:operations': operations.map((one) => operation.serialize(one)) }
    const rest = restClient(db, { atomicOperations: true })
    const response = await rest.post('/operations', body, { 'Content-Type': ATOMIC, Accept: ATOMIC })
    expect([response.status, response.errors]).toEqual([200, []])
    const include = { author: true, tags: { orderBy: { name: 'asc' } } } as const
    const posts = await db.orm.post.findMany({ include, orderBy: { id: 'asc' } })
    expect(posts.map(({ title, author, tags }) => [title, author?.id, tags.map(({ name }) => name)])).toEqual([
      ['By Orbit', 3, ['a/b %_ü', 'orbit']],
      ['Two', undefined, ['news']],
      ['Three, or more', 1, ['tips']],
      ['Four', 2, []],
    ])
    const results: unknown = JSON.parse(response.text)['atomic:results']
    const resources = (Array.isArray(results) ? results : []).map((result: unknown) =>
      isObject(result) ? result['data'] : undefined,
    )
    expect(resources[0]).toMatchObject({ type: 'tag', id: 'orbit' })
    expect(serializer(JSONAPISerializers.Resource).deserialize(resources[1])).toMatchObject({
      ...one,
      attributes: { title: 'By Orbit' },
    })
  })
})
