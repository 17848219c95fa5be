import { expect } from 'vitest'

import { userResource } from '../../fixtures/blog/expected/user/resource.js'
import { DEFAULT_LIMITS } from '../../runtime/limits.js'
import type { TestResponse as RpcResponse } from '../rpc/client.js'
import { changedRoutes } from './changed-routes.js'
import { describeContract } from './describe-contract.js'

const EXCEEDED = 'limit-exceeded'
const list = (length: number) => Array.from({ length }, (_, index) => index)
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
const negated = (depth: number): object => (depth === 0 ? { id: 1 } : { NOT: negated(depth - 1) })
const includes = (depth: number): object =>
  depth === 0 ? {} : { include: { [depth % 2 === 0 ? 'posts' : 'author']: depth === 1 ? true : includes(depth - 1) } }
const one = { id: 1 }
const post = (members: object) => ({ data: { type: 'post', ...members } })
const titled = (extra: unknown) => ({ ...post({ attributes: { title: 'One' } }), extra })
const tags = (count: number) => ({ data: list(count).map(() => ({ type: 'tag', id: 'news' })) })
const row = { slug: 'new', title: 'New' }
const user = { email: 'new@example.com', password: 'long enough' }
const hasPosts = (count: number) => (response: RpcResponse) =>
  expect(Reflect.get(Object(response.body.data), 'posts')).toHaveLength(count)
const COUNT = /COUNT\(\*\).*LIMIT/
const UNLIMITED = Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, Infinity]))

