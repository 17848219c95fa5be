import { openApiWithRoutes } from '@routewright/runtime/openapi'
import { Hono } from 'hono'

import type { PrismaClient } from '#prisma'
import { createHonoHandler } from '#routes/hono.js'
import { RestApiHandler, RPCApiHandler } from '#routes/index.js'
import { withPolicies } from '#routes/policy.js'
import { abilityFor } from './ability.js'
import { callerOf } from './caller.js'
import { routes } from './custom-routes.js'
import { hooks } from './hooks.js'
import { loginRoutes } from './login.js'

/** Options of {@link createApp}. */
export interface AppOptions {
  readonly orm: PrismaClient
  /** The key that signs tokens. */
  readonly secret: string
  /** The public origin of the app, used in links. */
  readonly origin: string
}

const openapi = openApiWithRoutes({
  info: { title: 'Issue tracker', version: '1.0.0' },
  securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
})

/** Creates the server app: login, and both styles of the API with token authentication. */
export function createApp({ orm, secret, origin }: AppOptions): Hono {
  const options = {
    context: (c: { req: { raw: Request } }) => callerOf(c.req.raw, orm, secret),
    getOrm: (_: unknown, caller: Awaited<ReturnType<typeof callerOf>>) =>
      orm.$extends(withPolicies(abilityFor(caller))),
  }
  const rest = RestApiHandler({
    endpoint: `${origin}/api/rest`,
    hooks,
    routes,
    openapi,
    pageSize: 20,
    maxPageSize: 100,
  })
  const rpc = RPCApiHandler({ hooks, routes, openapi, limits: { rows: 1000 } })
  return new Hono()
    .route('/api/login', loginRoutes(orm, secret))
    .route('/api/rest', createHonoHandler({ ...options, handler: rest }))
    .route('/api/rpc', createHonoHandler({ ...options, handler: rpc }))
}
