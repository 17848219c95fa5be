import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'
import * as z from 'zod'

import {
  defineRestRoutes,
  defineRpcRoutes,
  type RestApi,
  type RpcApi,
} from '../../fixtures/blog/expected/custom-routes.js'
import { PolicyError } from '../../runtime/errors/policy-error.js'
import { type DefineRoutes, httpError } from '../../runtime/index.js'
import { ENDPOINT, MEDIA_TYPE, type TestResponse as RestResponse } from '../rest/support/client.js'
import type { TestResponse as RpcResponse } from '../rpc/client.js'
import { describeContract, type Expected } from './describe-contract.js'

let logged: MockInstance<typeof console.error>
beforeEach(() => void (logged = vi.spyOn(console, 'error').mockReturnValue()))
afterEach(() => logged.mockRestore())

const restRoutes = (routes: DefineRoutes<RestApi>, more: object = {}) => ({
  options: { ...more, routes: defineRestRoutes(routes) },
})
const rpcRoutes = (routes: DefineRoutes<RpcApi>, more: object = {}) => ({
  options: { ...more, routes: defineRpcRoutes(routes) },
})

const JSON_TYPE = { 'Content-Type': 'application/json' }
const sent = (send: string, body: unknown, headers: object = {}) => ({
  send: `POST ${send}`,
  raw: JSON.stringify(body),
  headers: { ...JSON_TYPE, ...headers },
})
const typed = (send: string, type: string) => sent(send, {}, { 'Content-Type': type })
const streamed = (send: string, body: unknown) => ({
  ...sent(send, body),
  raw: () => new Blob([JSON.stringify(body)]).stream(),
})

let unchanged: unknown
const keep = ({ body }: RestResponse) => void (unchanged = body)
const isUnchanged = ({ body }: RestResponse) => expect(body).toEqual(unchanged)
const hasHeaders = (expected: object) => (response: RestResponse | RpcResponse) => {
  for (const [name, value] of Object.entries(expected)) expect(response.headers.get(name)).toBe(value)
}
const isExactly = (body: object) => (response: RpcResponse) => expect(response.body).toEqual(body)
const hasDate = ({ body }: RpcResponse) =>
  expect(body.meta?.serialization).toMatchObject({ values: { publishedAt: ['Date'] } })
const hasUsers = (user: object) => (response: RpcResponse) => expect(response.body.data).toMatchObject([user])
const hasLength = (length: number) => (response: RpcResponse) => expect(response.body.data).toHaveLength(length)
const hidesPasswords = ({ body }: RpcResponse) => expect(JSON.stringify(body)).not.toMatch(/password|secret-/)
const isLogged = ({ text, errors }: RestResponse) => {
  expect(text).not.toContain('secret')
  expect(String(logged.mock.lastCall?.[0])).toContain(errors[0]?.id)
}
const isLoggedOnce = ({ body }: RpcResponse) => {
  expect(JSON.stringify(body)).not.toContain('secret')
  expect(logged).toHaveBeenCalledOnce()
}

