import type { Hono } from 'hono'
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest'
import * as z from 'zod'

import { createRestClient } from '../../client/index.js'
import type { Api } from '../../fixtures/blog/expected/client.js'
import { implementRoutes } from '../../fixtures/blog/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/blog/expected/declare-routes.js'
import type { ApiEnv } from '../../runtime/http/handler-types.js'
import type { StandardSchema } from '../../runtime/index.js'
import { createInput } from '../../runtime/input/index.js'
import { ENDPOINT, type TestResponse as RestResponse } from '../rest/support/client.js'
import type { TestResponse as RpcResponse } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

let logged: MockInstance<typeof console.error>
beforeEach(() => void (logged = vi.spyOn(console, 'error').mockReturnValue()))
afterEach(() => logged.mockRestore())

/** A schema of another library: validates asynchronously, and reports the parts of a path as objects. */
const uniqueName: StandardSchema<{ name: string }, { name: string; checked: true }> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    async validate(value) {
      const name: unknown = Object(value).name
      await Promise.resolve()
      if (typeof name === 'string' && name !== 'news') return { value: { name, checked: true } }
      return { issues: [{ message: 'The name is taken.', path: [{ key: 'name' }] }] }
    },
  },
}

/** The schema of an emitted `input.ts`. */
const tagInput = createInput({ name: { type: 'String', required: true, rule: z.string().min(3) } })

const declared = declareRoutes({
  post: {
    publish: {
      method: 'POST',
      path: '/:id/publish',
      body: z.object({ note: z.string().max(5), tags: z.array(z.string()).optional() }),
      result: 'Post',
      errors: { 'already-published': 409, locked: 403 },
    },
    popular: {
      method: 'GET',
      path: '/popular',
      query: z.object({ views: z.coerce.number().int(), limit: z.coerce.number().optional() }),
      result: ['Post'],
    },
    stats: {
      method: 'GET',
      path: '/stats',
      result: z.object({ count: z.int(), readers: z.bigint(), at: z.date() }),
    },
    broken: { method: 'POST', path: '/broken', result: z.object({ count: z.int() }) },
    touch: { method: 'PUT', path: '/:id/touch' },
    authorOf: { method: 'GET', path: '/:id/writer', result: 'User', nullable: true },
    lost: { method: 'GET', path: '/lost', result: 'Post' },
    lostList: { method: 'GET', path: '/lost-list', result: ['Post'] },
    number: { method: 'GET', path: '/number', result: 'Post', nullable: true },
    // Lists with parameters: with an own parameter and a total, without either, and with an invalid result.
    viewed: {
      method: 'GET',
      path: '/viewed',
      list: true,
      query: z.strictObject({ views: z.coerce.number().int().optional() }),
      result: ['Post'],
    },
    newest: { method: 'GET', path: '/newest', list: true, result: ['Post'] },
    unlisted: { method: 'GET', path: '/unlisted', list: true, result: ['Post'] },
    uncounted: { method: 'GET', path: '/uncounted', list: true, result: ['Post'] },
  },
  user: { articles: { method: 'GET', path: '/:id/articles', list: true, result: ['Post'] } },
  tag: {
    add: { method: 'POST', path: '/add', body: uniqueName, result: 'Tag' },
    rename: { method: 'POST', path: '/rename', body: tagInput.create },
    merge: { method: 'POST', path: '/:id/merge', result: z.string() },
    report: { method: 'POST', path: '/report', body: z.object({ errors: z.array(z.string()), included: z.int() }) },
    order: {
      method: 'POST',
      path: '/order',
      body: z.object({ items: z.array(z.object({ quantity: z.int() })) }),
      errors: { 'sold-out': 409 },
      transaction: true,
    },
    mergeAll: { method: 'POST', path: '/all/merge', result: z.string() },
    rate: {
      method: 'POST',
      path: '/rate',
      body: z.object({ by: z.record(z.string(), z.array(z.number())) }).refine(({ by }) => 'ann' in by, {
        path: ['by'],
        message: 'Ann must rate it.',
        params: { name: 'Ann', reason: 'secret', at: new Date(0), big: 1n, nested: { secret: 1 } },
      }),
    },
  },
  comment: {
    shout: { method: 'PATCH', path: '/:id/shout', body: z.object({ mark: z.string() }), result: 'Comment' },
  },
})

const routes = implementRoutes(declared, {
  post: {
    async publish({ orm, where, body, fail }) {
      const { status } = await orm.post.findUniqueOrThrow({ where })
      if (status === 'PUBLISHED') throw fail('already-published', 'The post is already published.')
      return orm.post.update({ where, data: { status: 'PUBLISHED', content: body.note.toUpperCase() } })
    },
    popular: ({ orm, query: { views, limit = 100 } }) =>
      orm.post.findMany({ where: { viewCount: { gte: views } }, take: limit, orderBy: { id: 'asc' } }),
    async stats({ orm }) {
      const secret = { password: 'secret-x' }
      return { count: await orm.post.count(), readers: 2n ** 60n, at: new Date(0), ...secret }
    },
    broken: () => ({ count: 0.5 }),
    // Returns a row, which must not be sent. The compiler rejects this, but apps without TypeScript can do it.
    touch: ({ orm, where }) => orm.post.update({ where, data: { viewCount: 99 } }) as Promise<unknown> as Promise<void>,
    lost: () => null as never,
    lostList: () => undefined as never,
    number: () => 5 as never,
    authorOf: async ({ orm, where }) => (await orm.post.findUniqueOrThrow({ where, include: { author: true } })).author,
    async viewed({ orm, args, query: { views = 0 } }) {
      const where = { AND: [args.where, { viewCount: { gte: views } }] }
      return { rows: await orm.post.findMany({ ...args, where }), total: await orm.post.count({ where }) }
    },
    newest: ({ orm, args }) => orm.post.findMany({ ...args, where: { AND: [args.where, { id: { gt: 1 } }] } }),
    unlisted: () => null as never,
    uncounted: () => ({ rows: [], total: -1 }),
  },
  user: {
    async articles({ orm, where, args }) {
      const { id } = await orm.user.findUniqueOrThrow({ where })
      return orm.post.findMany({ ...args, where: { AND: [args.where, { authorId: id }] } })
    },
  },
  tag: {
    add: ({ orm, body: { name, checked } }) => orm.tag.create({ data: { name: `${name} ${checked}` } }),
    rename: () => {},
    merge: () => 'one',
    report: () => {},
    order({ fail }) {
      throw fail('sold-out', 'Only two are left.', ['items', 1, 'quantity'])
    },
    mergeAll: () => 'all',
    rate: () => {},
  },
  comment: {
    async shout({ orm, where, body }) {
      const comment = await orm.comment.findUniqueOrThrow({ where })
      return orm.comment.update({ where, data: { body: comment.body + body.mark } })
    },
  },
})

