import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { All, Controller, type INestApplication, type MiddlewareConsumer, Module, Req, Res } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { Elysia } from 'elysia'
import express from 'express'
import express4 from 'express4'
import fastify from 'fastify'
import { createApp, readBody, toNodeListener } from 'h3'
import { H3, type H3Event as H3v2Event } from 'h3-v2'
import { Hono } from 'hono'

import { elysiaHandler } from '../../runtime/adapters/elysia.js'
import { expressHandler } from '../../runtime/adapters/express.js'
import { fastifyHandler } from '../../runtime/adapters/fastify.js'
import { fetchHandler } from '../../runtime/adapters/fetch.js'
import { honoHandler } from '../../runtime/adapters/hono.js'
import { nestHandler, type NestRequest, type NestResponse } from '../../runtime/adapters/nest.js'
import { nextApiRoute, type NextApiRequestLike, nextRouteHandlers } from '../../runtime/adapters/next.js'
import { nodeHandler } from '../../runtime/adapters/node.js'
import { nuxtHandler } from '../../runtime/adapters/nuxt.js'
import { svelteKitHandler } from '../../runtime/adapters/sveltekit.js'
import { tanStackStartHandlers } from '../../runtime/adapters/tanstack-start.js'
import type { ApiHandler } from '../../runtime/handler.js'

/** What is to be served: always below {@link MOUNT}, whichever part of it the framework knows. */
export interface Served<O> {
  readonly handler: ApiHandler<O>
  /** Is told the header `x-user`, read with the framework's own means from what the framework gave. */
  readonly getOrm: (user: string | null | undefined) => O | Promise<O>
}

/** An adapter in its framework, serving. */
export interface Running {
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Where it listens, if it does. */
  readonly port?: number
  close(): Promise<void>
}

/** Where every server below serves. */
export const MOUNT = '/v1/api'

type Start = <O>(served: Served<O>) => Promise<Running>

