import { inspectRoutes } from 'hono/dev'
import { describe, expect, it } from 'vitest'

import { calls as commentCalls } from '../../fixtures/blog/expected/comment/calls.js'
import type { RestModelApi, RpcModelApi } from '../../fixtures/blog/expected/orm.js'
import { calls } from '../../fixtures/blog/expected/post/calls.js'
import { postRest } from '../../fixtures/blog/expected/post/rest.js'
import { postRpc } from '../../fixtures/blog/expected/post/rpc.js'
import type { App } from '../../runtime/http/handler-types.js'
import * as rest from '../../runtime/rest/index.js'
import { restHandler } from '../../runtime/rest/rest-handler.js'
import * as rpc from '../../runtime/rpc/index.js'
import { rpcHandler } from '../../runtime/rpc/rpc-handler.js'
import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { ENDPOINT } from './support/client.js'

const DATABASE = { provider: 'sqlite' }

/** Returns the Hono apps of Post, as handlers of both styles build them. */
function buildApps(before: (app: App) => void = () => {}): { readonly rest: App; readonly rpc: App } {
  const apps: App[] = []
  const add = (app: App) => {
    before(app)
    apps.push(app)
  }
  const Rest = {
    ...postRest,
    build: (...[app, api]: Parameters<typeof postRest.build>) => (add(app), postRest.build(app, api)),
  }
  const Rpc = {
    ...postRpc,
    build: (...[app, api]: Parameters<typeof postRpc.build>) => (add(app), postRpc.build(app, api)),
  }
  restHandler({ Post: Rest }, { endpoint: ENDPOINT }, DATABASE)
  rpcHandler({ Post: Rpc }, {}, DATABASE)
  const [restApp, rpcApp] = apps
  if (!restApp || !rpcApp) throw new Error('A handler has built no app.')
  return { rest: restApp, rpc: rpcApp }
}

describeDatabases(
  'routers of a model',
  (db) => {
    it('are Hono apps that inspectRoutes lists', () => {
      const apps = buildApps()
      const paths = (app: App) => new Set(inspectRoutes(app).map(({ method, path }) => `${method} ${path}`))
      expect(paths(apps.rest)).toContain('PATCH /:id/relationships/tags')
      expect(paths(apps.rpc)).toContain('GET /findMany')
    })

    it('respond to app.request, behind middleware like on any Hono app', async () => {
      await db.fill(fillBlog)
      const seen: string[] = []
      const apps = buildApps((app) => {
        app.use(async (c, next) => {
          seen.push(c.req.path)
          await next()
        })
      })
      const env = { getOrm: () => db.orm, assertActive: () => {} }
      const one = await apps.rest.request('/1?fields[post]=title', {}, env)
      expect(await one.json()).toMatchObject({ data: { type: 'post', id: '1', attributes: { title: 'One' } } })
      const count = await apps.rpc.request('/count', {}, env)
      expect(await count.json()).toEqual({ data: 5 })
      expect(seen).toEqual(['/1', '/count'])
    })
  },
  { only: ['SQLite'] },
)

describe('actions', () => {
  it('compile only with a call of their model and operation', () => {
    const wrong = (api: RestModelApi<'Post'>, rpcApi: RpcModelApi<'Post'>) => [
      // @ts-expect-error the call of another model
      rest.list(api, commentCalls.findMany),
      // @ts-expect-error another operation with the same arguments
      rest.list(api, calls.findFirst),
      // @ts-expect-error another operation with fewer arguments
      rest.update(api, calls.delete),
      // @ts-expect-error the update of an upsert
      rest.create(api, calls.create, calls.create),
      // @ts-expect-error an unknown relation
      rest.related(api, 'autor', calls.findUnique),
      // @ts-expect-error a to-many relation is read with the calls of its target
      rest.linkage(api, 'comments', calls.findMany),
      // @ts-expect-error a to-one relation is read with its own model
      rest.related(api, 'author', calls.findMany),
      // @ts-expect-error another operation
      rpc.findUnique(rpcApi, calls.findUniqueOrThrow),
      // @ts-expect-error an operation of REST
      rest.get(rpcApi, calls.findUnique),
    ]
    expect(wrong).toBeTypeOf('function')
  })
})
