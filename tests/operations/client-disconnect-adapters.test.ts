import { once } from 'node:events'
import { type IncomingMessage } from 'node:http'
import { connect } from 'node:net'

import { serve } from '@hono/node-server'
import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import express from 'express'
import fastify from 'fastify'
import { createApp, createRouter, toNodeListener } from 'h3'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { expressHandler } from '../../runtime/adapters/express.js'
import { fastifyHandler } from '../../runtime/adapters/fastify.js'
import { honoHandler } from '../../runtime/adapters/hono.js'
import { nestModule } from '../../runtime/adapters/nest.js'
import { nodeHandler } from '../../runtime/adapters/node.js'
import { nuxtHandler } from '../../runtime/adapters/nuxt.js'
import type { ApiHandler } from '../../runtime/http/handler-types.js'
import { listen, type Running, running } from '../adapters/suite/serving.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'

interface Options {
  readonly handler: ApiHandler<unknown>
  readonly getOrm: () => unknown
  readonly log: (line: string, error: unknown) => void
  readonly onError: (error: unknown) => void
}

const SERVERS: Readonly<Record<string, (options: Options) => Promise<Running>>> = {
  node: (options) => listen(nodeHandler<unknown, IncomingMessage, unknown>({ ...options, prefix: '/api' })),
  express: (options) => listen(express().use('/api', expressHandler(options))),
  async fastify(options) {
    const app = fastify()
    await app.register(fastifyHandler(options), { prefix: '/api' })
    await app.listen({ port: 0 })
    return running(app.server, () => app.close())
  },
  async nest(options) {
    const module = nestModule({ prefix: 'api', useFactory: () => options })
    const app = await NestFactory.create(module, new ExpressAdapter(), { logger: false, bodyParser: false })
    await app.listen(0)
    return running(app.getHttpServer(), () => app.close())
  },
  nuxt: (options) =>
    listen(toNodeListener(createApp().use(createRouter().use('/api/**', nuxtHandler({ ...options, prefix: '/api' }))))),
  hono: (options) => listenHono(new Hono().route('/api', honoHandler(options))),
  'hono behind a middleware that reads the body': (options) => {
    const app = new Hono().use(async (c, next) => {
      await c.req.text().catch(() => undefined)
      await next()
    })
    return listenHono(app.route('/api', honoHandler(options)))
  },
}

async function listenHono(app: Hono): Promise<Running> {
  const server = serve({ fetch: app.fetch, port: 0 })
  await once(server, 'listening')
  if (!('closeAllConnections' in server)) throw new Error('no server of HTTP/1')
  return running(server, () => new Promise((resolve) => server.close(resolve)))
}

const HEAD = 'Host: x\r\nContent-Type: application/vnd.api+json\r\n'
const LEFT: readonly (readonly [what: string, request: string])[] = ['/api/tag', '/api/own/read'].flatMap(
  (path): [string, string][] => [
    [`${path}: half of a body`, `POST ${path} HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\n{"data":`],
    [`${path}: a missing body`, `POST ${path} HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\n`],
    [
      `${path}: half of a chunked upload`,
      `POST ${path} HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{"dat\r\n`,
    ],
  ],
)

describeDatabases(
  'operations: disconnecting clients',
  (db) => {
    const rejections: unknown[] = []
    const onRejection = (error: unknown) => void rejections.push(error)
    beforeAll(async () => {
      process.on('unhandledRejection', onRejection)
      await db.reset()
      const text = 'x'.repeat(100_000)
      await db.orm.post.createMany({
        data: Array.from({ length: 60 }, (_, id) => ({ slug: `p${id}`, title: `${id}`, content: text })),
      })
    })
    afterAll(() => void process.off('unhandledRejection', onRejection))

    describe.each(Object.entries(SERVERS))('%s', (_name, start) => {
      let server: Running
      let ormCalls = 0
      const reports: unknown[] = []
      beforeAll(async () => {
        const handler = db.routes.RestApiHandler({
          endpoint: ENDPOINT,
          maxPageSize: 100,
          routes: db.routes.defineRestRoutes((app) => {
            app.post('/own/read', async (c) => c.json(await c.req.json()))
          }),
        })
        server = await start({
          handler: handler as ApiHandler<unknown>,
          getOrm() {
            ormCalls++
            return db.orm
          },
          log: (line, error) => void reports.push(line, error),
          onError: (error) => void reports.push(error),
        })
      })
      afterAll(() => server.close())
      beforeEach(() => {
        reports.length = 0
        rejections.length = 0
        const spies = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
        for (const spy of spies) spy.mockImplementation((...texts) => void reports.push(...texts))
        return () => spies.forEach((spy) => spy.mockRestore())
      })

      /** Later requests on another connection show that the server has handled it. */
      async function expectSilence(): Promise<void> {
        for (let round = 0; round < 3; round++) {
          expect((await server.fetch('/api/tag')).status).toBe(200)
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        expect([reports, rejections]).toEqual([[], []])
      }

      it.each(LEFT)('%s: logs and reports no error', async (_what, request) => {
        const socket = connect(server.port ?? 0, 'localhost')
        socket.write(request)
        await new Promise((resolve) => setTimeout(resolve, 50))
        const before = ormCalls
        socket.destroy()
        await once(socket, 'close')
        await expectSilence()
        expect(ormCalls).toBe(before + 3)
      })

      it('logs no error if the client disconnects during the response', async () => {
        const socket = connect(server.port ?? 0, 'localhost')
        socket.write(`GET /api/post?page[limit]=60 HTTP/1.1\r\n${HEAD}\r\n`)
        await once(socket, 'data')
        socket.destroy()
        await expectSilence()
      })

      it('logs no error if the client disconnects before the response', async () => {
        const sockets = Array.from({ length: 10 }, () => connect(server.port ?? 0, 'localhost'))
        for (const socket of sockets) {
          socket.write(`GET /api/post?page[limit]=60 HTTP/1.1\r\n${HEAD}\r\n`, () => socket.destroy())
        }
        await expectSilence()
      })
    })
  },
  { only: ['SQLite'] },
)
