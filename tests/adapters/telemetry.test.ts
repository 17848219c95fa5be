import { type IncomingMessage } from 'node:http'

import { All, Controller, type DynamicModule, type INestApplication, Req, Res } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { Elysia } from 'elysia'
import express from 'express'
import fastify from 'fastify'
import { createApp, createRouter, eventHandler, setResponseHeaders, toNodeListener } from 'h3'
import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { NextRequest } from 'next/server.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { elysiaHandler } from '../../runtime/adapters/elysia.js'
import { expressHandler } from '../../runtime/adapters/express.js'
import { fastifyHandler } from '../../runtime/adapters/fastify.js'
import { fetchHandler } from '../../runtime/adapters/fetch.js'
import { honoHandler } from '../../runtime/adapters/hono.js'
import { nestHandler, nestModule, type NestRequest, type NestResponse } from '../../runtime/adapters/nest.js'
import { nextApiRoute, nextRouteHandlers } from '../../runtime/adapters/next.js'
import { nodeHandler } from '../../runtime/adapters/node.js'
import { nuxtHandler } from '../../runtime/adapters/nuxt.js'
import { svelteKitHandler } from '../../runtime/adapters/sveltekit.js'
import { tanStackStartHandlers } from '../../runtime/adapters/tanstack-start.js'
import type { ResponseTelemetry, ErrorTelemetry } from '../../runtime/http/telemetry.js'
import type { ApiHandler, Log } from '../../runtime/http/handler-types.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { inProcess, listen, type Running, running } from './suite/serving.js'

/** The options that all adapters have in common. */
interface Options {
  readonly handler: ApiHandler<unknown>
  readonly getOrm: () => unknown
  readonly log: Log
  readonly onError: (error: unknown, telemetry: ErrorTelemetry) => unknown
  readonly onResponse: (telemetry: ResponseTelemetry) => unknown
}

interface Framework {
  readonly start: (options: Options) => Running | Promise<Running>
  /** Whether the framework generates a request id. Default: it uses `X-Request-Id`. */
  readonly generatesId?: boolean
  /** Whether no middleware can set headers before the adapter. */
  readonly noHeaders?: boolean
}

/** Headers that middleware sets on every response. */
const BEFORE = { 'x-before': 'yes', vary: 'Origin', 'cache-control': 'public', 'set-cookie': ['a=1', 'b=2'] }

const mounted = (options: Options) => ({ ...options, prefix: '/api' })

async function nest(app: INestApplication): Promise<Running> {
  await app.listen(0)
  return running(app.getHttpServer(), () => app.close())
}

const onExpress = (module: DynamicModule) => {
  const app = NestFactory.create(module, new ExpressAdapter(), { logger: false })
  return app.then((created) =>
    nest(
      created.use((_req: unknown, res: express.Response, next: () => void) => {
        res.set(BEFORE)
        next()
      }),
    ),
  )
}

const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  hono: {
    start(options) {
      const app = new Hono().use(requestId(), async (c, next) => {
        const { 'set-cookie': cookies, ...others } = BEFORE
        for (const [name, value] of Object.entries(others)) c.header(name, value)
        for (const cookie of cookies) c.header('set-cookie', cookie, { append: true })
        await next()
      })
      return inProcess(app.route('/api', honoHandler(options)).fetch)
    },
  },
  fetch: { start: (options) => inProcess(fetchHandler(mounted(options))), noHeaders: true },
  node: {
    start(options) {
      const api = nodeHandler<unknown, IncomingMessage, unknown>(mounted(options))
      return listen((req, res) => {
        for (const [name, value] of Object.entries(BEFORE)) res.setHeader(name, value)
        void api(req, res)
      })
    },
  },
  express: {
    start: (options) =>
      listen(
        express()
          .use((_req, res, next) => void (res.set(BEFORE), next()))
          .use('/api', expressHandler(options)),
      ),
  },
  fastify: {
    generatesId: true,
    async start(options) {
      const app = fastify()
      app.addHook('onRequest', async (_request, reply) => void reply.headers(BEFORE))
      await app.register(fastifyHandler(options), { prefix: '/api' })
      await app.listen({ port: 0 })
      return running(app.server, () => app.close())
    },
  },
  'next, app directory': { start: (options) => nextApp(options), noHeaders: true },
  'next, pages directory': {
    start(options) {
      const api = nextApiRoute(mounted(options))
      const bare: unknown = api
      const serve = bare as (req: IncomingMessage, res: object) => Promise<void>
      return listen((req, res) => {
        for (const [name, value] of Object.entries(BEFORE)) res.setHeader(name, value)
        void serve(req, res)
      })
    },
  },
  sveltekit: {
    start(options) {
      const handle: (input: never) => Response | Promise<Response> = svelteKitHandler(mounted(options))
      const input = (request: Request): unknown => ({ event: { request }, resolve: () => Response.error() })
      return inProcess((request) => handle(input(request) as never))
    },
    noHeaders: true,
  },
  'nuxt, h3 1': {
    start(options) {
      const before = eventHandler((event) => setResponseHeaders(event, BEFORE))
      const router = createRouter().use('/api/**', nuxtHandler(mounted(options)))
      return listen(toNodeListener(createApp().use(before).use(router)))
    },
  },
  elysia: {
    start(options) {
      const app = new Elysia().onRequest(({ set }) => {
        Object.assign(set.headers, BEFORE)
      })
      return inProcess(app.use(elysiaHandler(mounted(options))).handle)
    },
  },
  'tanstack-start': {
    start(options) {
      const { GET } = tanStackStartHandlers(mounted(options))
      return inProcess((request) => GET({ request, params: {}, pathname: '/api/$', context: undefined }))
    },
    noHeaders: true,
  },
  'nest, controller': {
    start(options) {
      const api = nestHandler(mounted(options))
      class ApiController {
        serve(req: NestRequest, res: NestResponse) {
          return api(req, res)
        }
      }
      Controller('api')(ApiController)
      All('*path')(ApiController.prototype, 'serve', { value: ApiController.prototype.serve })
      Req()(ApiController.prototype, 'serve', 0)
      Res()(ApiController.prototype, 'serve', 1)
      return onExpress({ module: ApiController, controllers: [ApiController] })
    },
  },
  'nest, module on Fastify': {
    generatesId: true,
    async start(options) {
      const module = nestModule({ prefix: 'api', useFactory: () => options })
      const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: false })
      app
        .getHttpAdapter()
        .getInstance()
        .addHook('onRequest', async (_request, reply) => void reply.headers(BEFORE))
      return nest(app)
    },
  },
}

