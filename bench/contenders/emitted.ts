import { Hono } from 'hono'
import * as z from 'zod'

import { implementRoutes } from '../../fixtures/bench/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/bench/expected/declare-routes.js'
import { createHonoHandler } from '../../fixtures/bench/expected/hono.js'
import { RestApiHandler, RPCApiHandler } from '../../fixtures/bench/expected/index.js'
import { idempotency } from '../../runtime/idempotency/index.js'
import { type App, ENDPOINT, type Orm } from './contender.js'

const declarations = declareRoutes({
  post: {
    summary: { method: 'GET', path: '/:id/summary', result: z.object({ title: z.string(), views: z.int() }) },
  },
})

const routes = implementRoutes(declarations, {
  post: {
    async summary({ orm, where }) {
      return orm.post.findUniqueOrThrow({ where, select: { title: true, views: true } })
    },
  },
})

/** Mounts the generated routes as in the README, and again with all options of the measured features. */
export function emitted(orm: Orm): App {
  const app = new Hono()
  const keys = idempotency({ model: 'idempotencyKey', scope: () => 'benchmark' })
  const getOrm = () => orm
  const handlers = {
    '/rest': RestApiHandler({ endpoint: ENDPOINT }),
    '/rpc': RPCApiHandler(),
    '/features/rest': RestApiHandler({
      endpoint: ENDPOINT,
      atomicOperations: true,
      idempotency: keys,
      routes,
    }),
    '/features/rpc': RPCApiHandler({ idempotency: keys, transactions: true, routes }),
  }
  for (const [path, handler] of Object.entries(handlers)) app.route(path, createHonoHandler({ getOrm, handler }))
  return app
}
