import { Hono } from 'hono'

import { createHonoHandler } from '../../fixtures/bench/expected/hono.js'
import { RestApiHandler, RPCApiHandler } from '../../fixtures/bench/expected/index.js'
import { type App, ENDPOINT, type Orm } from './contender.js'

/** What our generator wrote, mounted as the README says. */
export function emitted(orm: Orm): App {
  const app = new Hono()
  const rest = RestApiHandler({ endpoint: ENDPOINT })
  app.route('/rest', createHonoHandler({ getOrm: () => orm, handler: rest }))
  app.route('/rpc', createHonoHandler({ getOrm: () => orm, handler: RPCApiHandler() }))
  return app
}