/** Serves `POST /post/:id/publish`, as documented. */
const publish: DefineRoutes<RestApi> = (app, api) => {
  app.post('/post/:id/publish', async (c) => {
    const orm = await api.orm(c)
    const where = api.id(c, 'Post')
    const { status } = await orm.post.findUniqueOrThrow({ where })
    if (status === 'PUBLISHED') throw httpError(409, 'It is published already.', { field: 'status', code: 'published' })
    const data = { status: 'PUBLISHED', publishedAt: new Date(0) } as const
    return api.reply(c, 'Post', await orm.post.update({ where, data, ...api.select(c, 'Post') }))
  })
}
const challengeHeaders = { 'WWW-Authenticate': 'Basic realm="x"' }
const challenge = new Response(null, { status: 401, headers: { ...challengeHeaders, 'X-Other': 'y' } })
/** Thrown errors, and their statuses and responses. */
const ERRORS: readonly (readonly [error: () => unknown, status: number, expected: Expected<RestResponse>])[] = [
  [() => httpError(400, 'No.'), 400, { errors: [{ code: 'bad-request', detail: 'No.', status: 400 }] }],
  [() => httpError(403, 'No.'), 403, 'forbidden'],
  [() => httpError(410, 'No.'), 410, 'gone'],
  [() => httpError(422, 'No.', { field: 'title' }), 422, 'invalid-value /data/attributes/title'],
  [() => httpError(422, 'No.', { field: 'author' }), 422, 'invalid-value /data/relationships/author'],
  [() => httpError(422, 'No.', { field: 'nothing' }), 422, 'invalid-value'],
  [() => httpError(429, 'No.', { code: 'slow-down' }), 429, 'slow-down'],
  [() => httpError(429, 'No.'), 429, { errors: [{ title: 'Too many requests' }] }],
  [() => new HTTPException(401), 401, 'unauthenticated'],
  [() => new HTTPException(401, { res: challenge }), 401, hasHeaders({ ...challengeHeaders, 'X-Other': null })],
  [
    () => new HTTPException(404, { message: 'Not here.' }),
    404,
    { errors: [{ code: 'not-found', detail: 'Not here.' }] },
  ],
  [() => new HTTPException(409), 409, { errors: [{ code: 'conflict', detail: 'Conflict.' }] }],
  [() => new HTTPException(418), 500, isLogged],
  [() => new PolicyError('Not for you.'), 403, { errors: [{ meta: { reason: 'ACCESS_POLICY_VIOLATION' } }] }],
  [() => new Error('secret'), 500, isLogged],
  [() => 'secret', 500, isLogged],
]
const serve: DefineRoutes<RestApi> = (app, api) => {
  publish(app, api)
  app.post('/post/:id/fail/:error', (c) => {
    throw ERRORS[Number(c.req.param('error'))]?.[0]()
  })
  app.get('/tag/:id', (c) => c.notFound())
  app.post('/tag/twice', async (c) => {
    return api.reply(c, 'Tag', await (await api.orm(c)).tag.create({ data: { name: 'news' } }))
  })
  app.post('/tag/:id/drop', async (c) => {
    await (await api.orm(c)).tag.delete({ where: api.id(c, 'Tag') })
    return c.body(null, 204)
  })
  app.get('/me', async (c) => api.reply(c, 'User', await (await api.orm(c)).user.findFirst({ where: { id: 1 } })))
  app.get('/me/bare', async (c) => api.reply(c, 'User', { id: 1 }))
  app.get('/post/popular', async (c) => {
    const { post } = await api.orm(c)
    const { where, ...args } = api.query(c, 'Post')
    const popular = { AND: [where, { viewCount: { gte: 20 } }] }
    const rows = await post.findMany({ ...args, where: popular })
    return api.reply(c, 'Post', rows, { total: await post.count({ where: popular }) })
  })
  app.get('/post/drafts', async (c) => {
    return api.reply(c, 'Post', await (await api.orm(c)).post.findMany({ where: { status: 'DRAFT' } }))
  })
  app.get('/post/latest', async (c) => api.reply(c, 'Post', null))
  app.post('/post/:id/touch', async (c) => {
    const args = { where: api.id(c, 'Post'), data: { viewCount: 1 }, ...api.select(c, 'Post') }
    return api.reply(c, 'Post', await (await api.orm(c)).post.update(args))
  })
  app.post('/post/:id/archive', async (c) => {
    const args = { where: api.id(c, 'Post'), data: { status: 'ARCHIVED' } } as const
    return api.reply(c, 'Post', await (await api.orm(c)).post.update(args))
  })
  app.post('/tag/from-title', async (c) => {
    const tag = await (await api.orm(c)).tag.create({ data: { name: 'made' } })
    return api.reply(c, 'Tag', tag, { status: 201 })
  })
  app.post('/checked', async (c) => {
    const { data } = await api.body(c, z.object({ data: z.object({ note: z.string().min(3) }) }))
    return c.body(null, 204, { 'x-note': data.note })
  })
  app.post('/as-it-is', async (c) => c.body(null, 204, { 'x-body': JSON.stringify(await c.req.json()) }))
  app.post('/unread', (c) => c.body(null, 204))
  app.all('/any', (c) => c.body(null, 204))
  app.all('/wild/*', async (c) => c.body(null, 204, { 'x-body': JSON.stringify(await c.req.json()) }))
}
/** Serves routes that take precedence over emitted ones. */
const override: DefineRoutes<RestApi> = (app, api) => {
  publish(app, api)
  app.get('/tag/:id', (c, next) => (c.req.param('id') === 'news' ? Promise.resolve(c.body(null, 204)) : next()))
  app.get('/tag', (c) => c.body(null, 204))
  app.put('/tag', (c) => c.body(null, 204))
  app.get('/report', (c) => c.body(null, 204))
  app.get('/rules', (c) => c.body(null, 204, { 'Cache-Control': 'max-age=60' }))
}

