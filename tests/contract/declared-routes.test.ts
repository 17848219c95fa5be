import type { Hono } from 'hono'
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest'
import * as z from 'zod'

import { implementRoutes } from '../../fixtures/blog/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/blog/expected/declare-routes.js'
import type { ApiEnv } from '../../runtime/http/handler-types.js'
import type { StandardSchema } from '../../runtime/index.js'
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
    authorOf: { method: 'GET', path: '/:id/writer', result: 'User' },
  },
  tag: { add: { method: 'POST', path: '/add', body: uniqueName, result: 'Tag' } },
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
    async touch({ orm, where }) {
      await orm.post.update({ where, data: { viewCount: 99 } })
    },
    authorOf: async ({ orm, where }) => (await orm.post.findUniqueOrThrow({ where, include: { author: true } })).author,
  },
  tag: { add: ({ orm, body: { name, checked } }) => orm.tag.create({ data: { name: `${name} ${checked}` } }) },
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
const isLogged = () =>
  expect(String(logged.mock.lastCall)).toContain('The route post.broken returned an invalid result')

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
  rule('7.1, 7.3', 'rejects other content types with 415', served)
  const typed = { raw: '{}', headers: { 'Content-Type': 'text/plain' } }
  rest({ send: 'POST /post/3/publish', ...typed }, 415)
  rpc({ send: 'POST /post/publish', ...typed }, 415)
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
  rest('/post/3', 200, { data: { attributes: { viewCount: 99 } } })
  rpc(call('/post/touch', { id: 3 }, 'PUT'), 200, isExactly({ data: null }))
  rule('7.1, 7.3', 'rejects other methods with 405', served)
  rest('GET /post/3/publish', 405)
  rpc('GET /post/publish', 405)
})

describeDatabases(
  'declared routes: declaration',
  (db) => {
    const create = (declarations: object, implementations: object) => {
      const customRoutes = implementRoutes(declareRoutes(declarations), implementations)
      db.routes.RestApiHandler({ endpoint: ENDPOINT, routes: customRoutes })
      db.routes.RPCApiHandler({ routes: customRoutes })
    }
    const run = () => undefined
    it.each([
      ['GET', '/:id', 'a', 'The route post.a has the method and path of a generated route: GET /:id.'],
      ['GET', '/:id/author', 'a', 'The route post.a has the method and path of a generated route'],
      ['POST', '/a', 'create', 'The route post.create has the method and path of a generated route: POST /create.'],
      ['POST', '/:slug/a', 'a', 'The path "/:slug/a" of the route post.a has an unknown parameter ":slug".'],
      ['POST', '/a/*', 'a', 'The path "/a/*" of the route post.a must consist of'],
      ['POST', '/', 'a', 'The path "/" of the route post.a must consist of'],
    ])('%s %s as %s: is rejected', (method, path, name, message) => {
      const implementations = { post: { [name]: run } }
      expect(() => create({ post: { [name]: { method, path } } }, implementations)).toThrow(message)
    })
    it('rejects routes with the same method and path', () => {
      const route = { method: 'POST', path: '/a' }
      const message = 'The routes post.a and post.b have the same method and path.'
      expect(() => create({ post: { a: route, b: route } }, { post: { a: run, b: run } })).toThrow(message)
    })
    it('rejects a route without an implementation', () => {
      const message = 'The route post.a has no implementation.'
      expect(() => create({ post: { a: { method: 'POST', path: '/a' } } }, {})).toThrow(message)
    })
    it('rejects unknown models', () => {
      const route = { method: 'POST', path: '/a' }
      const unknown = { nothing: { a: run } }
      expect(() => create({ nothing: { a: route } }, unknown)).toThrow('The model "nothing" of the route nothing.a')
      const result = { ...route, result: 'Nothing' }
      expect(() => create({ post: { a: result } }, { post: { a: run } })).toThrow('The result "Nothing"')
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
          row: { method: 'GET', path: '/row', result: 'Post' },
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

/** Compile errors. Never called. */
export function mistakes(): void {
  declareRoutes({
    // @ts-expect-error A model that does not exist.
    pots: { publish: { method: 'POST', path: '/publish' } },
  })
  declareRoutes({
    // @ts-expect-error A property that does not exist.
    post: { publish: { method: 'POST', path: '/publish', boddy: z.object({}) } },
  })
  declareRoutes({
    // @ts-expect-error A GET request has no body.
    post: { find: { method: 'GET', path: '/find', body: z.object({}) } },
  })
  declareRoutes({
    // @ts-expect-error A result of an unknown model.
    post: { find: { method: 'GET', path: '/find', result: 'Pots' } },
  })
  const one = declareRoutes({
    post: { publish: { method: 'POST', path: '/:id/publish', result: 'Post', errors: { published: 409 } } },
  })
  implementRoutes(one, {
    post: {
      publish({ fail, orm, where }) {
        // @ts-expect-error A code that is not declared.
        if (where.id === 1) throw fail('other', 'No.')
        return orm.post.findUnique({ where })
      },
    },
  })
  // @ts-expect-error The result is not a row of the model.
  implementRoutes(one, { post: { publish: ({ orm }) => orm.post.updateMany({ data: {} }) } })
  // @ts-expect-error The route has no implementation.
  implementRoutes(one, { post: {} })
  implementRoutes(one, {
    post: {
      // @ts-expect-error The route has no body.
      publish: ({ body }) => body,
    },
  })
}