/** Every adapter, in every framework and with every body parser that it is made for. */
export const SERVERS: Readonly<Record<string, Start>> = {
  fetch: async ({ handler, getOrm }) =>
    inProcess(fetchHandler({ handler, getOrm: (req: Request) => getOrm(req.headers.get('x-user')), prefix: MOUNT })),

  hono: async ({ handler, getOrm }) => {
    const api = honoHandler({ handler, getOrm: (c) => getOrm(c.req.header('x-user')), prefix: '/api' })
    return inProcess(new Hono().route('/v1', api).fetch)
  },

  node: ({ handler, getOrm }) => listen(nodeHandler({ handler, getOrm: (req) => getOrm(header(req)), prefix: MOUNT })),

  'express 5': ({ handler, getOrm }) =>
    listen(
      express().use('/v1', expressHandler({ handler, getOrm: (req) => getOrm(req.get('x-user')), prefix: '/api' })),
    ),

  'express 5, parsed': ({ handler, getOrm }) => {
    const api = expressHandler({ handler, getOrm: (req) => getOrm(req.get('x-user')) })
    return listen(
      express()
        .use(express.json({ limit: '10mb' }))
        .use(MOUNT, api),
    )
  },

  'express 4, parsed': ({ handler, getOrm }) => {
    const api: unknown = expressHandler({ handler, getOrm: (req) => getOrm(req.get('x-user')), prefix: MOUNT })
    // Its type is Express 5's here, where both are installed.
    const middleware = api as express4.RequestHandler
    return listen(express4().use(express4.json({ limit: '10mb' }), middleware))
  },

  'express 5, raw': ({ handler, getOrm }) => {
    const api = expressHandler({ handler, getOrm: (req) => getOrm(req.get('x-user')) })
    return listen(
      express()
        .use(express.raw({ type: '*/*', limit: '10mb' }))
        .use(MOUNT, api),
    )
  },

  'express 5, text': ({ handler, getOrm }) => {
    const api = expressHandler({ handler, getOrm: (req) => getOrm(req.get('x-user')) })
    return listen(
      express()
        .use(express.text({ type: '*/*', limit: '10mb' }))
        .use(MOUNT, api),
    )
  },

  fastify: async ({ handler, getOrm }) => {
    const app = fastify()
    const api = fastifyHandler({ handler, getOrm: (request) => getOrm(header(request.raw)), prefix: '/api' })
    await app.register(api, { prefix: '/:version' })
    await app.listen({ port: 0 })
    return running(app.server, () => app.close())
  },

  'next, app directory': async ({ handler, getOrm }) => {
    const handlers = nextRouteHandlers({
      useAppDir: true,
      handler,
      getOrm: (req: Request) => getOrm(req.headers.get('x-user')),
      prefix: MOUNT,
    })
    const byMethod: Readonly<Record<string, (request: Request) => Promise<Response>>> = handlers
    return inProcess((request) => byMethod[request.method]?.(request) ?? new Response(null, { status: 405 }))
  },

  'next, pages directory': ({ handler, getOrm }) => {
    const api = nextApiRoute({ handler, getOrm: (req) => getOrm(header(req)), prefix: MOUNT })
    // What Next itself does before it calls an API route.
    return listen(async (req, res) => {
      const chunks: Uint8Array[] = []
      for await (const chunk of req) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      const type = req.headers['content-type'] ?? ''
      const body = type.startsWith('application/json') ? JSON.parse(bytes.toString() || '{}') : bytes
      await api(Object.assign(req, { query: {}, cookies: {}, body }) satisfies NextApiRequestLike, res)
    })
  },

  'next, pages directory, without body parser': ({ handler, getOrm }) => {
    const api = nextApiRoute({ handler, getOrm: (req) => getOrm(header(req)), prefix: MOUNT })
    return listen((req, res) => api(Object.assign(req, { query: {}, cookies: {}, body: undefined }), res))
  },

  sveltekit: async ({ handler, getOrm }) => {
    const handle = svelteKitHandler({
      handler,
      getOrm: ({ request }) => getOrm(request.headers.get('x-user')),
      prefix: MOUNT,
    })
    return inProcess((request) => {
      const url = new URL(request.url)
      const event = { request, url, locals: {}, platform: undefined, getClientAddress: () => '127.0.0.1' }
      return handle({ event, resolve: () => new Response('a page', { status: 404 }) })
    })
  },

  'tanstack-start': async ({ handler, getOrm }) => {
    const handlers: Readonly<Record<string, (context: Context) => Promise<Response>>> = tanStackStartHandlers({
      handler,
      getOrm: ({ request }: Context) => getOrm(request.headers.get('x-user')),
      prefix: MOUNT,
    })
    return inProcess(
      (request) =>
        handlers[request.method]?.({ request, params: {}, context: undefined }) ?? new Response(null, { status: 405 }),
    )
  },

  'nuxt, h3 1': ({ handler, getOrm }) => {
    const api = nuxtHandler({ handler, getOrm: (event) => getOrm(event.headers.get('x-user')), prefix: '/api' })
    return listen(toNodeListener(createApp().use('/v1', api)))
  },

  'nuxt, h3 1, body read before': ({ handler, getOrm }) => {
    const api = nuxtHandler({ handler, getOrm: (event) => getOrm(event.headers.get('x-user')), prefix: MOUNT })
    const app = createApp().use(async (event) => {
      if (event.method !== 'GET' && event.method !== 'HEAD') await readBody(event)
    })
    return listen(toNodeListener(app.use(api)))
  },

  'nuxt, h3 2': async ({ handler, getOrm }) => {
    const api: unknown = nuxtHandler({ handler, getOrm: (event) => getOrm(event.headers.get('x-user')), prefix: MOUNT })
    const app = new H3().all('/v1/**', api as (event: H3v2Event) => Promise<Response>)
    return inProcess((request) => app.fetch(request))
  },

  elysia: async ({ handler, getOrm }) => {
    const api = elysiaHandler({ handler, getOrm: (c) => getOrm(c.headers['x-user']), prefix: '/api' })
    return inProcess(new Elysia({ prefix: '/:version' }).use(api).handle)
  },

  'elysia, parsed': async ({ handler, getOrm }) => {
    const api = elysiaHandler({ handler, getOrm: (c) => getOrm(c.headers['x-user']), prefix: MOUNT })
    const parse = ({ request }: { readonly request: Request }, type: string) =>
      type.startsWith('application/json') ? request.json() : request.text()
    return inProcess(new Elysia().onParse({ as: 'global' }, parse).use(api).handle)
  },

  'elysia, not compiled': async ({ handler, getOrm }) => {
    const api = elysiaHandler({ handler, getOrm: (c) => getOrm(c.headers['x-user']), prefix: '/api' })
    return inProcess(new Elysia({ prefix: '/v1', aot: false }).use(api).handle)
  },

  'nest, Express, controller': ({ handler, getOrm }) =>
    nest(nestHandler({ handler, getOrm: (req) => getOrm(userOf(req)), prefix: MOUNT }), { fastify: false }),

  'nest, Express, middleware': ({ handler, getOrm }) =>
    nest(nestHandler({ handler, getOrm: (req) => getOrm(userOf(req)), prefix: MOUNT }), {
      fastify: false,
      middleware: true,
    }),

  'nest, Fastify, controller': ({ handler, getOrm }) =>
    nest(nestHandler({ handler, getOrm: (req) => getOrm(userOf(req)), prefix: MOUNT }), { fastify: true }),

  'nest, Fastify, middleware': ({ handler, getOrm }) =>
    nest(nestHandler({ handler, getOrm: (req) => getOrm(userOf(req)), prefix: MOUNT }), {
      fastify: true,
      middleware: true,
    }),
}