const served = { options: { routes } }
const call = (path: string, args: object, method = 'POST') => ({
  send: `${method} ${path}`,
  raw: JSON.stringify(args),
  headers: { 'Content-Type': 'application/json' },
})
const get = (path: string, args: object) => `GET ${path}?q=${encodeURIComponent(JSON.stringify(args))}`
const hidesPassword = ({ body }: RestResponse | RpcResponse) =>
  expect(JSON.stringify(body)).not.toMatch(/password|secret-/)
let expected: unknown
const keep = ({ body }: RestResponse) => void (expected = body)
const isSame = ({ body }: RestResponse) => expect(body).toEqual(expected)
const isExactly = (body: object) => (response: RestResponse | RpcResponse) => expect(response.body).toEqual(body)
const logs = (message: string) => () => expect(String(logged.mock.lastCall)).toContain(message)
const isLogged = logs('The route post.broken returned an invalid result')
const withoutLinks = (body: unknown): unknown => ({ ...Object(body), links: undefined })
const hasSameRows = ({ body }: RestResponse) => expect(withoutLinks(body)).toEqual(withoutLinks(expected))
const isUntouched = ({ body }: RestResponse) =>
  expect(body).not.toMatchObject({ data: { attributes: { viewCount: 99 } } })
const hasOnlySelfLink = ({ body }: RestResponse) =>
  expect([Object.keys(body.links ?? {}), Object.keys(body.meta ?? {})]).toEqual([['self'], ['serialization']])

