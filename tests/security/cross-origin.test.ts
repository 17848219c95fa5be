import { beforeAll, describe, expect, it } from 'vitest'

import { ENDPOINT } from '../rest/support/client.js'
import { fillBlog } from '../rest/support/blog.js'
import { type Database, describeDatabases } from '../support/databases.js'

const args = encodeURIComponent(JSON.stringify({ where: { id: 1 }, data: { title: 'x' }, create: {}, update: {} }))

/** Every path that writes, with its methods. */
const CHANGES: readonly (readonly [path: string, allow: string])[] = [
  ...['create', 'createMany', 'createManyAndReturn', 'upsert'].map((name) => [`/rpc/tag/${name}`, 'POST'] as const),
  ...['update', 'updateMany', 'updateManyAndReturn'].map((name) => [`/rpc/post/${name}`, 'PATCH, PUT'] as const),
  ...['delete', 'deleteMany'].map((name) => [`/rpc/post/${name}`, 'DELETE'] as const),
]

/** Headers that some servers use as the method. */
const OVERRIDES = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']

// S-29 and S-31: pages of other sites cannot make a browser change data, and cannot read the responses.
describeDatabases(
  'security: cross-origin requests',
  (db) => {
    beforeAll(async () => {
      await db.fill(fillBlog)
    })

    it.each(CHANGES)('GET %s: responds with 405 and Allow', async (path, allow) => {
      const before = await rowsOf(db)
      for (const method of ['GET', 'HEAD']) {
        const response = await send(db, `${path}?q=${args}`, { method })
        expect([response.status, response.headers.get('Allow')]).toEqual([405, allow])
      }
      expect(await rowsOf(db)).toEqual(before)
    })

    it.each(['/rest/post/1', '/rest/post/1/relationships/tags', '/rpc/post/findMany', '/rpc/post/deleteMany'])(
      'GET %s: ignores method overrides',
      async (path) => {
        const before = await rowsOf(db)
        const plain = await send(db, `${path}?_method=DELETE`)
        expect([400, 405]).toContain(plain.status)
        const { status } = await send(db, path)
        for (const name of OVERRIDES) {
          expect((await send(db, path, { headers: { [name]: 'DELETE' } })).status).toBe(status)
        }
        expect(await rowsOf(db)).toEqual(before)
      },
    )

    it('POST: ignores method overrides and responds with 405', async () => {
      const before = await rowsOf(db)
      const headers = { 'Content-Type': 'application/json', 'X-HTTP-Method-Override': 'DELETE' }
      const body = JSON.stringify({ _method: 'DELETE', where: { id: 1 } })
      for (const path of ['/rest/post/1', '/rpc/post/delete', '/rpc/post/deleteMany']) {
        expect((await send(db, path, { method: 'POST', headers, body })).status).toBe(405)
      }
      expect(await rowsOf(db)).toEqual(before)
    })

    describe.each([
      '/rest/post',
      '/rest/post/1',
      '/rest/nope',
      '/rpc/post/findMany',
      '/rpc/post/update',
      '/rpc/nope/x',
    ])('%s', (path) => {
      it.each(['GET', 'POST', 'OPTIONS'])('%s: omits CORS headers', async (method) => {
        const headers = {
          Origin: 'https://evil.example',
          'Access-Control-Request-Method': 'PATCH',
          'Access-Control-Request-Headers': 'content-type',
          'Access-Control-Request-Private-Network': 'true',
        }
        const response = await send(db, path, { method, headers })
        const names = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))
        expect(names).toEqual([])
      })
    })
  },
  { only: ['SQLite'] },
)

async function send(db: Database, path: string, init?: RequestInit): Promise<Response> {
  const getOrm = () => db.orm
  const rest = db.hono.createHonoHandler({
    getOrm,
    handler: db.routes.RestApiHandler({ endpoint: ENDPOINT }),
    prefix: '/rest',
  })
  const rpc = db.hono.createHonoHandler({ getOrm, handler: db.routes.RPCApiHandler(), prefix: '/rpc' })
  return (path.startsWith('/rest') ? rest : rpc).fetch(new Request(`http://localhost${path}`, init))
}

function rowsOf({ orm }: Database): Promise<unknown> {
  return Promise.all([orm.post.findMany({ include: { tags: true } }), orm.tag.count()])
}
