import { text } from 'node:stream/consumers'

import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { H3, type H3Event as H3v2Event } from 'h3-v2'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'

import { postRest } from '../../fixtures/blog/expected/post/rest.js'
import { expressHandler } from '../../runtime/adapters/express.js'
import { fastifyHandler } from '../../runtime/adapters/fastify.js'
import { fetchHandler } from '../../runtime/adapters/fetch.js'
import { honoHandler } from '../../runtime/adapters/hono.js'
import { nextRouteHandlers } from '../../runtime/adapters/next.js'
import { nuxtHandler } from '../../runtime/adapters/nuxt.js'
import { svelteKitHandler } from '../../runtime/adapters/sveltekit.js'
import { tanStackStartHandlers } from '../../runtime/adapters/tanstack-start.js'
import type { ApiHandler } from '../../runtime/http/handler-types.js'
import { restHandler } from '../../runtime/rest/rest-handler.js'
import { ENDPOINT } from '../rest/support/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { listen, type Running, running } from './suite/serving.js'

type Serve = (request: Request) => Response | Promise<Response>

const BODY = { data: { type: 'post', attributes: { slug: 'a', title: 'ü' } } }
const post = (path = '/post') =>
  new Request(`http://localhost/api${path}`, {
    method: 'POST',
    body: JSON.stringify(BODY),
    headers: { 'content-type': 'application/json' },
  })

/** Hono's methods to read a body. */
const READERS = ['json', 'text', 'arrayBuffer', 'blob'] as const

describeDatabases(
  'request body read by middleware',
  (db) => {
    let errors: MockInstance<typeof console.error>
    let server: Running | undefined
    beforeEach(async () => {
      await db.reset()
      errors = vi.spyOn(console, 'error').mockImplementation(() => {})
      return () => errors.mockRestore()
    })
    afterEach(async () => {
      await server?.close()
      server = undefined
    })
    const rest = () => db.routes.RestApiHandler({ endpoint: ENDPOINT }) as ApiHandler<unknown>
    const options = () => ({ handler: rest(), getOrm: () => db.orm, prefix: '/api' })
    const titles = async () => (await db.orm.post.findMany()).map(({ title }) => title)

    it.each(READERS)('c.req.%s(): leaves the body readable for the handler in Hono', async (reader) => {
      const seen: unknown[] = []
      const app = new Hono().use(async (c, next) => {
        seen.push(await c.req[reader]())
        await next()
      })
      app.route('/', honoHandler(options()))
      expect((await app.fetch(post())).status).toBe(201)
      expect([seen.length, await titles()]).toEqual([1, ['ü']])
    })

    it('stays readable and limited in Hono on Node', async () => {
      const app = new Hono().use(async (c, next) => {
        await c.req.json().catch(() => {})
        await next()
      })
      app.route('/rest', honoHandler({ ...options(), prefix: '' }))
      const rpc = db.routes.RPCApiHandler({ limits: { bodyBytes: 60 } }) as ApiHandler<unknown>
      app.route('/rpc', honoHandler({ getOrm: () => db.orm, handler: rpc }))
      const listening = serve({ fetch: app.fetch, port: 0 })
      server = running(listening as never, async () => void listening.close())
      const send = async (path: string, body: string) => {
        const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
        return (await server?.fetch(path, init))?.status
      }
      expect(await send('/rest/post', JSON.stringify(BODY))).toBe(201)
      expect(await send('/rpc/tag/create', '{"data":{"name":"a"}}')).toBe(201)
      expect(await send('/rpc/tag/create', '{"data":{"name":')).toBe(400)
      expect(await send('/rpc/tag/create', JSON.stringify({ data: { name: 'x'.repeat(60) } }))).toBe(413)
    })

    it('stays readable after middleware of custom templates', async () => {
      const seen: unknown[] = []
      const routes = {
        Post: {
          resource: postRest.resource,
          build(...[app, api]: Parameters<typeof postRest.build>) {
            app.use(async (c, next) => {
              seen.push(await c.req.json())
              await next()
            })
            postRest.build(app, api)
          },
        },
      }
      const handler = restHandler<unknown, typeof routes>(routes, { endpoint: ENDPOINT }, { provider: 'sqlite' })
      expect((await fetchHandler({ ...options(), handler })(post())).status).toBe(201)
      expect([seen, await titles()]).toEqual([[BODY], ['ü']])
    })

    // These adapters pass on the original web request, which does not keep a body that was read.
    describe.each<[string, (db: Database) => Serve]>([
      ['fetch', () => fetchHandler(options())],
      [
        'next',
        () => (request) => nextRouteHandlers({ ...options(), useAppDir: true }).POST(nextRequest(request), NEXT),
      ],
      [
        'sveltekit',
        () => (request) =>
          svelteKitHandler(options())({ event: { request } as never, resolve: () => Response.error() }),
      ],
      [
        'tanstack-start',
        () => (request) =>
          tanStackStartHandlers(options()).POST({ request, params: {}, pathname: '', context: undefined }),
      ],
      [
        'nuxt, h3 2',
        () => {
          const handler: unknown = nuxtHandler(options())
          const app = new H3().all('/api/**', handler as (event: H3v2Event) => Promise<Response>)
          return (request) => app.fetch(request)
        },
      ],
    ])('%s adapter', (_name, adapter) => {
      it('accepts a request whose clone was read', async () => {
        const request = post()
        await request.clone().json()
        expect((await adapter(db)(request)).status).toBe(201)
        expect(await titles()).toEqual(['ü'])
      })

      it('responds with 500 and logs the fix if the request was read', async () => {
        const request = post()
        await request.json()
        expect((await adapter(db)(request)).status).toBe(500)
        expect(errors.mock.calls.flat().map(String).join()).toContain('await request.clone().json()')
      })
    })

    it('stays readable after a Fastify preParsing hook', async () => {
      const app = fastify()
      app.addHook('preParsing', async (_request, _reply, payload) => {
        const { Readable } = await import('node:stream')
        return Readable.from([Buffer.from(await text(payload))])
      })
      await app.register(fastifyHandler(options()))
      const init = { method: 'POST', payload: BODY, url: '/api/post' } as const
      expect((await app.inject(init)).statusCode).toBe(201)
      await app.close()
    })

    it('responds with 500 and logs the cause if Express middleware consumed the stream', async () => {
      const consumingApp = express().use(async (req, _res, next) => {
        await text(req)
        next()
      })
      server = await listen(consumingApp.use(expressHandler(options())))
      const { method, headers } = post()
      const response = await server.fetch('/api/post', { method, headers, body: JSON.stringify(BODY) })
      expect(response.status).toBe(500)
      expect(errors.mock.calls.flat().map(String).join()).toContain('was already read')
    })
  },
  { only: ['SQLite'] },
)

const NEXT = { params: Promise.resolve({}) }

/** Adds the members of a Next request that the adapter uses. */
function nextRequest(request: Request): never {
  return Object.assign(request, { nextUrl: { basePath: '' } }) as never
}
