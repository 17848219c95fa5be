import { Elysia } from 'elysia'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'

import { elysiaHandler } from '../../runtime/adapters/elysia.js'
import { fetchHandler } from '../../runtime/adapters/fetch.js'
import { honoHandler } from '../../runtime/adapters/hono.js'
import type { ApiHandler } from '../../runtime/http/handler-types.js'
import { inProcess, inTwo, type Mount } from './suite/serving.js'
import { adapterSuite } from './suite/suite.js'

adapterSuite('fetch adapter', async (mounts) => {
  const served = mounts.map(({ path, handler, getOrm, context }) => ({
    mount: new RegExp(`^${path.replace(':tenant', '[^/]+')}/`),
    serve: fetchHandler<unknown, [], unknown>({
      handler,
      context: (request: Request) => context(request.headers.get('x-user')),
      getOrm: (request: Request, requestContext: unknown) => getOrm(request.headers.get('x-user'), requestContext),
      prefix: path,
    }),
  }))
  const [first] = served
  return inProcess((request) => {
    const { pathname } = new URL(request.url)
    // Requests outside all mount paths go to one of the handlers, which must reject them.
    const found = served.find(({ mount }) => mount.test(pathname)) ?? first
    return found?.serve(request) ?? Response.error()
  })
})

adapterSuite('hono adapter', async (mounts) => {
  const app = new Hono()
  for (const { path, handler, getOrm, context } of mounts) {
    const [outer, prefix] = inTwo(path)
    const api = honoHandler({
      handler,
      context: (c) => context(c.req.header('x-user')),
      getOrm: (c, requestContext) => getOrm(c.req.header('x-user'), requestContext),
      prefix,
    })
    app.route(outer, api)
  }
  return inProcess(app.fetch)
})

const plugin = ({ handler, getOrm, context }: Mount, prefix: string) =>
  elysiaHandler({
    handler,
    context: (c) => context(c.headers['x-user']),
    getOrm: (c, requestContext) => getOrm(c.headers['x-user'], requestContext),
    prefix,
  })

const elysia = (options: { readonly aot?: boolean }) => async (mounts: readonly Mount[]) => {
  const app = new Elysia(options)
  for (const mount of mounts) {
    const [prefix, inner] = inTwo(mount.path)
    app.use(new Elysia({ ...options, prefix }).use(plugin(mount, inner)))
  }
  return inProcess(app.handle)
}
adapterSuite('elysia adapter', elysia({}))
adapterSuite('elysia adapter, not compiled', elysia({ aot: false }))
adapterSuite(
  'elysia adapter, body parsed',
  async (mounts) => {
    const parse = ({ request }: { readonly request: Request }, type: string) =>
      type.startsWith('application/json') ? request.json() : request.text()
    const app = new Elysia().onParse({ as: 'global' }, parse)
    for (const mount of mounts) app.use(plugin(mount, mount.path))
    return inProcess(app.handle)
  },
  { parsed: true },
)

describe('hono adapter: mount path', () => {
  /** Returns the prefix that it received and the path after it. */
  const below: ApiHandler<object> = {
    drain: async () => undefined,
    async fetch(request, { prefix = '' }) {
      return Response.json({ prefix, below: new URL(request.url).pathname.slice(prefix.length) })
    },
  }

  it.each([
    ['/api', undefined, '/api/post/1', '/api'],
    ['/', undefined, '/post/1', ''],
    ['/', '/v1/', '/v1/post/1', '/v1'],
    ['/api', 'v1', '/api/v1/post/1', '/api/v1'],
    ['/:tenant/api', undefined, '/a%20b%2Fc/api/post/1', '/a%20b%2Fc/api'],
    ['/api', '/:tenant', '/api/a%20b/post/1', '/api/a%20b'],
  ])('route(%j) with prefix %j: passes the full prefix to the handler', async (route, prefix, path, expected) => {
    const options = { handler: below, getOrm: () => ({}), ...(prefix === undefined ? {} : { prefix }) }
    const app = new Hono().route(route, honoHandler(options))
    expect(await (await app.request(path)).json()).toEqual({ prefix: expected, below: '/post/1' })
  })
})
