import { Hono } from 'hono'

import { createHonoHandler } from '../../fixtures/bench/expected/hono.js'
import { RestApiHandler, RPCApiHandler } from '../../fixtures/bench/expected/index.js'
import { type App, ENDPOINT, type Orm } from './contender.js'

/** Mounts the generated routes as in the README. */
export function emitted(orm: Orm): App {
  const app = new Hono()
  const rest = RestApiHandler({ endpoint: ENDPOINT })
  app.route('/rest', createHonoHandler({ getOrm: () => orm, handler: rest }))
  app.route('/rpc', createHonoHandler({ getOrm: () => orm, handler: RPCApiHandler() }))
  return app
}
