import { Writable } from 'node:stream'

import fastify from 'fastify'
import { expect, it } from 'vitest'

import { fastifyHandler } from '../../runtime/adapters/fastify.js'
import { echo } from './suite/echo.js'
import { inTwo, running, userHeader } from './suite/serving.js'
import { adapterSuite } from './suite/suite.js'

for (const logging of [true, false]) {
  adapterSuite(logging ? 'fastify adapter' : 'fastify adapter without a logger', async (mounts) => {
    let lines = ''
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines += String(chunk)
        done()
      },
    })
    const app = fastify(logging ? { logger: { level: 'error', stream } } : {})
    for (const { path, handler, getOrm, context } of mounts) {
      const [prefix, inner] = inTwo(path)
      const api = fastifyHandler({
        handler,
        context: (request) => context(userHeader(request)),
        getOrm: (request, requestContext) => getOrm(userHeader(request), requestContext),
        prefix: inner,
      })
      await app.register(api, { prefix })
    }
    await app.listen({ port: 0 })
    return { ...running(app.server, () => app.close()), ...(logging ? { logged: () => lines } : {}) }
  })
}

it('fastify adapter: serves the root alongside other routes and OPTIONS *', async () => {
  const app = fastify()
  app.options('*', (_request, reply) => reply.code(204).send())
  app.post('/other', (request) => request.body)
  await app.register(fastifyHandler({ handler: echo, getOrm: () => 'ada' }))
  const init = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } } as const
  expect((await app.inject({ ...init, url: '/post' })).json()).toMatchObject({ path: '/post', body: '{"a":1}' })
  expect((await app.inject({ ...init, url: '/other' })).json()).toEqual({ a: 1 })
  expect((await app.inject({ method: 'OPTIONS', url: '/post' })).statusCode).toBe(204)
  await app.close()
})