describeContract('declared routes', ({ rule, rest, rpc }) => {
  const published = { status: 'PUBLISHED', content: 'HELLO' }
  rule('2.3, 4.1, 4.3', 'responds with the row that the implementation returns', served)
  rest('POST /post/3/publish', { note: 'hello' }, 200, { data: { type: 'post', id: '3', attributes: published } })
  rpc(call('/post/publish', { id: 3, note: 'hello' }), 200, { id: 3, ...published })
  rule('4.2', 'applies the include and fields parameters of the request', served)
  const query = '?include=author,comments&fields[post]=title,author,comments&fields[user]=name'
  rest(`POST /post/3/publish${query}`, { note: 'x' }, 200, keep)
  rest(`/post/3${query}`, 200, isSame)
  rest('POST /post/2/publish?include=nobody', { note: 'x' }, 400, 'unknown-field include')
  rest('/post/2', 200, { data: { attributes: { status: 'DRAFT' } } })
  rule('2.3, 4.3', 'omits hidden fields from rows', served)
  rest('/post/3/writer', 200, hidesPassword)
  rest('/post/3/writer', 200, { data: { type: 'user', attributes: { name: 'Ann' } } })
  rest('/post/5/writer', 200, { data: null })
  rpc(get('/post/authorOf', { id: 3 }), 200, hidesPassword)
  rpc(get('/post/authorOf', { id: 3 }), 200, { name: 'Ann' })
  rule('7.1, 7.4', 'rejects an invalid body with the location of each error', served)
  rest('POST /post/3/publish', { note: 'too long', tags: ['x', 1] }, 422, [
    'invalid-value /note',
    'invalid-value /tags/1',
  ])
  const issues = [{ path: ['note'] }, { path: ['tags', 1] }]
  rpc(call('/post/publish', { id: 3, note: 'too long', tags: ['x', 1] }), 400, { issues })
  rule('7.1, 7.4', 'describes the violated rules of a body for forms', served)
  const message = 'Too big: expected string to have <=5 characters'
  const limit = { origin: 'string', maximum: 5, inclusive: true }
  rest('POST /post/3/publish', { note: 'too long' }, 422, {
    errors: [{ detail: `note: ${message}.`, meta: { message, rule: 'too_big', ...limit } }],
  })
  rpc(call('/post/publish', { id: 3, note: 'too long' }), 400, {
    message: `note: ${message}.`,
    issues: [{ path: ['note'], message, code: 'too_big', params: limit }],
  })
  const inInput = { message: expect.any(String), rule: 'too_small', minimum: 3 }
  rest('POST /tag/rename', { name: 'x' }, 422, { errors: [{ source: { pointer: '/name' }, meta: inInput }] })
  rest('/post/popular?views=1.5', 400, { errors: [{ meta: { rule: 'invalid_type', expected: 'int' } }] })
  rule('2', 'accepts bodies with members whose names JSON:API reserves in documents', served)
  rest('POST /tag/report', { errors: ['a'], included: 1 }, 204)
  rpc(call('/tag/report', { errors: ['a'], included: 1 }), 200)
  rest('POST /tag/1/merge', { errors: [] }, 400, 'malformed-document /errors')

  rule('7.1, 7.4', 'locates declared errors in nested input', served)
  const items = [{ quantity: 1 }, { quantity: 3 }]
  rest('POST /tag/order', { items }, 409, 'sold-out /items/1/quantity')
  rpc(call('/tag/order', { items }), 409, {
    code: 'sold-out',
    issues: [{ path: ['items', 1, 'quantity'], message: 'Only two are left.', code: 'sold-out' }],
  })

  rule('7.1, 7.4', 'sends the parameters of custom rules, except for names with other meanings', served)
  const custom = { name: 'Ann', at: '1970-01-01T00:00:00.000Z', big: '1' }
  const hasMeta = ({ body }: RestResponse) =>
    expect(body.errors?.[0]?.meta).toEqual({ message: 'Ann must rate it.', rule: 'custom', ...custom })
  const hasParams = ({ body }: RpcResponse) =>
    expect(body.issues).toEqual([{ path: ['by'], message: 'Ann must rate it.', code: 'custom', params: custom }])
  rest('POST /tag/rate', { by: {} }, 422, hasMeta)
  rpc(call('/tag/rate', { by: {} }), 400, hasParams)
  rule('7.1, 7.4', 'limits the number and length of errors in a body', served)
  const invalid = { by: { ['x'.repeat(50_000)]: Array.from({ length: 1000 }, () => '') } }
  const isShort = ({ body }: { readonly body: unknown }) => expect(JSON.stringify(body).length).toBeLessThan(50_000)
  rest('POST /tag/rate', invalid, 422, isShort)
  rest('POST /tag/rate', invalid, 422, 'invalid-value /by')
  rpc(call('/tag/rate', invalid), 400, isShort)
  rule('4.1, 4.3', 'prefers a route without an id, regardless of the order of declarations', served)
  rest('POST /tag/all/merge', 200, { meta: { result: 'all' } })
  rest('POST /tag/1/merge', 200, { meta: { result: 'one' } })
  rule('7.1, 7.3', 'rejects preconditions of a route without an id', served)
  for (const header of ['If-Match', 'If-None-Match']) {
    const send = { send: 'POST /tag/all/merge', headers: { [header]: '*' } }
    rest(send, 412, `precondition-failed ${header}`)
  }
  rule('7.1, 7.3', 'rejects other content types with 415', served)
  const typed = { raw: '{}', headers: { 'Content-Type': 'text/plain' } }
  rest({ send: 'POST /post/3/publish', ...typed }, 415)
  rpc({ send: 'POST /post/publish', ...typed }, 415)
  rule('7.1', 'rejects parameters of resources on a route without one', served)
  rest('/post/stats?include=author', 400, /^This route does not support this parameter/)
  rest('POST /tag/all/merge?fields[tag]=name', 400, 'unsupported-parameter fields[tag]')
  rule('7.1, 7.4', 'validates with an asynchronous Standard Schema', served)
  rest('POST /tag/add', { name: 'new' }, 200, { data: { type: 'tag', id: 'new true' } })
  rest('POST /tag/add', { name: 'news' }, 422, 'invalid-value /name')
  rpc(call('/tag/add', { name: 'other' }), 200, { name: 'other true' })
  rpc(call('/tag/add', { name: 'news' }), 400, { issues: [{ path: ['name'], message: 'The name is taken.' }] })
  rule('7.1, 7.4', 'responds with the status of a declared error', served)
  const detail = 'The post is already published.'
  rest('POST /post/1/publish', { note: 'x' }, 409, { errors: [{ code: 'already-published', status: 409, detail }] })
  rpc(call('/post/publish', { id: 1, note: 'x' }), 409, { code: 'already-published', message: detail })
  rule('7.1, 7.3', 'rejects a missing row with 404 and an invalid id', served)
  for (const id of ['99', 'x']) rest(`POST /post/${id}/publish`, { note: 'x' }, 404, 'not-found')
  rpc(call('/post/publish', { id: 99, note: 'x' }), 404)
  rpc(call('/post/publish', { id: 'x', note: 'x' }), 422, { issues: [{ path: ['id'] }] })
  rpc(call('/post/publish', { note: 'x' }), 400, { issues: [{ path: ['id'], message: 'id is required.' }] })
  rule('4.1, 4.3', 'accepts compound ids', served)
  rest('PATCH /comment/1_2/shout', { mark: '!' }, 200, { data: { id: '1_2', attributes: { body: 'Second.!' } } })
  const id = { postId_seq: { postId: 1, seq: 3 } }
  rpc(call('/comment/shout', { ...id, mark: '!' }, 'PATCH'), 200, { body: 'Third, anonymous.!' })
  rule('2.3, 4.3', 'passes the query and returns a list', served)
  rest('/post/popular?views=20&fields[post]=title', 200, ['2', '3', '4'])
  rest('/post/popular?views=20&limit=1&include=author', 200, { included: [{ type: 'user', id: '1' }] })
  rest('/post/popular?views=x', 400, 'malformed-parameter views')
  rest('/post/popular?views=1&views=2', 400, 'malformed-parameter views')
  rest('/post/popular?views=1&page[limit]=1', 400, 'unsupported-parameter page[limit]')
  rest('/post/popular?views=20&limit=1', 200, { links: { self: `${ENDPOINT}/post/popular?views=20&limit=1` } })
  rpc(get('/post/popular', { views: 20, limit: 1 }), 200, [expect.objectContaining({ id: 2 })])
  rpc(get('/post/popular', { views: 'x' }), 400, { issues: [{ path: ['views'] }] })
  rule('2.3, 4.3', 'returns a value with only the properties of its schema', served)
  const value = { count: 5, readers: String(2n ** 60n), at: new Date(0).toJSON() }
  const serialization = { values: { 'meta.result.readers': ['bigint'], 'meta.result.at': ['Date'] }, v: 1 }
  rest('/post/stats', 200, isExactly({ meta: { result: value, serialization }, jsonapi: { version: '1.1' } }))
  rest('/post/stats?include=author', 400, 'unsupported-parameter include')
  rpc('GET /post/stats', 200, value)
  rpc('GET /post/stats', 200, hidesPassword)
  rpc(get('/post/stats', { id: 1 }), 400, { issues: [{ path: ['id'] }] })
  rule('7.1, 7.3', 'logs an invalid value and responds with 500', served)
  rest('POST /post/broken', 500, isLogged)
  rpc('POST /post/broken', 500, isLogged)
  rule('4.1, 4.3', 'responds without a result if none is declared', served)
  rest('PUT /post/3/touch', 204)
  rest('PUT /post/3/touch', {}, 204)
  rest('PUT /post/2/touch', { note: 'x' }, 400, 'malformed-document /note')
  rest({ send: 'PUT /post/2/touch', raw: '{"note":' }, 400, 'malformed-body')
  rest('/post/2', 200, isUntouched)
  rest('/post/3', 200, { data: { attributes: { viewCount: 99 } } })
  rpc(call('/post/touch', { id: 3 }, 'PUT'), 200, isExactly({ data: null }))
  rule('4.2, 4.3', 'list: filters, sorts and selects as in the generated list', served)
  const list = '?filter[status]=PUBLISHED&sort=-viewCount&include=author&fields[post]=title,author&fields[user]=name'
  rest(`/post${list}`, 200, keep)
  rest(`/post/viewed${list}`, 200, hasSameRows)
  rest('/post/viewed?filter[author][name]=Ann&filter[viewCount][gt]=10&sort=viewCount', 200, ['3', '2'])
  const shape = { select: { id: true, author: { select: { name: true } } } }
  const publishedFirst = { where: { status: 'PUBLISHED' }, orderBy: { viewCount: 'desc' } }
  rpc(get('/post/viewed', { ...publishedFirst, ...shape }), 200, [
    { id: 4, author: { name: 'Ben' } },
    { id: 1, author: { name: 'Ann' } },
  ])
  const byId = { orderBy: { id: 'asc' } }
  rpc(get('/post/viewed', { ...byId, skip: 1, take: 1, include: { tags: true }, omit: { content: true } }), 200, [
    expect.objectContaining({ id: 2, tags: [{ name: 'news' }] }),
  ])
  rpc(get('/post/viewed', { ...byId, cursor: { id: 3 }, take: 2, select: { id: true } }), 200, [{ id: 3 }, { id: 4 }])
  rpc(
    get('/post/viewed', { orderBy: { authorId: 'desc' }, distinct: ['authorId'], take: 1, select: { id: true } }),
    200,
  )
  rule('4.2, 4.3', 'list: keeps the conditions of the route', served)
  rest('/post/newest?sort=id', 200, ['2', '3', '4', '5'])
  rest('/post/newest?filter[id]=1,2', 200, ['2'])
  rpc(get('/post/newest', { where: { id: { in: [1, 2] } }, select: { id: true } }), 200, [{ id: 2 }])
  rpc(get('/post/newest', { where: { OR: [{ id: 1 }, { id: 3 }] }, select: { id: true } }), 200, [{ id: 3 }])
  rule('2.3', 'list: links to the other pages if the route returns a total', served)
  const url = `${ENDPOINT}/post/viewed?views=20&sort=-id`
  const isFirstPage = {
    self: `${url}&page%5Blimit%5D=2`,
    first: `${url}&page%5Blimit%5D=2`,
    last: `${url}&page%5Boffset%5D=2`,
    prev: null,
    next: `${url}&page%5Boffset%5D=2&page%5Blimit%5D=2`,
  }
  rest('/post/viewed?views=20&sort=-id&page[limit]=2', 200, { links: isFirstPage, meta: { total: 3 } })
  rest('/post/viewed?views=20&sort=-id&page[limit]=2', 200, ['4', '3'])
  const isLastPage = { prev: `${url}&page%5Boffset%5D=0&page%5Blimit%5D=2`, next: null }
  rest('/post/viewed?views=20&sort=-id&page[number]=2&page[size]=2', 200, { links: isLastPage, meta: { total: 3 } })
  rest('/post/viewed?views=20&sort=-id&page[number]=2&page[size]=2', 200, ['2'])
  rule('2.3', 'list: has only the link to itself without a total', served)
  rest('/post/newest?sort=-id&page[limit]=2', 200, hasOnlySelfLink)
  rest('/post/newest?sort=-id&page[limit]=2&page[offset]=2', 200, ['3', '2'])
  rule('4.2, 4.3', 'list: accepts its own parameters next to those of the list', served)
  rest('/post/viewed?views=20&filter[status]=PUBLISHED', 200, ['4'])
  rpc(get('/post/viewed', { views: 20, ...publishedFirst, select: { id: true } }), 200, [{ id: 4 }])
  rule('7.1, 7.4', 'list: rejects unknown, repeated and invalid parameters', served)
  rest('/post/newest?views=1', 400, 'unsupported-parameter views')
  rest('/post/viewed?filters[title]=x', 400, 'unsupported-parameter filters[title]')
  rest('/post/viewed?other=1', 400, 'malformed-parameter other')
  rest('/post/viewed?views=x', 400, 'malformed-parameter views')
  rest('/post/viewed?views=1&views=2', 400, 'malformed-parameter views')
  rest('/post/viewed?page[limit]=1&page[limit]=2', 400, 'malformed-parameter page[limit]')
  rest('/post/viewed?page[limit]=1000000', 400, 'malformed-parameter page[limit]')
  rest('/post/viewed?page[total]=none', 400, 'malformed-parameter page[total]')
  rest('/post/viewed?page[total]=true', 400, /Use page\[offset\] and page\[limit\] here/)
  rest('/post/viewed?filter[author][password]=x', 400, 'unknown-field filter[author][password]')
  rest('/post/viewed?sort=author.password', 400, 'unknown-field sort')
  rpc(get('/post/newest', { views: 1 }), 400, { issues: [{ path: ['views'] }] })
  rpc(get('/post/viewed', { other: 1 }), 400, { issues: [{ path: ['other'] }] })
  rpc(get('/post/viewed', { views: 'x' }), 400, { issues: [{ path: ['views'] }] })
  rpc(get('/post/viewed', { take: 1e9 }), 400, { issues: [{ path: ['take'] }] })
  rpc(get('/post/viewed', { where: { author: { password: 'x' } } }), 400, {
    issues: [{ path: ['where', 'author', 'password'] }],
  })
  rpc(get('/post/viewed', { include: { author: { select: { password: true } } } }), 400)
  const limits = { rows: 2, includedRows: 1, includeDepth: 1, filterCost: 5 }
  rule('7.1, 7.3', 'list: applies the limits', { options: { routes, limits } })
  rest('/post/newest?include=author.posts', 400, 'limit-exceeded include')
  rest('/post/newest?filter[content][contains]=x', 400, 'limit-exceeded filter[content][contains]')
  rpc(get('/post/newest', {}), 400, /More than 2 rows match/)
  rpc(get('/post/newest', { take: 3 }), 400, { issues: [{ path: ['take'] }] })
  rpc(get('/post/newest', { where: { content: { contains: 'x' } }, take: 1 }), 400, /filterCost/)
  rpc(get('/post/viewed', { where: { id: 1 }, include: { comments: true }, take: 1 }), 400, /includedRows/)
  rule('4.1, 4.3', 'list: accepts the id of a row of another model', served)
  rest('/user/1/articles?sort=-id&page[limit]=2', 200, ['3', '2'])
  rest('/user/1/articles?filter[status]=ARCHIVED', 200, ['3'])
  for (const user of ['99', 'x']) rest(`/user/${user}/articles`, 404, 'not-found')
  rpc(get('/user/articles', { id: 1, orderBy: { id: 'desc' }, take: 2, select: { id: true } }), 200, [
    { id: 3 },
    { id: 2 },
  ])
  rpc(get('/user/articles', { take: 2 }), 400, { issues: [{ path: ['id'] }] })
  rule('7.1, 7.3', 'logs a missing row and responds with 500', served)
  rest('/post/lost', 500, logs('The route post.lost returned no row, and its declaration lacks "nullable: true".'))
  rpc('GET /post/lost', 500, logs('The route post.lost returned no row'))
  rest('/post/lost-list', 500, logs('The route post.lostList must return a list of rows.'))
  rpc('GET /post/lostList', 500, logs('The route post.lostList must return a list of rows.'))
  rest('/post/number', 500, logs('The route post.number returned no row, but something else.'))
  rpc('GET /post/number', 500, logs('The route post.number returned no row'))
  rule('7.1, 7.3', 'list: logs an invalid result and responds with 500', served)
  rest('/post/unlisted', 500, logs('The route post.unlisted must return rows or { rows, total }.'))
  rpc('GET /post/unlisted', 500, logs('The route post.unlisted must return rows or { rows, total }.'))
  rest('/post/uncounted', 500, logs('The total that the route post.uncounted returned'))
  rpc('GET /post/uncounted', 500, logs('The total that the route post.uncounted returned'))
  rule('7.1, 7.3', 'rejects other methods with 405', served)
  rest('GET /post/3/publish', 405)
  rpc('GET /post/publish', 405)
})