describeContract('limits', ({ rule, rest, rpc }) => {
  const within = (limits: object) => ({ options: { limits } })

  rule('8', 'rejects a body over limits.bodyBytes with 413, also if it is streamed', within({ bodyBytes: 200 }))
  const padded = (length: number) => {
    const pad = JSON.stringify({ data: { type: 'tag', id: 'limit' }, pad: '' }).length
    return { data: { type: 'tag', id: 'limit' }, pad: 'x'.repeat(length - pad) }
  }
  const pull = (controller: ReadableStreamDefaultController) =>
    controller.enqueue(new TextEncoder().encode('{"where":  '))
  const endless = () => new ReadableStream({ pull })
  rest('POST /tag', padded(201), 413)
  rest('POST /tag', padded(200), 201)
  rest({ send: 'POST /tag', raw: endless }, null, 413)
  rpc('POST post.findMany', { where: { title: 'x'.repeat(200) } }, 413)
  rpc({ send: 'POST /post/findMany', raw: endless }, null, 413)

  rule('8', 'rejects a body over limits.depth or limits.nodes', within({ depth: 5, nodes: 20 }))
  rest('PATCH /post/1', titled(nested(5)), 200)
  rest('PATCH /post/1', titled(nested(6)), 400, EXCEEDED)
  // The document, data, type, attributes, title and extra are six nodes.
  rest('PATCH /post/1', titled(list(14)), 200)
  rest('PATCH /post/1', titled(list(15)), 400, EXCEEDED)

  rule('8', 'rejects lists over limits.listLength in filters and linkage', within({ listLength: 3 }))
  rest('/post?filter[id]=1,2,3', 200)
  rest('/post?filter[id]=1,2,3,4', 400, { errors: [{ code: EXCEEDED }] })
  rest('POST /post/1/relationships/tags', tags(3), 200)
  rest('POST /post/1/relationships/tags', tags(4), 400, { errors: [{ code: EXCEEDED }] })

  /** Adds requests within a limit. */
  const accepts = (...queries: readonly string[]) =>
    rest(
      queries.map((query) => `/post?${query}`),
      200,
    )
  /** Adds requests beyond a limit. */
  const rejects = (...queries: readonly string[]) =>
    rest(
      queries.map((query) => `/post?${query}`),
      400,
      { errors: [{ code: EXCEEDED }] },
    )
  const any = { filterCost: Infinity }
  rule('8', 'rejects filters, includes and sorts over the depth limits', within({ depth: 3, includeDepth: 2, ...any }))
  accepts('filter[author][posts][title]=One', 'include=author.posts', 'sort=author.profile.id')
  rejects('filter[author][posts][author][name]=Ann', 'include=author.posts.author', 'sort=author.profile.user.name')

  rule('8', 'rejects filters and sorts over limits.filterRelations', within({ filterRelations: 2 }))
  const tagged = 'filter[tags]=a&filter[tags]=b'
  accepts(tagged, 'filter[author][profile][bio]=x', 'sort=author.name,category.name')
  rejects(`${tagged}&filter[tags]=c`, 'sort=author.profile.id,category.name')
  rejects('filter[author][profile][bio$contains]=x&filter[category][name]=y')

  rule('8', 'rejects includes, filters and orders over limits.filterRelations', within({ filterRelations: 3, ...any }))
  const three = 'include=author,comments.author,comments'
  accepts(three)
  const lists = ['/post', '/user/1/posts', '/user/1/relationships/posts'].map((path) => `${path}?${three},tags`)
  rest(lists, 400, [`${EXCEEDED} include`])
  const named = (index: number) => ({ tags: { some: { name: `${index}` } } })
  for (const where of [
    (count: number) => ({ AND: list(count).map(named) }),
    (count: number) => ({ OR: [{ NOT: list(count).map(named) }] }),
    (count: number) => ({ author: { posts: { every: { AND: list(count - 2).map(named) } } } }),
  ]) {
    rpc('post.count', { where: where(3) }, 200)
    rpc('post.count', { where: where(4) }, 400)
  }
  const orderBy = list(4).map(() => ({ author: { name: 'asc' } }))
  rpc('post.findMany', { orderBy: orderBy.slice(1) }, 200)
  rpc('post.findMany', { orderBy }, 400)

  rule('8', 'counts relations next to a field with the name of a quantifier', {
    ...within({ filterRelations: 1 }),
    routes: changedRoutes({ User: { fields: { ...userResource.fields, some: { type: 'String' } } } }),
  })
  const some = { author: { some: 'x', posts: { some: { title: 'x' } } } }
  rpc('post.count', { where: some }, 400, /^where must not traverse relations more than 1 times\. .*limits\.filterR/)

  rule('8', 'rejects nested to-many relations over limits.toManyDepth', within(any))
  accepts('filter[tags][posts][tags][name]=x')
  rejects('filter[tags][posts][tags][posts][title]=x')
  const toMany = { tags: { some: { posts: { some: { comments: { some: { author: { email: 'x' } } } } } } } }
  rpc('post.count', { where: toMany }, 200)
  rpc('tag.count', { where: { NOT: [{ posts: { none: toMany } }] } }, 400)

  rule('8', 'disables limits that are Infinity', { options: { limits: UNLIMITED } })
  const extra = list(20_000).map(() => 'x'.repeat(60))
  rest('PATCH /post/1', titled(extra), 200)
  rest('PATCH /post/1', titled(nested(200)), 200)
  rest('/post?include=comments,tags', 200)
  rest(`/post/1?include=${Array(4).fill('author.posts').join('.')}`, 200)
  rest(`/post?filter${'[author][posts]'.repeat(8)}[title]=One`, 200)
  rule('8', "rejects a list over SQLite's own maximum", {
    options: { limits: UNLIMITED },
    on: ({ provider }) => provider === 'sqlite',
  })
  rest(`/post?filter[id]=${Array(1200).fill('1').join()}`, 400, { errors: [{ code: EXCEEDED, ormCode: 'P2029' }] })

  rule('8', 'rejects arguments over the default limits with 400 before the first query', { queries: 0 })
  const findMany = (args: object) => rpc('POST post.findMany', args, 400)
  for (const depth of [100, 300]) findMany({ where: negated(depth) })
  findMany({ where: { OR: list(3000).map((id) => ({ id })) } })
  for (const length of [5000, 100_000]) findMany({ where: { id: { in: list(length) } } })
  rpc('post.createMany', { data: list(100_000) }, 400)
  for (const depth of [6, 12]) findMany(includes(depth))
  const comments = { comments: { take: 50 } }
  findMany({ take: 50, include: { comments: { take: 50, include: { post: { include: comments } } } } })
  const brackets = `{"where":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  for (const raw of [brackets, JSON.stringify({ where: negated(2000) })])
    rpc({ send: 'POST /post/findMany', raw }, null, 400)
  rule('8', 'accepts an include as deep as the limit')
  rpc('POST post.findFirst', includes(5), 200)

  rule('8', 'rejects reads of more rows than limits.rows with 400', within({ rows: 4 }))
  rpc('user.findMany', {}, 200)
  rpc('post.findMany', {}, 400, /^More than 4 rows match/)
  rpc('post.findMany', { take: 4 }, 200)
  rpc('post.findMany', { take: 5 }, 400)
  rpc('post.groupBy', { by: ['id'] }, 400)
  rpc('post.groupBy', { by: ['status'] }, 200)
  rpc('post.count', {}, 200, 5)

  const where = one
  const posts = { posts: true }
  const included = (includedRows: number, ...queries: readonly RegExp[]) =>
    queries.length > 0 ? { ...within({ includedRows }), queries } : within({ includedRows })
  rule('8', 'accepts as many included rows as limits.includedRows', included(3))
  rest('/post/1?include=comments', 200)
  rpc('user.findMany', { take: 1, include: { posts: { take: 3 } } }, 200)
  rpc('user.findMany', { where: { id: { in: [1] } }, include: posts }, 200)
  rpc('user.findUnique', { where, include: posts }, 200, hasPosts(3))
  rpc('user.update', { where, data: {}, include: posts }, 200, hasPosts(3))
  rule('8', 'accepts more rows if take limits them', included(2))
  rpc('user.update', { where, data: {}, include: { posts: { take: 2 } } }, 200, hasPosts(2))
  rule('8', 'accepts any number of included rows if limits.includedRows is Infinity', included(Infinity))
  rpc('user.findMany', { where: { id: { in: [1] } }, include: posts }, 200)
  rule('8', 'rejects more included rows than limits.includedRows with 400', included(2))
  rest('/post/1?include=comments', 400, `${EXCEEDED} include`)
  rpc('user.findMany', { include: posts }, 400)
  rpc('user.findMany', { select: { posts: { select: { comments: true } } } }, 400)
  rpc('user.findMany', { where: { id: { in: [1] } }, include: posts }, 400)
  rpc('user.findUnique', { where, include: posts }, 400)
  rule('8', 'limits the members of one row in the query itself', included(5, /User/, /Post.*LIMIT/))
  rpc('user.findUnique', { where, select: posts }, 200)

  const filtered = (gt: number) => ({ posts: { where: { id: { gt } } } })
  for (const [what, operation, args, limit, counts] of [
    ['a list', 'user.findMany', { include: posts }, 1, 1],
    ['a list with a filter', 'user.findMany', { select: filtered(1) }, 1, 1],
    ['a list that Prisma would truncate in memory', 'user.findMany', { include: { posts: { take: 1 } } }, 1, 1],
    ['a list in a list', 'category.findMany', { include: { children: { include: posts } } }, 3, 2],
    ['a list of a to-one relation', 'comment.findMany', { include: { author: { include: posts } } }, 3, 1],
    ['a join table', 'tag.findMany', { include: posts }, 1, 1],
    ['both ends of a join table', 'tag.findMany', { select: { posts: { select: { tags: true } } } }, 1, 1],
    ['an update', 'user.update', { where, data: { name: 'x' }, include: posts }, 2, 1],
    ['an update with a filter', 'user.update', { where, data: {}, select: filtered(0) }, 2, 1],
    ['an upsert', 'user.upsert', { where, create: user, update: {}, include: { posts: { skip: 0 } } }, 2, 1],
    ['a delete', 'user.delete', { where, include: { posts: true, comments: true } }, 2, 1],
  ] as const) {
    rule(
      '8',
      `${what}: counts members without take before loading them`,
      included(limit, ...Array<RegExp>(counts).fill(COUNT)),
    )
    rpc(operation, args, 400, new RegExp(`more than ${limit} rows`))
  }

  rule('8', 'requires take for relations of relations in writes')
  const authorPosts = (posts: unknown) => ({ author: { include: { posts } } })
  rpc('post.update', { where, data: {}, include: authorPosts(true) }, 400)
  const selected = { author: { select: posts } }
  rpc('post.update', { where, data: {}, include: selected }, 400, /Example: select: \{ posts: \{ take: 100 } }/)
  rpc('post.update', { where, data: {}, include: authorPosts({ take: 3 }) }, 200)
  rule('8', 'requires take for members of rows that a create connects')
  for (const author of [{ connect: where }, { connectOrCreate: { where, create: user } }])
    rpc('post.create', { data: { ...row, author }, include: authorPosts(true) }, 400)
  rpc('post.create', { data: { ...row, authorId: 1 }, include: authorPosts(true) }, 400)
  rule('8', 'does not require take for rows that an update creates')
  const include = { author: { include: { comments: true } } }
  const created = { author: { email: user.email, comments: [] } }
  rpc('post.update', { where, data: { author: { create: { ...user, comments: {} } } }, include }, 200, created)
  rpc('post.update', { where, data: { title: 'Kept' }, include }, 400)

  const names = [{ name: 'a' }, { name: 'b' }]
  const tagging = { tags: { create: names } }
  const nestedPost = {
    data: { ...user, posts: { create: { ...row, ...tagging } } },
    select: { posts: { select: { tags: true } } },
  }
  const back = { data: { ...row, ...tagging }, include: { tags: { include: posts } } }
  // One post and two tags. Then, two tags that include the created post.
  for (const [operation, args, limit, expected] of [
    ['user.create', nestedPost, 3, { posts: [{ tags: names }] }],
    ['post.create', back, 4, { tags: names }],
  ] as const) {
    const ofLimit = (includedRows: number) => within({ includedRows, loadedRows: 1 })
    rule('8', `${operation}: rejects more created rows than the limit without take`, ofLimit(limit - 1))
    rpc(operation, args, 400)
    rule('8', `${operation}: returns as many created rows as the limit without take`, ofLimit(limit))
    rpc(operation, args, 201, expected)
  }

  const on = ({ provider }: { readonly provider: string }) => provider !== 'mysql'
  const updated = (lte: number, more: object = {}) => ({ where: { id: { lte } }, data: { content: 'many' }, ...more })
  const rows = (count: number) => list(count).map((index) => ({ slug: `many-${index}`, title: 'Many' }))
  const hasRows = (count: number) => (response: RpcResponse) => expect(response.body.data).toHaveLength(count)
  const withAuthor = { include: { author: true } }
  rule('8', '…AndReturn: rejects more rows than the limits with 400', { ...within({ rows: 3, includedRows: 1 }), on })
  for (const args of [updated(4), updated(5, { limit: 4 }), updated(2, withAuthor)])
    rpc('post.updateManyAndReturn', args, 400)
  for (const args of [{ data: rows(4) }, { data: rows(2), ...withAuthor }]) rpc('post.createManyAndReturn', args, 400)
  rule('8', '…AndReturn: returns as many rows as the limits', { ...within({ rows: 3, includedRows: 3 }), on })
  for (const args of [updated(3), updated(5, { limit: 3 }), updated(3, withAuthor)])
    rpc('post.updateManyAndReturn', args, 200, hasRows(3))
  rpc('post.createManyAndReturn', { data: rows(3) }, 201, hasRows(3))
  rpc('post.createManyAndReturn', { data: [row], ...withAuthor }, 201, hasRows(1))
})
