import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'

import * as annotations from '../../fixtures/annotations/expected/custom-routes.js'
import * as annotated from '../../fixtures/annotations/expected/index.js'
import { implementRoutes } from '../../fixtures/blog/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/blog/expected/declare-routes.js'
import { RestApiHandler, RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import { openApi } from '../../runtime/openapi/index.js'
import type { ResponseTelemetry } from '../../runtime/index.js'
import { fillBlog } from '../rest/support/blog.js'
import { ENDPOINT, type TestResponse as RestResponse } from '../rest/support/client.js'
import type { TestResponse as RpcResponse } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

const declarations = declareRoutes({
  reports: {
    monthly: {
      method: 'GET',
      path: '/monthly',
      query: z.object({ views: z.coerce.number<number>().int() }),
      result: z.object({ count: z.int(), at: z.date() }),
      errors: { 'no-posts': 404 },
    },
    best: { method: 'GET', path: '/best/posts', result: ['Post'] },
    first: { method: 'GET', path: '/first', result: 'User', nullable: true },
    strict: { method: 'POST', path: '/strict', body: z.strictObject({ at: z.date() }), result: z.string() },
    reset: {
      method: 'POST',
      path: '/reset',
      body: z.object({ note: z.string().max(5).optional() }),
      errors: { locked: 409 },
    },
  },
  'Top-lists': { tags: { method: 'PUT', path: '/tags' } },
  // A route with the path of its group.
  checkout: {
    buy: { method: 'POST', path: '/', body: z.object({ count: z.int() }), result: z.int() },
    cart: { method: 'GET', path: '/cart', result: z.int() },
  },
  operations: { retry: { method: 'POST', path: '/retry', result: z.string() } },
  post: { total: { method: 'GET', path: '/total', result: z.int() } },
})

const routes = implementRoutes(declarations, {
  reports: {
    async monthly({ orm, query: { views }, fail }) {
      const count = await orm.post.count({ where: { viewCount: { gte: views } } })
      if (count === 0) throw fail('no-posts', 'No posts have so many views.', 'views')
      return { count, at: new Date(0) }
    },
    best: ({ orm }) => orm.post.findMany({ where: { viewCount: { gte: 20 } }, orderBy: { id: 'asc' } }),
    strict: ({ body }) => body.at.toISOString(),
    first: ({ orm }) => orm.user.findFirst({ orderBy: { id: 'asc' } }),
    async reset({ orm, body, fail }) {
      if (!body.note || body.note === 'no') throw fail('locked', 'The posts are locked.', 'note')
      await orm.post.updateMany({ data: { content: body.note } })
    },
  },
  'Top-lists': { tags: () => undefined },
  checkout: { buy: ({ body }) => body.count * 2, cart: () => 1 },
  operations: { retry: () => 'done' },
  post: { total: ({ orm }) => orm.post.count() },
})

const served = { options: { routes } }
const call = (path: string, args: object, method = 'POST') => ({
  send: `${method} ${path}`,
  raw: JSON.stringify(args),
  headers: { 'Content-Type': 'application/json' },
})
const get = (path: string, args: object) => `GET ${path}?q=${encodeURIComponent(JSON.stringify(args))}`
const hidesPassword = ({ body }: RestResponse | RpcResponse) => expect(JSON.stringify(body)).not.toContain('password')
const wroteAll = async ({ orm }: Pick<Database, 'orm'>) =>
  expect(await orm.post.count({ where: { content: 'x' } })).toBe(5)
const withHeader =
  (name: string, value: string) =>
  ({ headers }: { readonly headers: Headers }) =>
    expect(headers.get(name)).toBe(value)

describeContract('declared routes without a model', ({ rule, rest, rpc, finally: after }) => {
  rule('4.1, 4.3', 'passes the query and responds with a value', served)
  rest('POST /checkout', { count: 2 }, 200, { meta: { result: 4 } })
  rpc(call('/checkout/buy', { count: 2 }), 200, 4)
  rest('POST /checkout', { count: 'x' }, 422, 'invalid-value /count')
  rest('GET /checkout', 405, withHeader('Allow', 'POST'))
  rest('GET /checkout/cart', 200, { meta: { result: 1 } })
  rest('GET /checkout/card', 404, { errors: [{ detail: 'No route has this path. Available: cart.' }] })
  const value = { count: 3, at: new Date(0).toJSON() }
  rest('/reports/monthly?views=20', 200, { meta: { result: value } })
  rpc(get('/reports/monthly', { views: 20 }), 200, value)
  rest('/reports/monthly?views=x', 400, 'malformed-parameter views')
  rpc(get('/reports/monthly', { views: 'x' }), 400, { issues: [{ path: ['views'] }] })
  rpc(get('/reports/best', { id: 1 }), 400, { issues: [{ path: ['id'] }] })
  rule('2.3, 4.2', 'responds with rows of a model', served)
  rest('/reports/best/posts?include=author&fields[post]=title', 200, ['2', '3', '4'])
  rest('/reports/best/posts?include=author', 200, { links: { self: `${ENDPOINT}/reports/best/posts?include=author` } })
  rest('/reports/best/posts?include=nobody', 400, 'unknown-field include')
  rpc(
    'GET /reports/best',
    200,
    [2, 3, 4].map((id) => expect.objectContaining({ id }) as unknown),
  )
  rest('/reports/first', 200, { data: { type: 'user', id: '1', attributes: { name: 'Ann' } } })
  rest('/reports/first', 200, hidesPassword)
  rpc('GET /reports/first', 200, hidesPassword)
  rule('7.1, 7.4', 'responds with a declared error', served)
  const detail = 'No posts have so many views.'
  rest('/reports/monthly?views=99', 404, { errors: [{ code: 'no-posts', status: 404, detail }] })
  rest('/reports/monthly?views=99', 404, 'no-posts views')
  rpc(get('/reports/monthly', { views: 99 }), 404, { code: 'no-posts', issues: [{ path: ['views'], message: detail }] })
  rule('7.1, 7.4', 'rejects an invalid body with the location of the error', served)
  rest('POST /reports/reset', { note: 'too long' }, 422, 'invalid-value /note')
  rpc(call('/reports/reset', { note: 'too long' }), 400, { issues: [{ path: ['note'] }] })
  rule('7.1, 7.4', 'points to the field of a declared error, even if the request does not contain it', served)
  for (const body of [{ note: 'no' }, {}]) {
    rest(call('/reports/reset', body), 409, 'locked /note')
    rpc(call('/reports/reset', body), 409, { code: 'locked', issues: [{ path: ['note'] }] })
  }
  rule('2.5', 'passes the decoded body without its annotations', served)
  rest(
    call('/reports/strict', { at: '2020-01-01T00:00:00Z', meta: { serialization: { values: { at: ['Date'] } } } }),
    200,
    {
      meta: { result: '2020-01-01T00:00:00.000Z' },
    },
  )
  rule('4.1, 4.3', 'responds without a result', served)
  rest('POST /reports/reset', { note: 'x' }, 204)
  rpc(call('/reports/reset', { note: 'x' }), 200, null)
  after(wroteAll)
  rule('7.1, 7.3', 'rejects other methods with 405 and Allow', served)
  rest('POST /reports/monthly', {}, 405, withHeader('Allow', 'GET, HEAD'))
  rest('GET /reports/reset', 405, withHeader('Allow', 'POST'))
  rpc(call('/reports/monthly', {}), 405, withHeader('Allow', 'GET, HEAD'))
  rpc('GET /reports/reset', 405, withHeader('Allow', 'POST'))
  rule('7.1, 7.3', 'rejects unknown paths of a group with 404 and the available ones', served)
  for (const path of ['/reports/weekly', '/reports', '/reports/monthly/x', '/reports/']) {
    rest(path, 404, /^No route has this path. Available: best\/posts, first, monthly, reset, strict.$/)
    rpc(`GET ${path}`, 404, /^No route has this path. Available: best, first, monthly, reset, strict.$/)
  }
  rest('/report/monthly', 404, /^Unknown model "report"/)
  rpc('GET /report/monthly', 404, /^Unknown model "report"/)
  rule('7.1, 7.3', 'rejects bodies that exceed the limit', { options: { routes, limits: { bodyBytes: 20 } } })
  rest('POST /reports/reset', { note: 'x'.repeat(20) }, 413)
  rpc(call('/reports/reset', { note: 'x'.repeat(20) }), 413)
  rule('7.1, 7.3', 'rejects results that exceed the limit', { options: { routes, limits: { responseBytes: 40 } } })
  rest('/reports/monthly?views=20', 400, 'limit-exceeded')
  rpc(get('/reports/monthly', { views: 20 }), 400, /40 bytes/)
  rule('7.1, 7.3', 'rejects other content types with 415', served)
  const typed = { raw: '{}', headers: { 'Content-Type': 'text/plain' } }
  rest({ send: 'POST /reports/reset', ...typed }, 415)
  rpc({ send: 'POST /reports/reset', ...typed }, 415)
})

describeDatabases(
  'declared routes without a model: requests',
  (db) => {
    beforeEach(() => db.fill(fillBlog))
    const handlers = () => ({
      rest: db.routes.RestApiHandler({ endpoint: ENDPOINT, routes }),
      rpc: db.routes.RPCApiHandler({ routes }),
    })
    const send = (style: 'rest' | 'rpc', path: string, init?: RequestInit, bindings: object = {}) =>
      handlers()[style].fetch(new Request(`http://localhost/api${path}`, init), {
        getOrm: () => db.orm,
        prefix: '/api',
        ...bindings,
      })

    it.each(['rest', 'rpc'] as const)('%s: redirects other spellings of a group with 308', async (style) => {
      for (const [path, location] of [
        ['/Reports/monthly?views=1', '/api/reports/monthly?views=1'],
        ['/Top-lists/tags', '/api/top-lists/tags'],
        ['/TOP-LISTS', '/api/top-lists'],
      ] as const) {
        const response = await send(style, path, { method: 'PUT' })
        expect(response.status).toBe(308)
        const target = new URL(response.headers.get('Location') ?? '', `http://localhost/api${path}`)
        expect(target.pathname + target.search).toBe(location)
      }
      expect((await send(style, '/top-lists/tags', { method: 'PUT' })).status).toBe(style === 'rest' ? 204 : 200)
    })

    it.each(['rest', 'rpc'] as const)('%s: supports HEAD and OPTIONS', async (style) => {
      const head = await send(style, '/reports/first', { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      const options = await send(style, '/reports/first', { method: 'OPTIONS' })
      expect([options.status, options.headers.get('Allow')]).toEqual([204, 'GET, HEAD'])
    })

    it.each(['rest', 'rpc'] as const)('%s: reports the route, but no model, to onResponse', async (style) => {
      const seen: ResponseTelemetry[] = []
      const onResponse = (telemetry: ResponseTelemetry) => void seen.push(telemetry)
      await send(style, '/reports/first', undefined, { onResponse })
      await send(style, '/reports/unknown', undefined, { onResponse })
      expect(seen).toMatchObject([
        { route: '/api/reports/first', model: undefined, operation: undefined, status: 200 },
        { route: undefined, model: undefined, operation: undefined, status: 404 },
      ])
    })

    it('does not hide an endpoint with the name of the group', async () => {
      const retried = await send('rest', '/operations/retry', { method: 'POST' })
      expect(await retried.json()).toMatchObject({ meta: { result: 'done' } })
      const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
      const data = { type: 'tag', attributes: { name: 'x' } }
      const response = await send('rest', '/operations', {
        method: 'POST',
        headers: { 'Content-Type': type, Accept: type },
        body: JSON.stringify({ 'atomic:operations': [{ op: 'add', data }] }),
      })
      expect([response.status, await db.orm.tag.count({ where: { name: 'x' } })]).toEqual([200, 1])
    })

    it('serves groups next to the routes of models', async () => {
      expect(await (await send('rest', '/post/total')).json()).toMatchObject({ meta: { result: 5 } })
      expect((await send('rest', '/post/1')).status).toBe(200)
    })
  },
  { only: ['sqlite'] },
)

describe('declared routes without a model: declaration', () => {
  const run = () => undefined
  const prepare = (declared: object, implement: (declared: never, implementations: never) => object) => {
    const implementations = Object.fromEntries(
      Object.entries(declared).map(([group, of]: [string, object]) => [
        group,
        Object.fromEntries(Object.keys(of).map((name) => [name, run])),
      ]),
    )
    return implement(declared as never, implementations as never) as typeof routes
  }
  const create = (declared: object, options: object = {}) => {
    const customRoutes = prepare(declared, implementRoutes)
    const rest = () => RestApiHandler({ endpoint: ENDPOINT, routes: customRoutes, ...options })
    const rpc = () => RPCApiHandler({ routes: customRoutes, ...options })
    return [rest, rpc]
  }
  const post = { method: 'POST', path: '/a' }
  const read = { method: 'GET', path: '/a' }
  const models = 'Models: category, comment, post, profile, tag, user.'

  it.each<[title: string, declared: object, message: string]>([
    [
      'an id in the path',
      { poost: { publish: { method: 'POST', path: '/:id/publish' } } },
      `The route poost.publish must not have ":id" in its path "/:id/publish", because "poost" is not a model. Did you mean "post"? ${models}`,
    ],
    [
      'an id in the path of a group that no model resembles',
      { reports: { a: { method: 'GET', path: '/a/:id' } } },
      `The route reports.a must not have ":id" in its path "/a/:id", because "reports" is not a model. ${models}`,
    ],
    [
      'another spelling of a model',
      { Post: { a: post } },
      'The group "Post" of the route Post.a is another spelling of the model Post. Use "post".',
    ],
    ['the path of a collection', { post: { a: { ...post, path: '/' } } }, 'The path "/" of the route post.a is the'],
    ['a name that starts with a digit', { '1st': { a: post } }, 'The group "1st" of the route 1st.a must start with'],
    ['a name with a slash', { 'a/b': { a: post } }, 'The group "a/b" of the route a/b.a must start with a letter'],
    ['a name of another endpoint', { $transaction: { sequential: post } }, 'The group "$transaction" of the route'],
    ['a name with a dot', { 'openapi.json': { a: read } }, 'The group "openapi.json" of the route'],
    ['two groups with the same path', { a: { b: post }, A: { b: read } }, 'The groups "a" and "A" of routes have the'],
    ['a result of an unknown model', { a: { b: { ...read, result: 'Nothing' } } }, 'The result "Nothing" of the route'],
  ])('rejects %s', (_title, declared, message) => {
    for (const handler of create(declared)) expect(handler).toThrow(message)
  })

  it('rejects the path of the health check and of the files of the API description', () => {
    const [rest, rpc] = create({ status: { live: { method: 'GET', path: '/live' } } }, { health: '/status/live' })
    const message = 'The route status.live has the path of another endpoint: /status/live.'
    expect(rest).toThrow(message)
    expect(rpc).toThrow(message)
    const [documented] = create(
      { help: { style: { method: 'GET', path: '/viewer.css' } } },
      { openapi: openApi({ docs: '/help' }) },
    )
    expect(documented).toThrow('The route help.style has the path of another endpoint: /help/viewer.css.')
  })

  it('accepts a group with the first segment of another endpoint', () => {
    const options = { health: '/status/live', openapi: openApi({ docs: '/help' }) }
    for (const handler of create({ status: { a: read }, help: { a: read } }, options)) expect(handler).not.toThrow()
  })

  it('rejects models of the schema that the handler does not expose', () => {
    const [rest] = create({ post: { a: post } }, { modelNameMapping: { User: 'users' } })
    expect(rest).toThrow('The model "post" of the route post.a is not exposed.')
    const [spelled] = create({ Users: { a: post } }, { modelNameMapping: { User: 'users' } })
    expect(spelled).toThrow('The group "Users" of the route Users.a is another spelling of the model User. Use "user".')
  })

  it('rejects hidden models', () => {
    const customRoutes = prepare({ session: { end: post } }, annotations.implementRoutes)
    const message = 'The model "session" of the route session.end is not exposed.'
    expect(() => annotated.RestApiHandler({ endpoint: ENDPOINT, routes: customRoutes })).toThrow(message)
    expect(() => annotated.RPCApiHandler({ routes: customRoutes })).toThrow(message)
  })
})

/** Compile errors. Never called. */
export function mistakes(): void {
  declareRoutes({
    // @ts-expect-error The path contains an id, but the group is not a model.
    pots: { publish: { method: 'POST', path: '/:id/publish' } },
  })
  declareRoutes({
    // @ts-expect-error A property that does not exist.
    reports: { monthly: { method: 'GET', path: '/monthly', boddy: z.object({}) } },
  })
  declareRoutes({
    // @ts-expect-error A result of an unknown model.
    reports: { monthly: { method: 'GET', path: '/monthly', result: 'Pots' } },
  })
  declareRoutes({
    // @ts-expect-error A GET request has no body.
    reports: { monthly: { method: 'GET', path: '/monthly', body: z.object({}) } },
  })
  const one = declareRoutes({ reports: { best: { method: 'GET', path: '/best', result: ['Post'] } } })
  implementRoutes(one, { reports: { best: ({ orm }) => orm.post.findMany({ select: { id: true, title: true } }) } })
  // @ts-expect-error The rows have no id.
  implementRoutes(one, { reports: { best: ({ orm }) => orm.post.findMany({ select: { title: true } }) } })
  // @ts-expect-error The route has no implementation.
  implementRoutes(one, {})
  // @ts-expect-error A route without a model has no `where`.
  implementRoutes(one, { reports: { best: ({ where }) => where } })
}
