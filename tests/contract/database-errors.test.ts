import { expect } from 'vitest'

import type { TestResponse as RestResponse } from '../rest/support/client.js'
import type { TestResponse as RpcResponse } from '../rpc/client.js'
import { describeContract } from './describe-contract.js'

const row = { slug: 'new', title: 'New' }
const one = { id: 1 }
const to = (type: string, id: string) => ({ data: { type, id } })
const tags = (...ids: readonly string[]) => ({ data: ids.map((id) => ({ type: 'tag', id })) })
const resource = (type: string, attributes: object, relationships?: object) => ({
  data: { type, attributes, ...(relationships && { relationships }) },
})
const post = (relationships: object, attributes = {}) => resource('post', { ...row, ...attributes }, relationships)
const update = (members: object) => ({ data: { type: 'post', ...members } })
const other = (fields: string) => `A record with the same ${fields} already exists.`

/** Expects the message of a conflict, and the fields of its issues. */
const conflict =
  (fields: string, ...paths: readonly string[]) =>
  ({ body }: RpcResponse) => {
    expect([body.code, body.message]).toEqual(['P2002', other(fields)])
    if (paths.length > 0) expect(body.issues?.map(({ path }) => path.join('.'))).toEqual(paths)
  }
const hasIssue =
  (name: string) =>
  ({ body }: RpcResponse) => {
    expect([body.code, body.issues?.map(({ path }) => path)]).toEqual(['P2003', [['data', name]]])
  }
const hasNoIssues = ({ body }: RpcResponse) => expect(body.issues).toBeUndefined()
const namesNoField = ({ errors: [error] }: RestResponse) =>
  expect([error?.source, error?.meta]).toEqual([undefined, undefined])
const noRow = 'There is no "post" with this id.'

