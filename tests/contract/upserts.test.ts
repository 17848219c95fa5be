import { expect } from 'vitest'

import type { TestResponse } from '../rest/support/client.js'
import { describeContract } from './describe-contract.js'

const upsert = (type: string, attributes: object, matchFields: readonly string[], relationships?: object) => ({
  data: { type, attributes, relationships },
  meta: { operation: 'upsert', matchFields },
})
const hasLocation = (isCreated: boolean) => (response: TestResponse) => {
  const { headers, one } = response
  expect([one.id, headers.get('Location')]).toEqual(['6', isCreated ? one.links?.self : null])
}

describeContract('upserts', ({ rule, rest }) => {
  rule('4.1', 'responds with 201 to a create and with 200 to an update')
  rest('POST /post', upsert('post', { slug: 'new', title: 'First' }, ['slug']), 201, hasLocation(true))
  rest('POST /post', upsert('post', { slug: 'new', title: 'Second' }, ['slug']), 200, hasLocation(false))
  rest('/post/6', 200, { data: { attributes: { slug: 'new', title: 'Second' } } })
  rest('POST /category', upsert('category', { name: 'New' }, ['name']), 201)
  rest('POST /tag', upsert('tag', { name: 'news' }, ['name']), 200)
  rule('2.4, 4.1', 'matches rows by a compound id')
  const changed = upsert('comment', { postId: 1, seq: 2, body: 'Changed.' }, ['seq', 'postId'])
  rest('POST /comment', changed, 200, { data: { id: '1_2', attributes: { body: 'Changed.' } } })
  const created = upsert('comment', { postId: 2, seq: 1, body: 'x' }, ['postId', 'seq'])
  rest('POST /comment', created, 201, { data: { id: '2_1' } })
  rule('4.1', 'replaces relationships if it updates')
  const tags = (id: string) => ({ tags: { data: [{ type: 'tag', id }] } })
  const related = { ...tags('tips'), author: { data: null } }
  const one = upsert('post', { slug: 'one', title: 'One' }, ['slug'], related)
  rest('POST /post', one, 200, { data: { attributes: { authorId: null } } })
  rest('/post/1/relationships/tags', 200, ['tips'])

  rule('7.1', 'rejects missing related rows, other types and missing attributes')
  for (const slug of ['one', 'new'])
    rest('POST /post', upsert('post', { slug, title: 'x' }, ['slug'], tags('nope')), 404)
  rest('POST /profile', upsert('profile', { userId: 99 }, ['userId']), 409)
  rest('POST /post', upsert('user', { slug: 'x' }, ['slug']), 409)
  rest('POST /post', upsert('post', { slug: 'x' }, ['slug']), 422)
  rule('4.1, 7.1', 'rejects invalid meta with 400')
  const matchFields = ['slug']
  const fields = [['nope'], ['__proto__'], ['author'], [5], ['title'], ['slug', 'title'], ['slug', 'slug'], ['id']]
  for (const meta of [
    { operation: 'replace', matchFields },
    { operation: true, matchFields },
    { matchFields },
    { operation: 'upsert' },
    ...['slug', [], ...fields].map((matched) => ({ operation: 'upsert', matchFields: matched })),
  ])
    rest('POST /post', { data: { type: 'post', attributes: { slug: 'new', title: 'New' } }, meta }, 400)
})
