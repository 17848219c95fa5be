import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'

import type { App, Orm } from '../contender.js'
import { featuresApp, stockApp } from './features.js'
import { restApp } from './rest.js'
import { rpcApp } from './rpc.js'

/**
 * The same endpoints, handwritten by an expert for this schema and optimized for speed: only the necessary Prisma calls, and JSON built as
 * text. Not reusable for another schema.
 */
export function createHandwrittenApp(orm: Orm): App {
  const app = new Hono()
  app.route('/features', featuresApp(orm))
  for (const path of ['/rest', '/features/rest']) app.route(path, restApp(orm))
  app.route('/rest/stock', stockApp(orm))
  app.route('/rpc', rpcApp(orm))
  app.onError((error, c) => {
    if (error instanceof HTTPException) return c.json({ errors: [{ detail: error.message }] }, error.status)
    const code = 'code' in error ? error.code : undefined
    if (code === 'P2025') return c.json({ errors: [{ code: 'not-found' }] }, 404)
    if (code === 'P2002') return c.json({ errors: [{ code: 'conflict' }] }, 409)
    throw error
  })
  return app
}
