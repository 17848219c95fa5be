import { Hono } from 'hono'
import { beforeEach, expect, it } from 'vitest'

import { postRest } from '../../fixtures/blog/expected/post/rest.js'
import { postRpc } from '../../fixtures/blog/expected/post/rpc.js'
import { honoHandler } from '../../runtime/adapters/hono.js'
import type { ApiEnv, ApiHandler } from '../../runtime/http/handler-types.js'
import { restHandler } from '../../runtime/rest/rest-handler.js'
import { rpcHandler } from '../../runtime/rpc/rpc-handler.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'

type App = Hono<{ Variables: { caller: string; explain: string } }>

describeDatabases(
  'Hono context variables',
  (db) => {
    let seen: unknown[]
    beforeEach(async () => {
      seen = []
      await db.reset()
    })

    /** Adds middleware before the routes, as a custom template does. */
    const watch = (hono: Hono<ApiEnv>) => {
      hono.use(async (c, next) => {
        seen.push(c.get('caller'), c.var['explain'])
        await next()
      })
    }
    const rest = {
      Post: {
        resource: postRest.resource,
        build(...[app, api]: Parameters<typeof postRest.build>) {
          watch(app)
          postRest.build(app, api)
        },
      },
    }
    const rpc = {
      Post: {
        resource: postRpc.resource,
        build(...[app, api]: Parameters<typeof postRpc.build>) {
          watch(app)
          postRpc.build(app, api)
        },
      },
    }
    const mounted = (handler: ApiHandler<unknown>): App => {
      const app: App = new Hono()
      app.use(async (c, next) => {
        c.set('caller', 'ada')
        // Custom variables may use any name.
        c.set('explain', 'why')
        await next()
      })
      app.route('/', honoHandler({ handler, getOrm: () => db.orm }))
      return app
    }
    const both = () => ({
      rest: mounted(restHandler<unknown, typeof rest>(rest, { endpoint: ENDPOINT }, { provider: 'sqlite' })),
      rpc: mounted(rpcHandler<unknown>(rpc, {}, { provider: 'sqlite' })),
    })

    it('reach the middleware of routes, for errors too', async () => {
      const { rest, rpc } = both()
      for (const [app, path, status] of [
        [rest, '/post', 200],
        [rest, '/post/1', 404],
        [rpc, '/post/findMany', 200],
        [rpc, '/post/findUniqueOrThrow?q=%7B%22where%22%3A%7B%22id%22%3A1%7D%7D', 404],
      ] as const) {
        seen = []
        expect([(await app.request(path)).status, seen]).toEqual([status, ['ada', 'why']])
      }
      expect((await rest.request('/post/1', { method: 'DELETE' })).status).toBe(404)
    })

    it('do not change the responses to unknown paths and methods', async () => {
      const { rest, rpc } = both()
      for (const [app, path] of [
        [rest, '/post/1/nothing'],
        [rpc, '/post/findEverything'],
      ] as const) {
        const response = await app.request(path)
        expect([response.status, await response.text()]).toEqual([404, expect.not.stringContaining('*')])
      }
      const put = await rest.request('/post', { method: 'PUT' })
      expect([put.status, put.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST'])
    })
  },
  { only: ['SQLite'] },
)
