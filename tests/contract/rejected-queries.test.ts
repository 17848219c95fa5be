import { expect } from 'vitest'

import type { TestResponse } from '../rest/support/client.js'
import type { TestResponse as RpcResponse } from '../rpc/client.js'
import { describeContract } from './describe-contract.js'
import { same } from './same.js'

const one = { id: 1 }
const row = { slug: 'x', title: 'x' }
const first = { postId: 1, seq: 1 }
const hasPath = (path: string) => (response: RpcResponse) =>
  expect(response.body.issues?.map((issue) => issue.path.join('.'))).toEqual([path])

describeContract('rejected queries', ({ rule, rest, rpc }) => {
  /** Adds a rule for values of a REST parameter that are rejected. */
  const rejects = (parameter: string, values: readonly string[], ...paths: readonly string[]) => {
    rule('4.2, 7.1', `${parameter}: rejects invalid values with 400 and names the parameter`)
    const namesParameter = ({ errors }: TestResponse) => expect(errors[0]?.source).toEqual({ parameter })
    for (const path of ['/post', ...paths])
      for (const value of values) rest(`${path}?${parameter}=${value}`, 400, namesParameter)
  }
  const relations = ['nope', 'tags', 'author.posts', 'tags.name', 'author.nope', 'author.password', '__proto__']
  rejects('sort', [...relations, '', ',', 'title,', '-', 'title.x', 'title,title', 'id&sort=-id'])
  const paths = ['nope', 'tags.nope', 'title', 'author.password', 'author.', '.author', 'author,,tags', '__proto__']
  rejects('include', [...paths, 'author.__proto__'], '/post/1', '/user/1/posts')
  rejects('page[limit]', ['0', '-1', 'abc', '1e3', 'NaN', '1.5', '', '1001', '1000000000000', '1&page[limit]=2'])
  rejects('page[offset]', ['-1', '1e12', '9007199254740993'])
  rejects('page[number]', ['0'])
  rejects('fields[post]', ['nope', 'title,', 'title&fields[post]=nope'])
  rejects('fields[user]', ['password'])
  for (const name of ['fields[__proto__]', 'fields[nope]', 'fields[post][x]', 'fields[]', 'fields'])
    rejects(name, ['title'])

  rule('4.2, 7.1', 'rejects unknown page parameters and contradicting pages with 400')
  const namesPage = ({ errors }: TestResponse) => expect(errors[0]?.source?.parameter).toMatch(/^page/)
  const far = 'page[number]=2000000000&page[size]=1000'
  for (const query of ['page[foo]=1', 'page=1', 'page[limit][x]=1', 'page[limit]=1&page[number]=2', far])
    rest(`/post?${query}`, 400, namesPage)

  rule('4.2, 7.1', 'rejects a sort by a write-only field exactly like by an unknown field')
  const [remembers, isSame] = same(({ text }: TestResponse) => text.replaceAll(/password|passwort/g, '…'))
  rest('/user?sort=password', 400, remembers)
  rest('/user?sort=passwort', 400, isSame)
  rule('4.2, 7.1', 'reports that a to-many relation cannot be sorted by')
  rest('/post?sort=comments', 400, /to-many relationship/)

  rule('4.2, 7.1', 'rejects parameters that a write does not accept with 400')
  rest('DELETE /post/1?include=tags', 400)
  rest('POST /post/1/relationships/tags?include=posts', { data: [] }, 400)
  rest('POST /post?filter[id]=1', { data: { type: 'post', attributes: row } }, 400)

  /** Adds arguments that are rejected before the first query. */
  const rejectsArgs = (operation: string, ...rejected: readonly object[]) => {
    for (const args of rejected) rpc(operation, args, 400)
  }
  const rejectsEarly = (what: string) =>
    rule('4.3, 7.3', `rejects ${what} with 400 before the first query`, { queries: 0 })
  const having = (...filters: readonly object[]) => filters.map((filter) => ({ by: ['id'], having: filter }))
  const where = (...filters: readonly object[]) => filters.map((filter) => ({ where: filter }))

  rejectsEarly('a write of all rows without an explicit filter')
  rejectsArgs('post.deleteMany', {}, ...[undefined, null, []].map((filter) => ({ where: filter })))
  rejectsArgs('post.updateMany', { data: { title: 'x' } })
  rejectsEarly('arguments of another operation')
  rejectsArgs('post.deleteMany', { where: {}, data: {} })
  rejectsArgs('post.findMany', { wher: {} })
  rejectsArgs('post.findUnique', { where: one, take: 1 })
  rejectsArgs('post.check', { operation: 'drop' })
  rejectsEarly('an incomplete groupBy')
  rejectsArgs('post.groupBy', {}, { by: [1] }, { by: [] }, { by: ['id'], take: 1 }, { by: ['id'], skip: 1 })
  const insensitive = { mode: 'insensitive' }
  rejectsArgs('post.groupBy', ...having({}, { id: {} }, { id: { _count: {} } }, { OR: [] }, { title: insensitive }))
  rejectsArgs('post.groupBy', ...having({ title: { _min: insensitive } }, { title: { not: insensitive } }))
  rejectsArgs('profile.groupBy', ...having({ settings: {} }, { settings: insensitive }))
  rejectsEarly('a read of one row without a unique')
  rejectsArgs('post.findUnique', {}, ...where({ title: 'x' }, { id: { gt: 0 } }))
  rejectsArgs('comment.findUnique', ...where({ postId_seq: { postId: 1 } }, { postId_seq: { ...first, body: 'x' } }))
  rejectsEarly('an invalid selection')
  rejectsArgs('post.findMany', { select: { id: true }, include: { author: true } }, { select: {} })
  rejectsArgs('post.findMany', { select: { id: true }, omit: { title: true } }, { include: { title: true } })
  rejectsArgs('post.findMany', { distinct: [1], take: 1 }, { orderBy: { id: 'up' } })
  rejectsArgs('post.aggregate', { _sum: { title: true } })
  rejectsEarly('an invalid filter')
  const operators = [{ like: '%' }, { in: 'x' }, { equals: { _ref: 'slug', _container: 'Post' } }]
  rejectsArgs('post.findMany', ...where({ id: { contains: '1' } }, ...operators.map((title) => ({ title }))))
  rejectsArgs('post.findMany', ...where({ author: { some: {} } }, { comments: { is: {} } }, { OR: { id: 1 } }))
  rejectsArgs('comment.findMany', ...where({ post: null }))
  rejectsEarly('invalid data')
  const author = { connect: one }
  rejectsArgs('post.create', { data: { ...row, author: { update: {} } } })
  rejectsArgs('post.createMany', { data: [{ ...row, author }] })
  const updates = [{ author: { destroy: true } }, { viewCount: { set: 1, increment: 1 } }, { title: { contains: 'x' } }]
  for (const data of [...updates, { authorId: 1, author }]) rejectsArgs('post.update', { where: one, data })
  rejectsEarly('conditions in the upsert of a to-one relation with a foreign key')
  const upsert = { where: { name: 'x' }, create: { email: 'new@example.com', password: 'long enough' }, update: {} }
  rejectsArgs(
    'post.update',
    ...[{}, { disconnect: true }].map((more) => ({ where: one, data: { author: { upsert, ...more } } })),
  )
  rejectsEarly('an invalid page')
  rejectsArgs('post.findMany', ...[1e9, -1e9, 1.5, '1'].map((take) => ({ take })))
  rejectsArgs('post.findMany', ...[-1, 1e12, 2 ** 53 + 2].map((skip) => ({ skip })))

  rule('4.3, 7.3', 'rejects a foreign key together with a nested write of another relation with 400')
  rpc('post.create', { data: { ...row, authorId: 1, category: { connect: one } } }, 400)
  rule('7.3', 'rejects arguments that only the client validates with 400')
  rpc('post.groupBy', { by: ['status'], orderBy: { title: 'asc' } }, 400, { code: 'P2019', orm: true })
  rule('4.3, 7.3', 'rejects search with 400 and names the preview feature it needs', {
    on: ({ provider }) => provider !== 'mysql',
  })
  rpc('post.findMany', { where: { title: { search: 'x' } } }, 400, /"fullTextSearchPostgres"/)

  rule('7.3', 'reports the path of a condition of the wrong type with 422')
  for (const [operation, args, path] of [
    ['post.update', { where: { id: 1.5 }, data: {} }, 'where.id'],
    [
      'post.findMany',
      { where: { OR: [{ title: 'x' }, { viewCount: { in: [1, 'y'] } }] } },
      'where.OR.1.viewCount.in.1',
    ],
    ['post.findMany', { cursor: { id: 'x' } }, 'cursor.id'],
    ['post.groupBy', { by: ['title'], having: { viewCount: { gt: 'x' } } }, 'having.viewCount.gt'],
  ] as const)
    rpc(operation, args, 422, hasPath(path))
})