const rpc: DefineRoutes<RpcApi> = (app, api) => {
  app.post('/post/publish', async (c) => {
    const { id, at } = await api.args(c, z.object({ id: z.int(), at: z.date().optional() }))
    const orm = await api.orm(c)
    if (id === 1) throw httpError(409, 'It is published already.', { code: 'published' })
    const data = { status: 'PUBLISHED', publishedAt: at ?? null } as const
    return api.reply(c, 'Post', await orm.post.update({ where: { id }, data, include: { author: true } }))
  })
  app.get('/user/all', async (c) => {
    const include = { posts: { include: { author: true } }, _count: true }
    return api.reply(c, 'User', await (await api.orm(c)).user.findMany({ include, take: 1 }))
  })
  app.get('/user/none', (c) => api.reply(c, 'User', null))
  app.get('/count', (c) => api.value(c, { users: 3n }))
  app.get('/tag/findMany', (c) => api.reply(c, 'Tag', [{ name: 'mine' }]))
  app.post('/post/reject', () => {
    throw httpError(422, 'No such title.', { field: 'title' })
  })
  app.post('/post/break', () => {
    throw new Error('secret')
  })
  app.post('/args', async (c) => api.value(c, await api.args(c)))
  app.post('/raw', async (c) => api.value(c, await c.req.json()))
}