const CLIENT_METHODS = Object.keys(createRestClient<Api>({ url: 'http://localhost' }).post)

describeDatabases(
  'declared routes: declaration',
  (db) => {
    const create = (declarations: {}, implementations: object) => {
      const customRoutes = implementRoutes(declareRoutes(declarations), implementations)
      db.routes.RestApiHandler({ endpoint: ENDPOINT, routes: customRoutes })
      db.routes.RPCApiHandler({ routes: customRoutes })
    }
    const run = () => undefined
    it.each([
      [
        'GET',
        '/:id',
        'a',
        'The route post.a must have another method or path, because REST has a generated route GET /:id.',
      ],
      [
        'GET',
        '/:id/author',
        'a',
        'The route post.a must have another method or path, because REST has a generated route GET /:id/author.',
      ],
      [
        'POST',
        '/a',
        'createMany',
        'The route post.createMany must have another name, because RPC has a generated route POST /createMany.',
      ],
      ['POST', '/:slug/a', 'a', 'The path "/:slug/a" of the route post.a has an unknown parameter ":slug".'],
      ['POST', 'a', 'a', 'The path "a" of the route post.a must start with "/".'],
      ['POST', '/a', '*', 'The name of the route post.* must consist of letters'],
      ['POST', '/a/*', 'a', 'The path "/a/*" of the route post.a must consist of'],
      ['POST', '/', 'a', 'The path "/" of the route post.a is the collection of Post. Add a segment.'],
      ['POST', '/a/', 'a', 'The path "/a/" of the route post.a must consist of'],
      ['POST', '/a/../b', 'a', 'The path "/a/../b" of the route post.a must consist of'],
      ['POST', '/.', 'a', 'The path "/." of the route post.a must consist of'],
    ])('%s %s as %s: is rejected', (method, path, name, message) => {
      const implementations = { post: { [name]: run } }
      expect(() => create({ post: { [name]: { method, path } } }, implementations)).toThrow(message)
    })
    it.each([
      ['POST', ['Post']],
      ['GET', 'Post'],
      ['GET', undefined],
    ])('rejects `list` with the method %s and the result %j', (method, result) => {
      const message = 'The route post.a has "list", so its method must be GET and its result a list'
      const route = { method, path: '/a', list: true, result }
      expect(() => create({ post: { a: route } }, { post: { a: run } })).toThrow(message)
    })
    it('rejects routes with the same method and path', () => {
      const route = { method: 'POST', path: '/a' }
      const message = 'The routes post.a and post.b have the same method and path.'
      expect(() => create({ post: { a: route, b: route } }, { post: { a: run, b: run } })).toThrow(message)
    })
    it.each(['post', 'reports'])('%s: rejects a GET route with `transaction`', (group) => {
      const route = { method: 'GET', path: '/a', transaction: true }
      const message = `The route ${group}.a must not have "transaction". A GET route can have: method, path,`
      expect(() => create({ [group]: { a: route } }, { [group]: { a: run } })).toThrow(message)
    })
    it('rejects `transaction` if an operation would be ambiguous', () => {
      const put = { method: 'PUT', path: '/a', transaction: true }
      const patch = { ...put, method: 'PATCH' }
      const message = 'The routes post.a and post.b must not both have "transaction"'
      expect(() => create({ post: { a: put, b: patch } }, { post: { a: run, b: run } })).toThrow(message)
      const generated =
        'The route post.count must not have "transaction", because a generated operation has the same name.'
      expect(() => create({ post: { count: put } }, { post: { count: run } })).toThrow(generated)
      create({ post: { a: put, b: { ...patch, path: '/b' } } }, { post: { a: run, b: run } })
    })
    it.each([
      ['patch', '"patch"'],
      ['HEAD', '"HEAD"'],
      ['__proto__', '"__proto__"'],
      [undefined, 'undefined'],
    ])('rejects the method %j and names the allowed methods', (method, text) => {
      const message = `The method of the route post.a is ${text}. Allowed: GET, POST, PUT, PATCH, DELETE.`
      expect(() => create({ post: { a: { method, path: '/a' } } }, { post: { a: run } })).toThrow(message)
    })
    it.each([
      ['GET', 'body', z.object({})],
      ['DELETE', 'body', z.object({})],
      ['POST', 'query', z.object({})],
      ['POST', 'results', 'Post'],
    ])('%s: rejects the property %s', (method, name, value) => {
      const route = { method, path: '/a', [name]: value }
      const message = `The route post.a must not have "${name}". A ${method} route can have: method, path,`
      expect(() => create({ post: { a: route } }, { post: { a: run } })).toThrow(message)
    })
    it.each([
      ['POST', 'body', { note: z.string() }],
      ['POST', 'body', null],
      ['GET', 'query', 'note'],
      ['GET', 'result', { note: z.string() }],
      ['GET', 'result', null],
    ])('%s: rejects a %s that is not a schema', (method, name, value) => {
      const route = { method, path: '/a', [name]: value }
      const message = `The ${name} of the route post.a must be a schema, such as z.object({ … }).`
      expect(() => create({ post: { a: route } }, { post: { a: run } })).toThrow(message)
    })
    it.each([undefined, ['Post'], z.string()])('rejects `nullable` with the result %#', (result) => {
      const route = { method: 'GET', path: '/a', nullable: true, result }
      const message = 'The route post.a has "nullable", so its result must be the name of a model.'
      expect(() => create({ post: { a: route } }, { post: { a: run } })).toThrow(message)
    })
    it.each([[[]], [['Post', 'Tag']], [[1]]])('rejects the result %j', (result) => {
      const route = { method: 'GET', path: '/a', result }
      const message = "The result of the route post.a must be a list with the name of one model, such as ['Post']."
      expect(() => create({ post: { a: route } }, { post: { a: run } })).toThrow(message)
    })
    it('rejects a status that errors cannot have', () => {
      const message =
        'The status of the error "brewing" of the route post.a is 418. Allowed: 400, 401, 403, 404, 409, 410, 422, 429.'
      const route = { method: 'POST', path: '/a', errors: { late: 409, brewing: 418 } }
      expect(() => create({ post: { a: route } }, { post: { a: run } })).toThrow(message)
    })
    it.each([
      ['RPC', 'id', { method: 'POST', path: '/:id/a', body: z.object({ id: z.int() }) }],
      [
        'RPC',
        'take',
        { method: 'GET', path: '/a', query: z.object({ take: z.string() }), result: ['Post'], list: true },
      ],
      ['REST', 'meta', { method: 'POST', path: '/a', body: z.object({ meta: z.string() }) }],
      ['REST', 'page', { method: 'GET', path: '/a', query: z.object({ page: z.string() }) }],
      ['REST', 'filter[x]', { method: 'DELETE', path: '/a', query: z.object({ 'filter[x]': z.string() }) }],
      // The entries of valibot.
      ['REST', 'sort', { method: 'GET', path: '/a', query: { '~standard': {}, entries: { sort: {} } } }],
    ])('%s: rejects the property %s, because requests use its name for something else', (style, name, route) => {
      const part = 'body' in route ? 'body' : 'query'
      const message = `The ${part} of the route post.a must not have the property "${name}", because ${style} requests use this name`
      expect(() => create({ post: { a: route } }, { post: { a: run } })).toThrow(message)
    })
    it('accepts the names of ids and arguments where requests do not use them', () => {
      const body = z.object({ id: z.int(), take: z.int(), page: z.string() })
      const query = z.object({ id: z.string(), take: z.string(), meta: z.string() })
      const get = { method: 'GET', path: '/b', query }
      create({ post: { a: { method: 'POST', path: '/a', body }, b: get } }, { post: { a: run, b: run } })
    })
    it('rejects a route without a path', () => {
      const message = 'The path "undefined" of the route post.a must start with "/".'
      expect(() => create({ post: { a: { method: 'POST' } } }, { post: { a: run } })).toThrow(message)
    })
    it.each(['summary', 'description'])('rejects a %s that is not a string', (name) => {
      const route = { method: 'POST', path: '/a', [name]: 1 }
      const message = `The property "${name}" of the route post.a must be a string.`
      expect(() => create({ post: { a: route } }, { post: { a: run } })).toThrow(message)
    })
    it('rejects atomic operations that call a route if no route has `transaction`', async () => {
      const declared2 = declareRoutes({ post: { a: { method: 'POST', path: '/:id/a' } } })
      const routes = implementRoutes(declared2, { post: { a: run } })
      const rest = db.routes.RestApiHandler({ endpoint: ENDPOINT, routes })
      const send = (operation: object) =>
        rest.fetch(
          new Request('http://localhost/operations', {
            method: 'POST',
            headers: { 'Content-Type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' },
            body: JSON.stringify({ 'atomic:operations': [operation] }),
          }),
          { getOrm: () => db.orm },
        )
      const rejected = await send({ op: 'add', href: '/post/1/a' })
      expect([rejected.status, await rejected.text()]).toEqual([400, expect.stringContaining('cannot be part')])
      const generated = await send({ op: 'remove', href: '/post/99' })
      expect([generated.status, await generated.text()]).toEqual([404, expect.stringContaining('not-found')])
    })
    it('rejects a route without an implementation', () => {
      const message = 'The route post.a has no implementation.'
      expect(() => create({ post: { a: { method: 'POST', path: '/a' } } }, {})).toThrow(message)
    })
    it.each([
      [{ post: { a: run, b: run } }, 'The route post.b is implemented, but not declared.'],
      [
        { post: { publish: run, publsh: run } },
        'The route post.publsh is implemented, but not declared. Did you mean "post.publish"?',
      ],
      [{ post: { a: run }, jobs: { run } }, 'The route jobs.run is implemented, but not declared.'],
    ])('rejects an implementation without a declaration: %#', (implementations, message) => {
      const names = Object.keys(implementations.post).slice(0, 1)
      const post = Object.fromEntries(names.map((name) => [name, { method: 'POST', path: '/a' }]))
      expect(() => create({ post }, implementations)).toThrow(message)
    })
    it.each(CLIENT_METHODS)('rejects the name %s, which is a method of the REST client', (name) => {
      const message = `The route post.${name} must have another name, because the REST client has a method "${name}".`
      const route = { method: 'POST', path: '/a' }
      expect(() => create({ post: { [name]: route } }, { post: { [name]: run } })).toThrow(message)
    })
    it('rejects unknown models in `writes`', () => {
      const route = { method: 'POST', path: '/a', writes: ['Post', 'Pots'] }
      const message = 'The route post.a writes "Pots", which is not an exposed model. Did you mean "Post"?'
      expect(() => create({ post: { a: route } }, { post: { a: run } })).toThrow(message)
    })
    it('rejects a result of an unknown model', () => {
      const route = { method: 'POST', path: '/a' }
      const result = { ...route, result: 'Nothing' }
      expect(() => create({ post: { a: result } }, { post: { a: run } })).toThrow('The result "Nothing"')
    })
    it('suggests a model for a result of an unknown model', () => {
      const route = { method: 'POST', path: '/a', result: 'Posst' }
      const message = 'The result "Posst" of the route post.a is not an exposed model. Did you mean "Post"?'
      expect(() => create({ post: { a: route } }, { post: { a: run } })).toThrow(message)
    })
    it('registers hand-written routes and middleware before the declared routes', async () => {
      const declared2 = declareRoutes({ post: { a: { method: 'GET', path: '/a', result: z.string() } } })
      const customRoutes = implementRoutes(
        declared2,
        { post: { a: () => 'a' } },
        {
          rest(app) {
            app.use(async (c, next) => {
              await next()
              c.header('x-seen', 'yes')
            })
            app.post('/webhook', (c) => c.body(null, 204))
          },
        },
      )
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, routes: customRoutes })
      const app = db.hono.createHonoHandler({ getOrm: () => db.orm, handler })
      const [declaredResponse, webhook] = [
        await app.request('/post/a'),
        await app.request('/webhook', { method: 'POST' }),
      ]
      expect([declaredResponse.status, declaredResponse.headers.get('x-seen'), webhook.status]).toEqual([
        200,
        'yes',
        204,
      ])
    })
    it('sends the cookies of middleware once', async () => {
      const routes = declareRoutes({
        post: {
          row: { method: 'GET', path: '/row', result: 'Post', nullable: true },
          value: { method: 'GET', path: '/value', result: z.string() },
          nothing: { method: 'PUT', path: '/nothing' },
        },
      })
      const setsCookie = (app: Hono<ApiEnv>) => {
        app.use((c, next) => {
          c.header('Set-Cookie', 'seen=yes')
          return next()
        })
      }
      const implementations = { post: { row: () => null, value: () => 'a', nothing: run } }
      const customRoutes = implementRoutes(routes, implementations, { rest: setsCookie, rpc: setsCookie })
      const options = { getOrm: () => db.orm }
      const rest = db.hono.createHonoHandler({
        ...options,
        handler: db.routes.RestApiHandler({ endpoint: ENDPOINT, routes: customRoutes }),
      })
      const rpc = db.hono.createHonoHandler({ ...options, handler: db.routes.RPCApiHandler({ routes: customRoutes }) })
      for (const app of [rest, rpc]) {
        for (const [path, method] of [['/post/row'], ['/post/value'], ['/post/nothing', 'PUT']] as const) {
          const { headers } = await app.request(path, { method: method ?? 'GET' })
          expect(headers.getSetCookie(), path).toEqual(['seen=yes'])
        }
      }
    })
  },
  { only: ['sqlite'] },
)