interface Context {
  readonly request: Request
  readonly params: object
  readonly context: unknown
}

type NestApi = (req: NestRequest, res: NestResponse, next?: (error?: unknown) => void) => Promise<void>

async function nest(api: NestApi, how: { readonly fastify: boolean; readonly middleware?: true }): Promise<Running> {
  class ApiController {
    serve(req: NestRequest, res: NestResponse): Promise<void> {
      return api(req, res)
    }
  }
  Controller('v1/api')(ApiController)
  All(how.fastify ? '*' : '*path')(ApiController.prototype, 'serve', { value: ApiController.prototype.serve })
  Req()(ApiController.prototype, 'serve', 0)
  Res()(ApiController.prototype, 'serve', 1)
  class AppModule {
    configure(consumer: MiddlewareConsumer): void {
      if (how.middleware) consumer.apply(api).forRoutes('v1/api/*path')
    }
  }
  Module({ controllers: how.middleware ? [] : [ApiController] })(AppModule)

  const options = { logger: false } as const
  if (!how.fastify) {
    const app = await NestFactory.create<NestExpressApplication>(AppModule, new ExpressAdapter(), options)
    return nestRunning(app.useBodyParser('json', { limit: '10mb' }))
  }
  const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), options)
  return nestRunning(app.useBodyParser('application/vnd.api+json'))
}

async function nestRunning(app: INestApplication): Promise<Running> {
  await app.listen(0)
  return running(app.getHttpServer(), () => app.close())
}

function userOf(req: NestRequest): string | undefined {
  return header('raw' in req ? req.raw : req)
}

function header(req: Pick<IncomingMessage, 'headers'>): string | undefined {
  const value = req.headers['x-user']
  return typeof value === 'string' ? value : undefined
}

function inProcess(serve: (request: Request) => Response | Promise<Response>): Running {
  return {
    fetch: async (path, init) => serve(new Request(`http://example.test${path}`, init)),
    close: async () => {},
  }
}

/** Serves on a free port. */
export async function listen(listener: RequestListener): Promise<Running> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return running(server, () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })
}

function running(server: Server, close: () => Promise<unknown>): Running {
  const { port } = server.address() as AddressInfo
  return {
    fetch: (path, init) => fetch(`http://localhost:${port}${path}`, init),
    port,
    close: async () => {
      server.closeAllConnections()
      await close()
    },
  }
}