describeContract(
  'custom routes',
  ({ rule, rest, rpc: call }) => {
    const published = { data: { id: '3', attributes: { status: 'PUBLISHED', publishedAt: new Date(0).toJSON() } } }
    rule('4.1', 'returns the same document as GET of the resource', restRoutes(serve))
    rest('POST /post/3/publish', 200, keep)
    rest('/post/3', 200, isUnchanged)
    rest('/post/3', 200, published)
    rule('4.2', 'applies the include and fields parameters of the request', restRoutes(serve))
    const query = '?include=author,comments&fields[post]=title,author,comments&fields[user]=name'
    rest(`POST /post/3/publish${query}`, 200, keep)
    rest(`/post/3${query}`, 200, isUnchanged)
    rest(`/post/3${query}`, 200, { included: [{ type: 'user', attributes: { name: 'Ann' } }] })
    rule('4.2', 'sends no extra query for the response', { ...restRoutes(serve), queries: 1 })
    rest('POST /post/3/touch?fields[post]=title', 200)
    rule('4.1, 7.1', 'rejects ids, parameters and headers like emitted routes', restRoutes(serve))
    for (const id of ['99', 'x', '3%ff']) rest(`POST /post/${id}/publish`, 404, 'not-found')
    rest('POST /post/3/publish?include=nobody', 400, 'unknown-field include')
    rest('POST /post/3/publish?page[limit]=1', 400, 'unsupported-parameter page[limit]')
    rest('POST /post/1/publish', 409, { errors: [{ code: 'published', status: 409 }] })
    rest({ send: 'POST /post/3/publish', headers: { Accept: 'text/html' } }, 406)

    rule('4.1', 'overrides emitted routes and can delegate to them', restRoutes(override))
    for (const path of ['/tag', '/tag/news', 'HEAD /tag']) rest(path, 204)
    rest('/tag/tips', 200, { data: { id: 'tips' } })
    rest('POST /tag', { data: { type: 'tag', attributes: { name: 'new' } } }, 201)
    rest('/nothing', 404, 'unsupported-model')
    rest('/post/1/nothing', 404, 'unknown-path')
    rest('/post/1/publishing', 404)
    rule('4.1', 'disables caching unless the route sets Cache-Control', restRoutes(override))
    rest('/report', 204, hasHeaders({ 'Cache-Control': 'private, no-store' }))
    rest('/rules', 204, hasHeaders({ 'Cache-Control': 'max-age=60' }))
    rule('7.1', 'includes custom routes in the allowed methods of a path', restRoutes(override))
    for (const [path, method, Allow] of [
      ['/post/1/publish', 'GET', 'POST'],
      ['/tag', 'DELETE', 'GET, HEAD, POST, PUT'],
      ['/report', 'POST', 'GET, HEAD'],
    ] as const) {
      rest(`${method} ${path}`, 405, hasHeaders({ Allow }))
      rest(`OPTIONS ${path}`, 204, hasHeaders({ Allow }))
    }

    rule('7.1', 'renders thrown errors', restRoutes(serve))
    for (const [index, [, status, expected]] of ERRORS.entries()) rest(`POST /post/1/fail/${index}`, status, expected)
    rest('/tag/news', 404, 'not-found')
    rest('POST /tag/twice', 409, { errors: [{ code: 'unique-violation' }] })
    rule('7.1', 'responds with 404 to a missing row', restRoutes(serve))
    rest('POST /tag/a%2Fb%20%25_%C3%BC/drop', 204)
    rest('POST /tag/a%2Fb%20%25_%C3%BC/drop', 404)
    const guarded = restRoutes((app) => {
      app.use(csrf())
      app.post('/post/:id/like', (c) => c.body(null, 204))
    })
    rule('7.1', 'renders errors thrown by Hono middleware', guarded)
    rest({ send: 'POST /post/1/like', headers: { Origin: 'https://evil.example' } }, 403, 'forbidden')
    rest({ send: 'POST /post/1/like', headers: { Origin: 'http://localhost' } }, 204)

    rule('2.3', 'api.reply: omits hidden fields and loads missing ones', restRoutes(serve))
    rest('/user/1', 200, keep)
    for (const path of ['/me', '/me/bare']) rest(path, 200, isUnchanged)
    rest('/user/1?include=posts.category,profile', 200, keep)
    rest('/me?include=posts.category,profile', 200, isUnchanged)
    rest('/me?fields[user]=password', 400)
    rule('2.3', 'api.reply: returns lists, with pagination links if the total is given', restRoutes(serve))
    const popular = '/post/popular?sort=-slug&page[limit]=2&filter[authorId]=1'
    rest(popular, 200, ['2', '3'])
    const links = {
      self: `${ENDPOINT}/post/popular?sort=-slug&page%5Blimit%5D=2&filter%5BauthorId%5D=1`,
      first: `${ENDPOINT}/post/popular?sort=-slug&filter%5BauthorId%5D=1&page%5Blimit%5D=2`,
      next: null,
    }
    rest(popular, 200, { meta: { total: 2 }, links })
    const drafts = '/post/drafts?include=tags&fields[post]=title,tags'
    rest(drafts, 200, ['2', '5'])
    const self = `${ENDPOINT}/post/drafts?include=tags&fields%5Bpost%5D=title%2Ctags`
    rest(drafts, 200, { links: { self }, included: [{ type: 'tag', id: 'news' }] })
    for (const path of ['/post/drafts?filter[title]=x', '/post/popular?filter[nothing]=x']) rest(path, 400)
    rule('2.3, 4.1', 'api.reply: returns null for a missing row, and Location with status 201', restRoutes(serve))
    rest('/post/latest', 200, { data: null, links: { self: `${ENDPOINT}/post/latest` } })
    rest('POST /tag/from-title', 201, hasHeaders({ Location: `${ENDPOINT}/tag/made` }))
    const limits = { includedRows: 1 }
    rule('8', 'api.reply: reports a change if the response exceeds a limit', restRoutes(serve, { limits }))
    rest('POST /post/2/archive?include=author', 200)
    rest('POST /post/1/archive?include=comments', 400, /The change was made/)

    rule('4.1, 7.1', 'validates JSON against a zod schema', restRoutes(serve))
    rest('POST /checked', { data: { note: 'abc' } }, 204, hasHeaders({ 'x-note': 'abc' }))
    rest(sent('/checked', { data: { note: '' } }), 422, 'invalid-value /data/note')
    rest(sent('/checked', []), 400)
    rest('POST /unread', 204)
    rule('7.1', 'rejects other content types with 415', restRoutes(serve))
    for (const path of ['/checked', '/as-it-is', '/unread', '/any', '/wild/1']) {
      for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded'])
        rest(typed(path, type), 415)
    }
    const bodies = ['/checked', '/as-it-is', '/wild/1']
    for (const path of bodies) {
      rest({ send: `POST ${path}`, raw: new TextEncoder().encode('{}'), headers: { 'Content-Type': '' } }, 415)
    }
    rule('8', 'rejects a body over the limit with 413', restRoutes(serve, { limits: { bodyBytes: 1000 } }))
    const large = { data: { note: 'x'.repeat(2000) } }
    for (const path of bodies) {
      rest(streamed(path, large), 413, 'body-too-large')
      rest(sent(path, large, { 'Content-Length': '2050' }), 413, 'body-too-large')
    }

    const date = '2024-05-31T00:00:00.000Z'
    const meta = (path: string, type: string) => ({ meta: { serialization: { values: { [path]: [type] } } } })
    rule('4.3', 'parses arguments and responds like an emitted route', rpcRoutes(rpc))
    const serialization = { id: 3, at: date, ...meta('at', 'Date') }
    const at = { id: 3, status: 'PUBLISHED', publishedAt: date, author: { name: 'Ann' } }
    call(sent('/post/publish', serialization), 200, at)
    call(sent('/post/publish', serialization), 200, hasDate)
    call('post.findUnique', { where: { id: 3 }, select: { publishedAt: true } }, 200, { publishedAt: date })
    rule('4.3', 'omits hidden fields from responses at every depth', rpcRoutes(rpc))
    const posts = [1, 2, 3].map((id) => ({ id, author: { id: 1, name: 'Ann', email: 'ann@example.org' } }))
    call('GET /user/all', 200, hidesPasswords)
    call('GET /user/all', 200, hasUsers({ email: 'ann@example.org', posts, _count: { posts: 3, comments: 1 } }))
    call('GET /user/none', 200, isExactly({ data: null }))
    call('GET /count', 200, { users: '3' })
    rule('4.3', 'overrides only the emitted route with the same method and path', rpcRoutes(rpc))
    call('GET /tag/findMany', 200, isExactly({ data: [{ name: 'mine' }] }))
    call(sent('/tag/findMany', {}), 200, hasLength(3))
    call('GET /tag/findEverything', 404)
    call('GET /post/publish', 405, hasHeaders({ Allow: 'POST' }))
    rule('7.3, 7.4', 'renders thrown errors', rpcRoutes(rpc))
    call(sent('/post/publish', { id: 1 }), 409, { code: 'published', message: 'It is published already.' })
    call(sent('/post/publish', { id: 99 }), 404, { orm: true, code: 'P2025' })
    const message = expect.stringContaining('expected number')
    call(sent('/post/publish', { id: 'x' }), 400, { issues: [{ path: ['id'], message }] })
    const issue = { path: ['data', 'title'], message: 'No such title.' }
    call('POST /post/reject', 422, { message: issue.message, issues: [issue] })
    call('POST /post/break', 500, isLoggedOnce)
    rule('4.3', 'accepts undefined arguments, but rejects them in conditions with 400', rpcRoutes(rpc))
    call(sent('/args', { id: 1, note: null, ...meta('note', 'undefined') }), 200, isExactly({ data: { id: 1 } }))
    call(sent('/args', { where: { id: null }, ...meta('where.id', 'undefined') }), 400)
    rule(
      '7.3, 8',
      'rejects bodies of other types with 415 and large ones with 413',
      rpcRoutes(rpc, { limits: { bodyBytes: 1000 } }),
    )
    for (const path of ['/args', '/raw']) {
      call(sent(path, { a: 1 }), 200, isExactly({ data: { a: 1 } }))
      for (const type of ['text/plain', MEDIA_TYPE]) call(typed(path, type), 415)
      call(sent(path, { a: 'x'.repeat(2000) }), 413)
    }
  },
  { only: ['sqlite', 'PGlite'] },
)