/**
 * Compile errors. `@ts-expect-error` asserts that the compiler rejects the next line. If the line compiles, `npm run typecheck` fails. Never
 * called.
 */
export function mistakes(): void {
  declareRoutes({
    // @ts-expect-error A property that does not exist.
    post: { publish: { method: 'POST', path: '/publish', boddy: z.object({}) } },
  })
  declareRoutes({
    // @ts-expect-error A GET request has no body.
    post: { find: { method: 'GET', path: '/find', body: z.object({}) } },
  })
  declareRoutes({
    // @ts-expect-error A GET request cannot be part of a transaction.
    post: { find: { method: 'GET', path: '/find', transaction: true } },
  })
  declareRoutes({
    // @ts-expect-error A result of an unknown model.
    post: { find: { method: 'GET', path: '/find', result: 'Pots' } },
  })
  declareRoutes({
    // @ts-expect-error Only GET routes have list parameters.
    post: { find: { method: 'POST', path: '/find', result: ['Post'], list: true } },
  })
  declareRoutes({
    // @ts-expect-error Only routes that return a list have list parameters.
    post: { find: { method: 'GET', path: '/find', result: 'Post', list: true } },
  })
  const listed = declareRoutes({ post: { find: { method: 'GET', path: '/find', result: ['Post'], list: true } } })
  implementRoutes(listed, {
    post: {
      async find({ orm, args }) {
        const [row] = await orm.post.findMany(args)
        // @ts-expect-error The request selects the fields.
        void row?.title
        return orm.post.findMany({ ...args, orderBy: args.orderBy ?? { id: 'asc' } })
      },
    },
  })
  // @ts-expect-error The rows are of another model.
  implementRoutes(listed, { post: { find: ({ orm }) => orm.tag.findMany() } })
  // @ts-expect-error The total is not a number.
  implementRoutes(listed, { post: { find: () => ({ rows: [], total: '1' }) } })
  const one = declareRoutes({
    post: { publish: { method: 'POST', path: '/:id/publish', result: 'Post', errors: { published: 409 } } },
  })
  implementRoutes(one, {
    post: {
      publish({ fail, orm, where }) {
        // @ts-expect-error A code that is not declared.
        if (where.id === 1) throw fail('other', 'No.')
        return orm.post.findUniqueOrThrow({ where })
      },
    },
  })
  // @ts-expect-error The row may be null, but the declaration lacks `nullable`.
  implementRoutes(one, { post: { publish: ({ orm, where }) => orm.post.findUnique({ where }) } })
  // @ts-expect-error The result is not a row of the model.
  implementRoutes(one, { post: { publish: ({ orm }) => orm.post.updateMany({ data: {} }) } })
  // @ts-expect-error The route has no implementation.
  implementRoutes(one, { post: {} })
  const inline = { method: 'GET', path: '/a', body: z.object({}) } as const
  // @ts-expect-error A GET request has no body.
  implementRoutes({ post: { a: inline } }, { post: { a: () => {} } })
  implementRoutes(one, {
    post: {
      // @ts-expect-error The route has no body.
      publish: ({ body }) => body,
    },
  })
  implementRoutes(one, {
    post: {
      // @ts-expect-error The route has no list parameters.
      publish: ({ args }) => args,
    },
  })
  implementRoutes(one, {
    post: {
      // The other fields of a row are optional.
      publish: ({ orm, where }) => orm.post.findUniqueOrThrow({ where, select: { id: true } }),
    },
  })
  implementRoutes(one, {
    // @ts-expect-error The row has no id.
    post: { publish: ({ orm, where }) => orm.post.findUniqueOrThrow({ where, select: { title: true } }) },
  })
  const lists = declareRoutes({
    comment: { latest: { method: 'GET', path: '/latest', result: ['Comment'] } },
    tag: { first: { method: 'GET', path: '/first', result: 'Tag', nullable: true } },
  })
  implementRoutes(lists, {
    comment: { latest: ({ orm }) => orm.comment.findMany({ select: { postId: true, seq: true } }) },
    tag: { first: ({ orm }) => orm.tag.findFirst({ select: { name: true } }) },
  })
  implementRoutes(lists, {
    // @ts-expect-error The rows have only a part of their compound id.
    comment: { latest: ({ orm }) => orm.comment.findMany({ select: { postId: true, body: true } }) },
    // @ts-expect-error The id of a tag is its name.
    tag: { first: () => ({ id: 1 }) },
  })
}
