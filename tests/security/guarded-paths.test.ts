import express from 'express'
import { Hono } from 'hono'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'

import { expressHandler } from '../../runtime/adapters/express.js'
import { raw } from '../adapters/suite/connections.js'
import { listen, type Running } from '../adapters/suite/serving.js'
import { fillBlog } from '../rest/support/blog.js'
import { ENDPOINT } from '../rest/support/client.js'
import { type Database, describeDatabases } from '../support/databases.js'

/** An app whose guard denies all access to posts. */
function guarded(db: Database, modelNameMapping?: { Post: string }): Hono {
  const rest = db.routes.RestApiHandler({ endpoint: ENDPOINT, ...(modelNameMapping && { modelNameMapping }) })
  const app = new Hono()
  app.use('/api/:style/post/*', async (c) => c.text('guarded', 401))
  app.route('/api/rest', db.hono.createHonoHandler({ getOrm: () => db.orm, handler: rest }))
  app.route('/api/rpc', db.hono.createHonoHandler({ getOrm: () => db.orm }))
  return app
}

describeDatabases(
  'security: middleware on the path of a model',
  (db) => {
    beforeAll(async () => {
      await db.fill(fillBlog)
    })

    it.each([
      ['/rest/Post', '/rest/post'],
      ['/rest/%70ost', '/rest/post'],
      ['/rest/Post/1/author?include=posts&x=%2F', '/rest/post/1/author?include=posts&x=%2F'],
      ['/rest/Post/a%2Fb//c', '/rest/post/a%2Fb//c'],
      ['/rpc/Post/findMany?q=%7B%7D', '/rpc/post/findMany?q=%7B%7D'],
      ['/rpc/pos%74/count', '/rpc/post/count'],
    ])('%s: redirects to %s or reaches the middleware', async (path, served) => {
      const app = guarded(db)
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
        const response = await app.request(`/api${path}`, { method })
        // Hono decodes a path before it matches the guards.
        if (response.status === 401) expect(path).toContain('%')
        else {
          expect([response.status, await response.text()]).toEqual([308, ''])
          expect(response.headers.get('Cache-Control')).toBe('private, no-store')
          const url = new URL(response.headers.get('Location') ?? '', `http://localhost/api${path}`)
          expect(url.href).toBe(`http://localhost/api${served}`)
          expect((await app.request(url.href, { method })).status).toBe(401)
        }
      }
    })

    it.each(['/rest/POST', '/rest/pOst/1', '/rpc/POST/count', '/rest/post%20', '/rest/%2Fpost', '/rest/%/1'])(
      '%s: responds with 404',
      async (path) => {
        expect((await guarded(db).request(`/api${path}`)).status).toBe(404)
      },
    )

    it('serves only the mapped name', async () => {
      const app = guarded(db, { Post: 'article' })
      expect((await app.request('/api/rest/article')).status).toBe(200)
      for (const path of ['/Post', '/Article', '/p%6Fst']) {
        expect([404, 401]).toContain((await app.request(`/api/rest${path}`)).status)
      }
      const encoded = await app.request('/api/rest/%61rticle/1')
      expect([encoded.status, encoded.headers.get('Location')]).toEqual([308, '../article/1'])
    })

    it.each([
      ['/rest/%6fperations', '/rest/operations'],
      ['/rest/operation%73', '/rest/operations'],
      ['/rpc/%24transaction/sequential', '/rpc/$transaction/sequential'],
      ['/rpc/$transaction/sequenti%61l', '/rpc/$transaction/sequential'],
      ['/rpc/%24transaction%2Fsequential', '/rpc/$transaction/sequential'],
    ])('%s: redirects to %s with 308', async (path, served) => {
      const isRest = path.startsWith('/rest')
      const handler = isRest
        ? db.routes.RestApiHandler({ endpoint: ENDPOINT, atomicOperations: true })
        : db.routes.RPCApiHandler({ transactions: true })
      const context = { getOrm: () => db.orm, prefix: isRest ? '/api/rest' : '/api/rpc' }
      const url = `http://localhost/api${path}`
      const response = await handler.fetch(new Request(url, { method: 'POST', body: '[]' }), context)
      expect([response.status, await response.text()]).toEqual([308, ''])
      const followed = new URL(response.headers.get('Location') ?? '', url)
      expect(followed.href).toBe(`http://localhost/api${served}`)
      // The path exists: the error is about the content type.
      expect((await handler.fetch(new Request(followed, { method: 'POST', body: '[]' }), context)).status).toBe(415)
    })

    describe('Express', () => {
      let server: Running | undefined
      afterEach(() => server?.close())

      it.each(['/api/x/../post/count', '/api/./post/count', '/api/%2e/post/count', '/api/x\\..\\post/count'])(
        '%s: responds with 404',
        async (target) => {
          const handler = db.routes.RPCApiHandler()
          const app = express()
            .use('/api/post', (_req, res) => void res.status(401).end())
            .use('/api', expressHandler({ handler, getOrm: () => db.orm }))
          server = await listen(app)
          const response = await raw(server.port, [`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
          expect(response).toMatch(/^HTTP\/1.1 404/)
        },
      )
    })
  },
  { only: ['SQLite'] },
)

describeDatabases(
  'security: model name of several words',
  (db) => {
    it.each(['compoundKey', 'CompoundKey'])('%s: redirects to lower case with 308', async (name) => {
      const context = { getOrm: () => db.orm }
      for (const handler of [db.routes.RestApiHandler({ endpoint: ENDPOINT }), db.routes.RPCApiHandler()]) {
        const response = await handler.fetch(new Request(`http://localhost/${name}/count`), context)
        expect([response.status, response.headers.get('Location')]).toEqual([308, '../compoundkey/count'])
      }
    })
  },
  { fixture: 'kitchen-sink' },
)
