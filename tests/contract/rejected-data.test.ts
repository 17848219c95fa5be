import { expect } from 'vitest'

import type { TestResponse as RestResponse } from '../rest/support/client.js'
import type { TestResponse as RpcResponse } from '../rpc/client.js'
import { describeContract } from './describe-contract.js'

const user = { email: 'new@example.com', password: 'long enough' }
const row = { slug: 'new', title: 'New' }
const one = { id: 1 }
const to = (type: string, id: unknown) => ({ data: { type, id } })
const post = (members: object) => ({ data: { type: 'post', ...members } })
const withRow = (attributes: object, members: object = {}) =>
  post({ attributes: { ...row, ...attributes }, ...members })

/** Expects the paths of the issues of an RPC error, with their codes. */
const issues =
  (...expected: readonly string[]) =>
  ({ body }: RpcResponse) =>
    expect(body.issues?.map(({ path, code }) => `${path.join('.')} ${code}`)).toEqual(expected)

describeContract('rejected data', ({ rule, rest, rpc }) => {
  /** Adds a rule for values that both styles reject. */
  const rejects = (what: string, values: object, code = 'invalid-value', rpcStatus = 422) => {
    rule('7.1, 7.3', `${what}: rejects the value before the first query`, { queries: 0 })
    for (const [name, value] of Object.entries(values)) {
      const errors = [`${code} /data/attributes/${name}`]
      rest('POST /post', withRow({ [name]: value }), 422, errors)
      rest('PATCH /post/1', post({ attributes: { [name]: value } }), 422, errors)
      if (rpcStatus !== 200) rpc('post.update', { where: one, data: { [name]: value } }, rpcStatus)
    }
  }
  rejects('unknown field', { nope: 1, Title: 'x' }, 'unknown-attribute', 400)
  rejects('id as attribute', { id: 9 }, 'unknown-attribute', 403)
  rejects('relationship as attribute', { author: 1 }, 'unknown-attribute', 400)
  const nested = { tags: { create: { name: 'x' } }, comments: { deleteMany: {} } }
  rejects('nested write as attribute', nested, 'unknown-attribute', 200)
  rejects('operation on an attribute', { viewCount: { increment: 9 }, title: { set: 'x' } }, 'invalid-value', 200)
  rejects('another type', { title: 5, viewCount: '5' })
  rejects('fraction for an integer', { viewCount: 1.5 })
  rejects('null for a required field', { title: null })
  rejects('unknown value of an enum', { status: 'draft' })
  rejects('nonexistent date', { publishedAt: '2024-02-30T00:00:00Z' })
  rejects('string with U+0000', { title: 'a\0b' })
  rejects('half of a surrogate pair', { title: '\ud800' })
  rejects('violated rule', { slug: 'No spaces!', viewCount: -1 })

  rule('7.1', 'rejects a decimal out of range with 422')
  const category = { type: 'category', attributes: { name: 'x', adPrice: '1e999' } }
  rest('POST /category', { data: category }, 422, 'invalid-value /data/attributes/adPrice')
  rest('/category?filter[adPrice$lt]=1e999', 422)

  rule('7.3', 'rejects values that violate rules at every position before the first query', { queries: 0 })
  const bad = { ...row, slug: 'X Y' }
  const email = 'x'
  for (const invalid of [{ email }, { password: 'short' }]) rpc('user.create', { data: { ...user, ...invalid } }, 422)
  rpc('user.createMany', { data: [user, { ...user, email }] }, 422)
  for (const data of [{ email }, { email: { set: 'x' } }]) rpc('user.update', { where: one, data }, 422)
  rpc('user.upsert', { where: one, create: user, update: { email } }, 422)
  rpc('post.create', { data: { slug: 'x' } }, 422)
  rpc('post.create', { data: { ...row, author: { create: { ...user, email } } } }, 422)
  // The result of this arithmetic cannot be checked.
  for (const viewCount of [-1, { decrement: 1000 }]) rpc('post.updateMany', { where: {}, data: { viewCount } }, 422)
  for (const posts of [
    { createMany: { data: [bad] } },
    { updateMany: { where: {}, data: { title: '' } } },
    { upsert: { where: one, create: bad, update: {} } },
    { connectOrCreate: { where: one, create: bad } },
  ])
    rpc('user.update', { where: one, data: { posts } }, 422)

  rule('7.1, 7.3', 'reports all errors of a body in one response')
  const relationships = { author: to('tag', 'x'), nope: {} }
  const mixed = { attributes: { title: 5, viewCount: 'x', nope: 1 }, relationships }
  rest('POST /post', post(mixed), 400, [
    'invalid-value /data/attributes/title',
    'invalid-value /data/attributes/viewCount',
    'unknown-attribute /data/attributes/nope',
    'type-conflict /data/relationships/author/data/type',
    'unknown-relationship /data/relationships/nope',
    'missing-attribute /data/attributes/slug',
  ])
  const data = { title: '', viewCount: -1, nope: 1, author: { create: { email: 'x', posts: 1 } } }
  const issue = (path: string, message: unknown, code: string, params?: object) =>
    ({ path: path.split('.'), message, code, ...(params && { params: expect.objectContaining(params) }) }) as const
  const hasAllIssues = ({ body }: RpcResponse) => {
    expect(body.message).toMatch(/^data\.title is invalid: Too small.* data\.slug is required\.$/)
    expect(body.issues).toEqual([
      issue('data.title', 'Too small: expected string to have >=1 characters', 'too_small', { minimum: 1 }),
      issue('data.viewCount', expect.any(String), 'too_small', { minimum: 0 }),
      issue('data.nope', 'Unknown name "nope" in data.', 'invalid-arguments'),
      issue('data.author.create.email', 'Invalid email address', 'invalid_format', { format: 'email' }),
      issue('data.author.create.posts', 'data.author.create.posts must be an object.', 'invalid-arguments'),
      issue('data.author.create.password', 'Must have a value.', 'required', {}),
      issue('data.slug', 'Must have a value.', 'required', {}),
    ])
  }
  rpc('post.create', { data }, 422, hasAllIssues)
  rule('7.1', 'returns at most 100 errors')
  const unknown = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`no${index}`, 1]))
  const hasHundred = ({ errors }: RestResponse) => expect(errors).toHaveLength(100)
  rest('POST /tag', { data: { type: 'tag', attributes: unknown } }, 422, hasHundred)
  const hasHundredIssues = ({ body }: RpcResponse) => expect(body.issues).toHaveLength(100)
  rpc('tag.create', { data: unknown }, 400, hasHundredIssues)
  const unnamed = Array.from({ length: 99 }, () => ({ x: 1, y: 1 }))
  rpc('tag.createMany', { data: unnamed }, 400, hasHundredIssues)
  rpc('post.create', { data: { ...row, tags: { create: unnamed } } }, 400, hasHundredIssues)

  rule('7.1, 7.3', 'reports the violated rule of each field')
  const detail: unknown = expect.stringMatching(/^"title" is invalid: Too small/)
  const meta = { rule: 'too_small', minimum: 1 }
  const short = { detail, source: { pointer: '/data/attributes/title' }, meta }
  rest('POST /post', post({ attributes: { slug: 'a', title: '' } }), 422, { errors: [short] })
  const many = [{ slug: 'a' }, { slug: 'B', title: 'x' }]
  rpc('post.createMany', { data: many }, 422, issues('data.0.title required', 'data.1.slug invalid_format'))
  const changes = { title: { set: '' }, slug: 5 }
  rpc('post.update', { where: one, data: changes }, 422, issues('data.title.set too_small', 'data.slug invalid_type'))
  const posts = {
    create: [{ slug: 'a' }, row, { slug: 'B', title: 'x' }],
    update: { where: one, data: { title: '' } },
    connect: [{ id: 'x' }],
  }
  rpc(
    'user.update',
    { where: one, data: { posts } },
    422,
    issues(
      'data.posts.create.0.title required',
      'data.posts.create.2.slug invalid_format',
      'data.posts.update.data.title too_small',
      'data.posts.connect.0.id invalid-value',
    ),
  )

  rule('7.1, 7.3', 'names each missing attribute and points to it')
  const missing = (detail: string, name: string) => ({ detail, source: { pointer: `/data/attributes/${name}` } })
  const postId = missing('The attribute "postId" or the relationship "post" is required.', 'postId')
  const errors = [postId, missing('The attribute "body" is required.', 'body')]
  rest('POST /comment', { data: { type: 'comment', attributes: { seq: 9 } } }, 422, { errors })
  rest('POST /tag', { data: { type: 'tag' } }, 422, ['missing-attribute /data/attributes/name'])
  const empty = { type: 'comment', attributes: { seq: 9, body: 'x' }, relationships: { post: { data: null } } }
  rest('POST /comment', { data: empty }, 422, ['missing-attribute /data/relationships/post/data'])
  rpc('comment.create', { data: { seq: 9, body: 'x' } }, 422, issues('data.postId required'))
  const members = { profile: { create: {} }, comments: { create: { seq: 1, body: 'x' } } }
  const author = { create: { ...user, ...members } }
  rpc('post.create', { data: { ...row, author } }, 422, issues('data.author.create.comments.create.postId required'))

  rule('7.1, 7.3', 'rejects a foreign key together with its relation')
  const both = post({ attributes: { ...row, authorId: 1 }, relationships: { author: to('user', 1) } })
  rest('POST /post', both, 422, { errors: [{ source: { pointer: '/data/attributes/authorId' } }] })
  rpc(
    'post.create',
    { data: { ...row, authorId: 1, category: { connect: one } } },
    400,
    issues('data.authorId invalid-arguments'),
  )

  rule('7.1', 'points to the id if an attribute is named id')
  const attributes = { id: 9 }
  rest('PATCH /post/1', post({ attributes }), 422, 'unknown-attribute /data/attributes/id')
  rest('PATCH /post/1', post({ id: '1', attributes }), 422, 'unknown-attribute /data/id')
  for (const id of ['1', undefined]) rest('PATCH /post/1', post({ id, attributes }), 422, /data\.id/)

  rule('7.1', 'rejects a type or id that contradicts the URL with 409')
  const typeConflict = { errors: [{ code: 'type-conflict', status: 409, source: { pointer: '/data/type' } }] }
  rest('POST /post', to('user', undefined), 409, typeConflict)
  rest('PATCH /post/1', to('user', undefined), 409)
  for (const id of ['2', 2, 'x', true]) {
    const idConflict = { errors: [{ code: 'id-conflict', status: 409, source: { pointer: '/data/id' } }] }
    rest('PATCH /post/1', post({ id, attributes: { title: 'x' } }), 409, idConflict)
  }

  rule('7.1', 'rejects invalid ids and ids that contradict an attribute with 422')
  rest('POST /tag', to('tag', ''), 422, ['invalid-value /data/id'])
  const contradicting = { data: { type: 'tag', id: 'a', attributes: { name: 'b' } } }
  rest('POST /tag', contradicting, 422, { errors: [{ source: { pointer: '/data/attributes/name' } }] })
  rest('POST /tag', to('tag', 2 ** 53), 422, 'invalid-value /data/id')
  for (const id of [2 ** 53, 1e300, 1.5]) {
    const path = '/data/relationships/author/data/id'
    rest('PATCH /post/1/relationships/author', to('user', id), 422, 'invalid-value /data/id')
    rest('PATCH /post/1', post({ relationships: { author: to('user', id) } }), 422, `invalid-value ${path}`)
    rest('PATCH /post/1', post({ id, attributes: { title: 'x' } }), 422, 'invalid-value /data/id')
  }
})
