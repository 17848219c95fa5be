import { beforeEach, expect, it, vi } from 'vitest'
import * as z from 'zod'

import { defineRpcRoutes, type RpcApi, type RpcApiOptions } from '../../fixtures/blog/expected/index.js'
import { type DefineRoutes, httpError } from '../../runtime/index.js'
import { fillBlog } from '../rest/support/blog.js'
import { describeDatabases } from '../support/databases.js'
import { rpcClient } from './client.js'

type Routes = DefineRoutes<RpcApi>

const sent = (value: unknown, type = 'application/json'): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(value),
  headers: { 'Content-Type': type },
})

describeDatabases(
  'RPC: custom routes',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillBlog)
    })

    const served = (routes: Routes, options: RpcApiOptions = {}) =>
      rpcClient(db, { ...options, routes: defineRpcRoutes(routes) })

    const publishing: Routes = (app, api) => {
      app.post('/post/publish', async (c) => {
        const { id, at } = await api.args(c, z.object({ id: z.int(), at: z.date().optional() }))
        const orm = await api.orm(c)
        if (id === 1) throw httpError(409, 'It is published already.', { code: 'published' })
        const data = { status: 'PUBLISHED', publishedAt: at ?? null } as const
        return api.reply(c, 'Post', await orm.post.update({ where: { id }, data, include: { author: true } }))
      })
    }

    it('parses arguments and responds like an emitted route', async () => {
      const rpc = served(publishing)
      const at = '2024-05-31T00:00:00.000Z'
      const init = sent({ id: 3, at, meta: { serialization: { values: { at: ['Date'] } } } })
      const { status, body } = await rpc.fetch('/post/publish', init)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        data: { id: 3, status: 'PUBLISHED', publishedAt: at, author: { name: 'Ann' } },
        meta: { serialization: { values: { publishedAt: ['Date'] } } },
      })
      expect(await rpc.result('post', 'findUnique', { where: { id: 3 }, select: { publishedAt: true } })).toEqual({
        publishedAt: new Date(at),
      })
    })

    it('omits hidden fields from responses at every depth', async () => {
      const rpc = served((app, api) => {
        app.get('/user/all', async (c) => {
          const include = { posts: { include: { author: true } }, _count: true }
          return api.reply(c, 'User', await (await api.orm(c)).user.findMany({ include, take: 1 }))
        })
        app.get('/user/none', (c) => api.reply(c, 'User', null))
        app.get('/count', (c) => api.value(c, { users: 3n }))
      })
      const { body } = await rpc.fetch('/user/all')
      const { body: emitted } = await rpc.call('user', 'findMany', {
        include: { posts: { include: { author: true } } },
        take: 1,
      })
      expect(JSON.stringify(body)).not.toMatch(/password|secret-/)
      expect(body.data).toMatchObject(Array.isArray(emitted.data) ? emitted.data : [])
      expect(body.data).toMatchObject([{ _count: { posts: 3, comments: 1 } }])
      expect((await rpc.fetch('/user/none')).body).toEqual({ data: null })
      expect((await rpc.fetch('/count')).body).toMatchObject({ data: { users: '3' } })
    })

    it('overrides only the emitted route with the same method and path', async () => {
      const rpc = served((app, api) => {
        publishing(app, api)
        app.get('/tag/findMany', (c) => api.reply(c, 'Tag', [{ name: 'mine' }]))
      })
      expect((await rpc.fetch('/tag/findMany')).body).toEqual({ data: [{ name: 'mine' }] })
      expect((await rpc.fetch('/tag/findMany', sent({}))).body.data).toHaveLength(3)
      expect(await rpc.fetch('/tag/findEverything')).toMatchObject({ status: 404 })
      const { status, headers } = await rpc.fetch('/post/publish')
      expect([status, headers.get('Allow')]).toEqual([405, 'POST'])
    })

    it('renders thrown errors in the RPC format', async () => {
      const rpc = served((app, api) => {
        publishing(app, api)
        app.post('/post/reject', () => {
          throw httpError(422, 'No such title.', { field: 'title' })
        })
        app.post('/post/break', () => {
          throw new Error('secret')
        })
      })
      expect(await rpc.fetch('/post/publish', sent({ id: 1 }))).toMatchObject({
        status: 409,
        body: { code: 'published', message: 'It is published already.' },
      })
      expect(await rpc.fetch('/post/publish', sent({ id: 99 }))).toMatchObject({
        status: 404,
        body: { orm: true, code: 'P2025' },
      })
      expect(await rpc.fetch('/post/publish', sent({ id: 'x' }))).toMatchObject({
        status: 400,
        body: { issues: [{ path: ['id'], message: expect.stringContaining('expected number') }] },
      })
      expect(await rpc.fetch('/post/reject', { method: 'POST' })).toMatchObject({
        status: 422,
        body: { message: 'No such title.', issues: [{ path: ['data', 'title'], message: 'No such title.' }] },
      })
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      const broken = await rpc.fetch('/post/break', { method: 'POST' })
      expect([broken.status, log.mock.calls.length]).toEqual([500, 1])
      expect(JSON.stringify(broken.body)).not.toContain('secret')
      log.mockRestore()
    })

    it('accepts undefined arguments, but rejects them in conditions with 400', async () => {
      const rpc = served((app, api) => {
        app.post('/args', async (c) => api.value(c, await api.args(c)))
      })
      const undefinedAt = (path: string) => ({ meta: { serialization: { values: { [path]: ['undefined'] } } } })
      expect((await rpc.fetch('/args', sent({ id: 1, note: null, ...undefinedAt('note') }))).body.data).toEqual({
        id: 1,
      })
      expect(await rpc.fetch('/args', sent({ where: { id: null }, ...undefinedAt('where.id') }))).toMatchObject({
        status: 400,
      })
    })

    it('rejects a body that is not JSON with 415 and a large one with 413', async () => {
      const rpc = served(
        (app, api) => {
          app.post('/args', async (c) => api.value(c, await api.args(c)))
          app.post('/raw', async (c) => api.value(c, await c.req.json()))
        },
        { limits: { bodyBytes: 1000 } },
      )
      for (const path of ['/args', '/raw']) {
        expect((await rpc.fetch(path, sent({ a: 1 }))).body).toEqual({ data: { a: 1 } })
        expect((await rpc.fetch(path, sent({}, 'text/plain'))).status).toBe(415)
        expect((await rpc.fetch(path, sent({}, 'application/vnd.api+json'))).status).toBe(415)
        expect((await rpc.fetch(path, sent({ a: 'x'.repeat(2000) }))).status).toBe(413)
      }
    })
  },
  { only: ['sqlite'] },
)
