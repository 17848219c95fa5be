import { expect } from 'vitest'

import { ENDPOINT, type TestResponse } from '../rest/support/client.js'
import type { Database } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

const isExactly = (body: object) => (response: TestResponse) => expect(response.body).toEqual(body)
const hasNoBody = ({ text }: TestResponse) => expect(text).toBe('')
const identifier = (type: string, id: string | number) => ({ data: { type, id } })
const tags = (...ids: readonly string[]) => ({ data: ids.map((id) => ({ type: 'tag', id })) })
const post = (members: object) => ({ data: { type: 'post', ...members } })
const serialization = (values: object) => ({ meta: { serialization: { values, v: 1 } } })

const links = (name: string) => {
  const [related, self] = ['', 'relationships/'].map((part) => `${ENDPOINT}/post/1/${part}${name}`)
  return { links: { related, self } }
}
const attributes = {
  slug: 'one',
  title: 'One',
  content: null,
  status: 'PUBLISHED',
  viewCount: 10,
  publishedAt: '2024-02-01T00:00:00.000Z',
  updatedAt: expect.stringMatching(/Z$/),
  authorId: 1,
  categoryId: 1,
}
const relationships = {
  author: { ...identifier('user', '1'), ...links('author') },
  category: { ...identifier('category', '1'), ...links('category') },
  comments: links('comments'),
  tags: links('tags'),
}

describeContract('resources', ({ rule, rest, rpc, finally: after }) => {
  rule('2.3', 'returns a page of a collection')
  rest('/post', 200, ['1', '2', '3', '4', '5'])
  rest('/post', 200, { meta: { total: 5 }, links: { self: `${ENDPOINT}/post` } })

  rule('2.2, 2.3', 'returns the attributes, relationships and links of a resource')
  const self = { links: { self: `${ENDPOINT}/post/1` } }
  const types = serialization({ 'data.attributes.publishedAt': ['Date'], 'data.attributes.updatedAt': ['Date'] })
  const data = { type: 'post', id: '1', attributes, relationships, ...self }
  rest('/post/1', 200, isExactly({ data, ...types, ...self, jsonapi: { version: '1.1' } }))
  rule('4.1', 'responds to HEAD without a body')
  rest('HEAD /post/1', 200, hasNoBody)

  rule('2.5', 'returns all digits of BigInt and Decimal values, bytes as Base64 and Json unchanged')
  const category = { adPrice: '12.5', readers: '9007199254740993' }
  const numbers = { 'data.attributes.adPrice': [['custom', 'Decimal']], 'data.attributes.readers': ['bigint'] }
  rest('/category/1', 200, { data: { attributes: category }, ...serialization(numbers) })
  const profile = { avatar: 'AP8H', settings: { theme: 'dark' } }
  const bytes = { 'data.attributes.avatar': [['custom', 'Bytes']] }
  rest('/profile/1', 200, { data: { attributes: profile }, ...serialization(bytes) })

  rule('4.1, 4.3', 'creates a resource with relationships')
  const row = { slug: 'new', title: 'New', publishedAt: '2024-05-01T12:00:00.000Z' }
  const related = { author: identifier('user', 2), tags: tags('news', 'a/b %_ü') }
  const isCreated = ({ headers, one }: TestResponse) => {
    expect(headers.get('Location')).toBe(one.links?.self)
    expect(one).toMatchObject({ id: '6', attributes: { slug: 'new', authorId: 2, status: 'DRAFT' } })
  }
  rest('POST /post', post({ attributes: row, relationships: related }), 201, isCreated)
  const connect = { author: { connect: { id: 2 } }, tags: { connect: [{ name: 'news' }, { name: 'a/b %_ü' }] } }
  rpc('post.create', { data: { ...row, ...connect } }, 201, { id: 6, authorId: 2, status: 'DRAFT' })
  const stores = async ({ orm }: Database) => {
    const include = { tags: { orderBy: { name: 'asc' } } } as const
    const tags = [{ name: 'a/b %_ü' }, { name: 'news' }]
    const stored = { title: 'New', authorId: 2, publishedAt: new Date(row.publishedAt), tags }
    expect(await orm.post.findUnique({ where: { id: 6 }, include })).toMatchObject(stored)
  }
  after(stores)

  rule('4.1, 4.3', 'updates only the given attributes')
  const updated = { title: 'Changed', slug: 'one', viewCount: 10, authorId: 1 }
  for (const [method, title] of Object.entries({ PATCH: 'Changed', PUT: 'Changed again' }))
    rest(`${method} /post/1`, post({ id: '1', attributes: { title } }), 200, {
      data: { attributes: { ...updated, title } },
    })
  rpc('post.update', { where: { id: 1 }, data: { title: 'Changed' } }, 200, updated)

  rule('4.1', 'replaces the given relationships and keeps the related resources')
  const replaced = { author: { data: null }, category: identifier('category', '3') }
  const body = post({ relationships: { ...replaced, tags: tags('tips') } })
  rest('PATCH /post/1', body, 200, { data: { relationships: replaced } })
  rest('/post/1/relationships/tags', 200, ['tips'])
  rest('/user/1', 200)

  rule('4.1, 4.3', 'deletes a resource and responds with 404 afterwards')
  rest('DELETE /post/5', 204, hasNoBody)
  for (const method of ['DELETE', 'GET']) rest(`${method} /post/5`, 404)
  rest('PATCH /post/5', post({ attributes: { title: 'x' } }), 404)
  rpc('post.delete', { where: { id: 4 } }, 200, { id: 4 })
  rpc('post.delete', { where: { id: 4 } }, 404, 'P2025')

  rule('7.1', 'responds with 404 to unknown paths and with 405 to unsupported methods')
  rest('/nope', 404, { errors: [{ code: 'unsupported-model', status: 404, title: 'Unsupported model type' }] })
  rest('/post/1/nope', 404)
  rest('/post/1/relationships/nope', 404)
  const allows = (methods: string) => (response: TestResponse) => expect(response.headers.get('Allow')).toBe(methods)
  rest('DELETE /post', 405, allows('GET, HEAD, POST'))
})
