import express from 'express'
import express4 from 'express4'
import { expect, it } from 'vitest'

import { expressHandler } from '../../runtime/adapters/express.js'
import { echo, type Echo, HEADERS } from './suite/echo.js'
import { inTwo, listen, type Mount } from './suite/serving.js'
import { adapterSuite } from './suite/suite.js'
import { answering } from './suite/answering.js'

const api = ({ handler, getOrm, context }: Mount, prefix?: string) =>
  expressHandler({
    handler,
    context: (req) => context(req.get('x-user')),
    getOrm: (req, requestContext) => getOrm(req.get('x-user'), requestContext),
    ...(prefix === undefined ? {} : { prefix }),
  })

/** Mounts the handlers behind a body parser, with Express's own routing. */
const parsed = (parser: express.RequestHandler) => (mounts: readonly Mount[]) =>
  listen(mounts.reduce((app, mount) => app.use(mount.path, api(mount)), express().use(parser)))

adapterSuite('express 5 adapter', (mounts) => {
  const app = express()
  for (const mount of mounts) {
    const [outer, inner] = inTwo(mount.path)
    app.use(outer, api(mount, inner))
  }
  return listen(app)
})
adapterSuite('express 5 adapter, body parsed by express.json()', parsed(express.json({ limit: '10mb' })), {
  parsed: true,
})
adapterSuite('express 5 adapter, body parsed by express.raw()', parsed(express.raw({ type: '*/*', limit: '10mb' })), {
  parsed: true,
})
adapterSuite('express 5 adapter, body parsed by express.text()', parsed(express.text({ type: '*/*', limit: '10mb' })), {
  parsed: true,
})

adapterSuite(
  'express 4 adapter, body parsed by express.json()',
  (mounts) => {
    const app = express4().use(express4.json({ limit: '10mb' }))
    for (const mount of mounts) {
      // Both versions are installed, and the type is that of Express 5.
      const middleware: unknown = api(mount, mount.path)
      app.use(middleware as express4.RequestHandler)
    }
    return listen(app)
  },
  { parsed: true },
)
adapterSuite('express 4 adapter', (mounts) => {
  const app = express4()
  for (const mount of mounts) {
    const middleware: unknown = api(mount)
    app.use(mount.path, middleware as express4.RequestHandler)
  }
  return listen(app)
})

it('express adapter: calls the next middleware outside the prefix', async () => {
  const app = express()
    .use('/api', expressHandler({ handler: echo, getOrm: () => 'ada', prefix: '/data' }))
    .use((_req, res) => void res.send('next'))
  const server = await listen(app)
  expect(await (await server.fetch('/api/other')).text()).toBe('next')
  expect(((await (await server.fetch('/api/data/post')).json()) as Echo).path).toBe('/post')
  await server.close()
})

it('express adapter: supports nested routers with path parameters', async () => {
  const users: string[] = []
  const router = express.Router({ mergeParams: true })
  const getOrm = (req: express.Request) => users.push(String(req.params['tenant']))
  router.use('/api', expressHandler({ handler: echo, getOrm }))
  const server = await listen(express().use('/:tenant', router))
  expect(((await (await server.fetch('/a%20b/api/post')).json()) as Echo).path).toBe('/post')
  expect(users).toEqual(['a b'])
  await server.close()
})

it('express adapter: keeps Set-Cookie and Vary of earlier middleware', async () => {
  const before = express().use((_req, res, next) => {
    res.setHeader('set-cookie', 'session=1')
    res.setHeader('vary', 'Origin')
    next()
  })
  const server = await listen(before.use('/api', expressHandler({ handler: echo, getOrm: () => 'ada' })))
  const { headers } = await server.fetch('/api/cookies')
  expect(headers.getSetCookie()).toEqual(['session=1', 'a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2065 07:28:00 GMT'])
  expect(headers.get('vary')).toBe('Origin, accept')
  await server.close()
})

it('express adapter: passes the response to the next middleware with sendResponse: false', async () => {
  const app = express().use((_req, res, next) => {
    res.locals['before'] = 'kept'
    next()
  })
  app.use('/api', expressHandler({ handler: echo, getOrm: () => 'ada', sendResponse: false }))
  app.use('/api', (_req, res) => void res.json(res.locals))
  const server = await listen(app)
  const handedOn = async (path: string, init?: RequestInit) => (await server.fetch(path, init)).json()

  const posted: unknown = await handedOn('/api/post', { method: 'POST', body: 'hello' })
  expect(posted).toMatchObject({ before: 'kept', status: 201, body: { method: 'POST', body: 'hello', user: 'ada' } })
  expect(await handedOn('/api/headers')).toEqual({ before: 'kept', status: 201, headers: HEADERS, body: {} })
  expect(await handedOn('/api/empty')).toEqual({ before: 'kept', status: 204, headers: {} })
  const cookies = ['a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2065 07:28:00 GMT']
  expect(await handedOn('/api/cookies')).toMatchObject({ status: 200, headers: { 'set-cookie': cookies } })
  const { body }: { body: unknown } = await handedOn('/api/stream')
  expect(body).toEqual(Buffer.from('one two three').toJSON())
  await server.close()
})

it('express adapter: passes handler errors to error middleware with sendResponse: false', async () => {
  const handler = answering<string>(() => Promise.reject(new Error('broken')))
  const failed: express.ErrorRequestHandler = (error, _req, res, _next) => void res.status(500).send(String(error))
  const server = await listen(
    express().use('/api', expressHandler({ handler, getOrm: () => 'ada', sendResponse: false }), failed),
  )
  expect(await (await server.fetch('/api/post')).text()).toBe('Error: broken')
  await server.close()
})