describeContract('database errors', ({ rule, rest, rpc }) => {
  rule('7.1, 7.3', 'rejects a duplicate unique value with 409 and names the fields')
  rest('POST /post', post({}, { slug: 'one' }), 409, 'unique-violation /data/attributes/slug')
  rest('POST /post', post({}, { slug: 'one' }), 409, { errors: [{ ormCode: 'P2002', detail: other('slug') }] })
  rest('PATCH /post/2', update({ attributes: { slug: 'one' } }), 409, 'unique-violation /data/attributes/slug')
  rest('POST /tag', to('tag', 'news'), 409, 'unique-violation /data/id')
  rest('POST /tag', resource('tag', { name: 'news' }), 409, 'unique-violation /data/attributes/name')
  const comment = { seq: 1, body: 'x' }
  rest('POST /comment', resource('comment', { postId: 1, ...comment }), 409, 'unique-violation /data/attributes')
  rest('POST /comment', resource('comment', comment, { post: to('post', '1') }), 409, 'unique-violation /data')
  rpc('post.create', { data: { ...row, slug: 'one' } }, 409, conflict('slug', 'data.slug'))
  rpc('tag.create', { data: { name: 'news' } }, 409, conflict('name'))
  rpc('comment.create', { data: { postId: 1, ...comment } }, 409, conflict('postId and seq', 'data.postId', 'data.seq'))
  const second = { postId_seq: { postId: 1, seq: 2 } }
  rpc('comment.update', { where: second, data: { seq: 1 } }, 409, conflict('postId and seq', 'data.seq'))
  const inFirst = { seq: 1, body: 'x', post: { connect: { id: 1 } } }
  rpc('comment.create', { data: inFirst }, 409, hasNoIssues)
  rpc('post.create', { data: { ...row, category: { create: { name: 'Science' } } } }, 409, conflict('name'))
  rpc('post.update', { where: { id: 2 }, data: { slug: 'one' } }, 409, conflict('slug'))
  rpc('post.createMany', { data: [row, { ...row, slug: 'one' }] }, 409, conflict('slug'))

  rule('7.3', 'rolls back an update if a nested write fails')
  rpc('post.update', { where: one, data: { title: 'Changed', comments: { create: comment } } }, 409)

  rule('7.1, 7.3', 'rejects a foreign key to a missing row and the deletion of a referenced row with 409')
  const named = { source: { pointer: '/data/attributes/authorId' }, meta: { fields: ['authorId'] } }
  const violation = { code: 'foreign-key-violation', ...named }
  rest('POST /post', post({}, { authorId: 99 }), 409, { errors: [violation] })
  rest('POST /post', post({}, { authorId: 99, categoryId: 1 }), 409, namesNoField)
  rest('DELETE /category/1', 409, /^Other records still refer to this one\.$/)
  rpc('post.create', { data: { ...row, authorId: 9999 } }, 409, hasIssue('authorId'))
  const nested = { authorId: 1, comments: { create: { seq: 7, body: 'x', authorId: 9999 } } }
  rpc('post.update', { where: one, data: nested }, 409, hasNoIssues)
  rpc('category.delete', { where: one }, 409, 'P2003')

  rule('7.1, 7.3', 'responds with 404 to a missing row')
  rest('PATCH /post/99', update({ attributes: { title: 'x' } }), 404, { errors: [{ detail: noRow }] })
  rest('DELETE /post/99', 404, { errors: [{ detail: noRow }] })
  rest('PATCH /post/99', update({ relationships: { author: to('user', '1') } }), 404, 'not-found')
  rest('POST /post/99/relationships/tags', tags('news'), 404, 'not-found')
  const missing = { where: { id: 9999 } }
  rpc('post.update', { ...missing, data: {} }, 404)
  rpc('post.delete', missing, 404, hasNoIssues)
  for (const operation of ['findUniqueOrThrow', 'findFirstOrThrow']) rpc(`post.${operation}`, missing, 404)
  rule('7.3', 'findUnique: returns null for a missing row')
  rpc('post.findUnique', missing, 200, null)

  rule('7.1, 7.3', 'responds with 404 to a missing related row and points to it')
  const author = to('user', '99')
  const ofPost = '/data/relationships'
  rest('POST /post', post({ author }), 404, `not-found ${ofPost}/author/data`)
  rest('PATCH /post/1', update({ relationships: { author } }), 404, `not-found ${ofPost}/author/data`)
  rest('PATCH /post/1/relationships/author', author, 404, 'not-found /data')
  rest('POST /post', post({ author: to('user', '1abc') }), 404)
  rest('PATCH /post/1', update({ attributes: { title: 'x' }, relationships: { author: to('user', '1abc') } }), 404)
  rest('POST /post', post({ tags: tags('nope') }), 404, `not-found ${ofPost}/tags/data/0`)
  rest('PATCH /post/1', update({ relationships: { tags: tags('nope') } }), 404, `not-found ${ofPost}/tags/data/0`)
  for (const method of ['POST', 'PATCH'])
    rest(`${method} /post/1/relationships/tags`, tags('nope'), 404, 'not-found /data/0')
  for (const members of [tags('nope', 'news'), tags('news', 'nope')]) {
    rest('POST /post', post({ tags: members }), 404, `not-found ${ofPost}/tags/data`)
    rest('PATCH /post/1', update({ attributes: { title: 'x' }, relationships: { tags: members } }), 404)
  }
  rest('POST /post', post({ tags: tags('nope'), author }), 404, `not-found ${ofPost}/author/data`)
  const children = { data: [{ type: 'category', id: '1' }] }
  const ambiguous = { children, posts: { data: [{ type: 'post', id: '99' }] } }
  rest('POST /category', resource('category', { name: 'x' }, ambiguous), 404, 'not-found')
  rpc('post.create', { data: { ...row, author: { connect: { id: 9999 } } } }, 404)
  rpc('post.create', { data: { ...row, tags: { connect: [{ name: 'no such tag' }] } } }, 404)
  const where = { postId_seq: { postId: 1, seq: 999 } }
  rpc('post.update', { where: one, data: { comments: { update: { where, data: { body: 'x' } } } } }, 404)
  rpc('post.update', { where: one, data: { comments: { delete: { postId_seq: { postId: 4, seq: 1 } } } } }, 404)

  rule('4.1', 'accepts a client-generated id once if the id has no default')
  rest('POST /tag', to('tag', 'fresh'), 201, { data: { id: 'fresh' } })
  rest('POST /tag', to('tag', 'fresh'), 409, 'unique-violation /data/id')
  const ninth = { type: 'comment', id: '1_9', attributes: { body: 'Ninth.' } }
  rest('POST /comment', { data: ninth }, 201, { data: { id: '1_9', attributes: { postId: 1, seq: 9 } } })
})
