import { HTTPException } from 'hono/http-exception'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { clientOf, ENDPOINT, restClient } from './support/client.js'

describeDatabases(
  'REST: errors',
  (db) => {
    const log = vi.spyOn(console, 'error')

    beforeEach(async () => {
      await db.fill(fillBlog)
      log.mockReset()
    })
    afterEach(() => {
      log.mockReset()
    })

    const failing = (error: unknown) =>
      db.orm.$extends({
        query: {
          $allOperations() {
            throw error
          },
        },
      })

    it('responds to an unexpected error with 500 and the logged error id', async () => {
      log.mockImplementation(() => {})
      const rest = restClient(db, {}, failing(new Error('SELECT secret FROM /etc/passwd')))
      for (const response of [
        await rest.get('/post'),
        await rest.get('/post/1/author'),
        await rest.post('/tag', { data: { type: 'tag', id: 'x' } }),
      ]) {
        expect([response.status, response.errors]).toMatchObject([
          500,
          [{ code: 'internal-error', title: 'Internal error' }],
        ])
        expect(response.text).not.toMatch(/SELECT|passwd/)
        const id = /Error id: ([\w-]+)/.exec(response.errors[0]?.detail ?? '')?.[1]
        expect(log.mock.calls.some(([text]) => String(text).includes(String(id)))).toBe(true)
        expect(response.errors[0]?.id).toBe(id)
      }
    })

    it('responds with 500 if the client lacks an included model', async () => {
      log.mockImplementation(() => {})
      const rest = restClient(db, {}, { post: db.orm.post, user: db.orm.user })
      expect((await rest.get('/post?include=author')).status).toBe(200)
      expect((await rest.get('/post?include=comments')).status).toBe(500)
      expect(log.mock.calls.flat().map(String).join()).toContain('The client has no comment.findMany.')
    })

    it('responds with 503 if the database is unreachable', async () => {
      log.mockImplementation(() => {})
      for (const error of [
        Object.assign(new Error("Can't reach database server at `10.0.0.7`:`5432`"), { code: 'P1001' }),
        Object.assign(new Error('Timed out fetching a new connection from the pool'), { code: 'P2024' }),
        Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' }),
      ]) {
        const rest = restClient(db, {}, failing(error))
        for (const response of [
          await rest.get('/post'),
          await rest.get('/post/1?include=comments'),
          await rest.patch('/post/1', { data: { type: 'post', attributes: { title: 'x' } } }),
        ]) {
          expect([response.status, response.errors[0]?.code]).toEqual([503, 'database-unavailable'])
          expect(response.text).not.toContain('10.0.0.7')
        }
      }
    })

    it('describes missing rows, referencing rows and unknown names in the error detail', async () => {
      const rest = restClient(db)
      const parent = await db.orm.category.create({ data: { name: 'Shelf', children: { create: { name: 'Board' } } } })
      const statusAndDetail = async (pending: ReturnType<typeof rest.get>) => {
        const { status, errors } = await pending
        return [status, errors[0]?.detail]
      }
      const change = { data: { type: 'post', attributes: { title: 'x' } } }
      expect(await statusAndDetail(rest.patch('/post/99', change))).toEqual([404, 'There is no "post" with this id.'])
      expect(await statusAndDetail(rest.delete('/post/99'))).toEqual([404, 'There is no "post" with this id.'])
      expect(await statusAndDetail(rest.delete(`/category/${parent.id}`))).toEqual([
        409,
        'Other records still refer to this one.',
      ])
      const relations = 'No route has this path. Available: author, category, comments, tags.'
      expect(await statusAndDetail(rest.get('/post/1/autor'))).toEqual([404, relations])
      expect(await statusAndDetail(rest.get('/post/1/relationships/autor'))).toEqual([404, relations])
      const parameters =
        'Unknown parameter. Available: include, fields, includeFilter, includeSort, includePage, relatedCount.'
      expect(await statusAndDetail(rest.get('/post/1?foo=1'))).toEqual([400, parameters])
    })

    it('responds to a policy denial with 403 or 422 and its reason', async () => {
      const denied = (reason: string) =>
        Object.assign(new Error('denied by policy'), { code: 'P2004', meta: { reason } })
      const rest = restClient(db, {}, failing(denied('RESULT_NOT_READABLE')))
      const response = await rest.patch('/post/1', { data: { type: 'post', attributes: { title: 'x' } } })
      expect([response.status, response.errors]).toMatchObject([
        403,
        [{ code: 'forbidden', ormCode: 'P2004', meta: { reason: 'RESULT_NOT_READABLE' } }],
      ])
      expect((await rest.get('/post')).status).toBe(403)
      const invalid = restClient(db, {}, failing(denied('DATA_VALIDATION_VIOLATION')))
      const rejected = await invalid.patch('/post/1', { data: { type: 'post', attributes: { title: 'x' } } })
      expect([rejected.status, rejected.errors]).toMatchObject([422, [{ code: 'invalid-value', ormCode: 'P2004' }]])
    })

    it('calls getOrm only for valid requests and responds with its error', async () => {
      const getOrm = vi.fn<() => never>(() => {
        throw new HTTPException(401, { message: 'Who are you?' })
      })
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT })
      const rest = clientOf((request) => handler.fetch(request, { getOrm, prefix: '/api' }))
      for (const path of ['/nope', '/post?foo=1', '/post?filter[x]=1', '/post/x', '/post?include=x', '/post/1/nope'])
        await rest.get(path)
      await rest.post('/post', { data: { type: 'post', attributes: {} } })
      await rest.patch('/post/1', { data: { type: 'user' } })
      await rest.post('/post/1/relationships/tags', { data: [{ type: 'post', id: '1' }] })
      expect(getOrm).not.toHaveBeenCalled()
      const response = await rest.get('/post')
      expect([response.status, response.errors[0]?.code]).toEqual([401, 'unauthenticated'])
      expect(getOrm).toHaveBeenCalledTimes(1)
    })
  },
  { only: ['SQLite'] },
)