function nextApp(options: Options): Running {
  const { GET } = nextRouteHandlers({ ...mounted(options), useAppDir: true })
  return inProcess((request) => GET(new NextRequest(request), { params: Promise.resolve({}) }))
}

describeDatabases(
  'adapters: logging, telemetry and headers',
  (db) => {
    describe.each(Object.entries(FRAMEWORKS))('%s', (_name, { start, generatesId = false, noHeaders = false }) => {
      let server: Running
      let orm: unknown
      const lines: (readonly [line: string, error: unknown])[] = []
      const failures: (readonly [error: unknown, facts: ErrorTelemetry])[] = []
      const responses: ResponseTelemetry[] = []
      beforeAll(async () => {
        server = await start({
          handler: db.routes.RestApiHandler({ endpoint: ENDPOINT }) as ApiHandler<unknown>,
          getOrm() {
            if (orm instanceof Error) throw orm
            return orm
          },
          log: (line, error) => void lines.push([line, error]),
          onError: (error, telemetry) => void failures.push([error, telemetry]),
          onResponse: (telemetry) => void responses.push(telemetry),
        })
      })
      afterAll(() => server.close())
      beforeEach(async () => {
        await db.reset()
        orm = db.orm
        for (const list of [lines, failures, responses]) list.length = 0
      })

      it('logs and reports a server error once, with matching ids', async () => {
        const secret = new Error('secret')
        orm = secret
        const response = await server.fetch('/api/tag/7?include=posts', { headers: { 'x-request-id': 'r-1' } })
        const { errors } = (await response.json()) as { errors: { id: string }[] }
        const [{ id } = { id: '' }] = errors
        expect(response.status).toBe(500)
        const [[error, telemetry] = []] = failures
        expect(error).toMatchObject({ cause: secret })
        expect(telemetry).toEqual({
          id,
          requestId: generatesId ? expect.stringMatching(/^req-\w+$/) : 'r-1',
          style: 'rest',
          method: 'GET',
          route: '/api/tag/:id',
          model: 'Tag',
          operation: 'get',
          status: 500,
        })
        expect(lines).toEqual([[`[routewright] error ${id} (request ${telemetry?.requestId}):`, error]])
        expect([failures.length, responses.length]).toEqual([1, 1])
      })

      it('calls onResponse, but not onError, for 404 and 200', async () => {
        expect((await server.fetch('/api/tag/7')).status).toBe(404)
        expect((await server.fetch('/api/tag')).status).toBe(200)
        expect([lines, failures]).toEqual([[], []])
        expect(responses).toMatchObject([
          { status: 404, route: '/api/tag/:id', rows: 0, error: { name: 'RequestError' } },
          { status: 200, route: '/api/tag', operation: 'list', rows: 0, error: undefined },
        ])
        expect(responses[1]?.duration).toBeGreaterThan(0)
      })

      it.skipIf(noHeaders)('keeps headers set before the handler, even on errors', async () => {
        for (const path of ['/api/tag', '/api/tag/7', '/api/none']) {
          const { headers } = await server.fetch(path)
          expect(headers.get('x-before')).toBe('yes')
          expect(headers.getSetCookie()).toEqual(['a=1', 'b=2'])
          expect(headers.get('vary')?.split(/, */).sort()).toEqual(['Accept', 'Origin'])
          expect(headers.get('cache-control')).toBe('private, no-store')
          expect(headers.get('content-type')).toBe('application/vnd.api+json')
        }
      })
    })
  },
  { only: ['SQLite'] },
)
