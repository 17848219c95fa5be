import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Orm } from '../../fixtures/blog/expected/index.js'
import type { ApiHandler } from '../../runtime/handler.js'
import { describeDatabases } from '../support/databases.js'
import { MOUNT, type Running, SERVERS } from './servers.js'

const ENDPOINT = `https://blog.example${MOUNT}`
const JSON_TYPE = { 'content-type': 'application/json' }

interface Answer {
  readonly status: number
  // Answers are compared whole or by path: their types are not what is tested here.
  readonly body: any
}

async function ask(server: Running, path: string, init?: RequestInit): Promise<Answer> {
  const response = await server.fetch(`${MOUNT}${path}`, init)
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const send = (method: string, body: unknown, type = 'application/json'): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': type },
})

describeDatabases(
  'The blog',
  (db) => {
    beforeEach(() => {
      // Where the handler writes what it does not answer.
      vi.spyOn(console, 'error').mockImplementation(() => {})
      return db.reset()
    })

    const getOrm = (user: string | null | undefined): Orm => {
      if (user === 'nobody') throw new Error('connect ECONNREFUSED 10.0.0.1:5432 (password "secret")')
      return db.orm
    }
    const serving = (name: string, handler: () => ApiHandler<Orm>): (() => Running) => {
      let server: Running | undefined
      beforeAll(async () => {
        server = await SERVERS[name]?.({ handler: handler(), getOrm })
      })
      afterAll(() => server?.close())
      return () => {
        if (!server) throw new Error('not started')
        return server
      }
    }

    describe.each(Object.keys(SERVERS))('REST in %s', (name) => {
      const server = serving(name, () => db.routes.RestApiHandler({ endpoint: ENDPOINT }))
      const type = 'application/vnd.api+json'

      it('creates, reads, links, changes and deletes', async () => {
        const attributes = { name: 'Fish & Chips/Co ü%20' }
        const created = await ask(server(), '/tag', send('POST', { data: { type: 'tag', attributes } }, type))
        expect(created).toMatchObject({ status: 201, body: { data: { type: 'tag', id: attributes.name } } })
        const link: string = created.body.data.links.self
        expect(link).toBe(`${ENDPOINT}/tag/${encodeURIComponent(attributes.name)}`)

        const path = link.slice(ENDPOINT.length)
        expect(await ask(server(), path)).toMatchObject({ status: 200, body: { data: { attributes } } })
        const list = await ask(server(), `/tag?filter[name]=${encodeURIComponent(attributes.name)}&sort=-name`)
        expect(list).toMatchObject({ status: 200, body: { meta: { total: 1 }, data: [{ attributes }] } })

        const { id } = await db.orm.user.create({ data: { email: 'ada@example.com', password: 'long enough' } })
        const change = { data: { type: 'user', id, attributes: { name: 'Ada' } } }
        expect(await ask(server(), `/user/${id}`, send('PATCH', change))).toMatchObject({ status: 200 })
        expect(await db.orm.user.findFirst({ select: { name: true } })).toEqual({ name: 'Ada' })

        expect(await ask(server(), path, { method: 'DELETE' })).toEqual({ status: 204, body: undefined })
        expect(await db.orm.tag.count()).toBe(0)
      })

      it('answers failures in its own format', async () => {
        expect(await ask(server(), '/nothing')).toMatchObject({
          status: 404,
          body: { errors: [{ code: 'unsupported-model', status: 404 }] },
        })
        const broken = await ask(server(), '/tag', { headers: { 'x-user': 'nobody' } })
        expect(broken.status).toBeGreaterThanOrEqual(500)
        expect(broken.body).toMatchObject({ errors: [{ status: broken.status }] })
        expect(JSON.stringify(broken.body)).not.toMatch(/secret|10\.0\.0\.1/)
        expect(await ask(server(), '/tag', send('POST', { data: 1 }))).toMatchObject({ body: { errors: [{}] } })
      })
    })

    describe.each(Object.keys(SERVERS))('RPC in %s', (name) => {
      const server = serving(name, () => db.routes.RPCApiHandler())
      const q = (args: unknown): string => `q=${encodeURIComponent(JSON.stringify(args))}`

      it('creates, reads, changes and deletes', async () => {
        const data = { name: 'a&b/c%20d ü' }
        expect(await ask(server(), '/tag/create', send('POST', { data }))).toMatchObject({
          status: 201,
          body: { data },
        })
        expect(await ask(server(), `/tag/findMany?${q({ where: data })}`)).toMatchObject({
          status: 200,
          body: { data: [data] },
        })
        const update = { where: data, data: { name: 'e' } }
        expect(await ask(server(), '/tag/update', send('PUT', update))).toMatchObject({ body: { data: { name: 'e' } } })
        const removed = await ask(server(), `/tag/deleteMany?${q({ where: { name: 'e' } })}`, { method: 'DELETE' })
        expect(removed).toMatchObject({ status: 200, body: { data: { count: 1 } } })
      })

      it('answers failures in its own format', async () => {
        expect(await ask(server(), '/tag/findEverything')).toMatchObject({
          status: 404,
          body: { message: expect.any(String) },
        })
        const broken = await ask(server(), '/tag/findMany', { headers: { 'x-user': 'nobody' } })
        expect(broken.status).toBeGreaterThanOrEqual(500)
        expect(broken.body).toMatchObject({ message: expect.any(String) })
        expect(JSON.stringify(broken.body)).not.toMatch(/secret|10\.0\.0\.1/)
        const bytes = { method: 'POST', body: 'x', headers: { 'content-type': 'image/png' } }
        expect((await ask(server(), '/tag/create', bytes)).status).toBe(415)
      })
    })

    // A parser before the handler has limits of its own, and answers in its own words.
    describe.each(Object.keys(SERVERS).filter((name) => !/Nest|parsed|raw|text|read before|controller/i.test(name)))(
      'limits in %s',
      (name) => {
        const server = serving(name, () => db.routes.RPCApiHandler({ limits: { bodyBytes: 1000 } }))

        it('refuses a body beyond the limit, of known length or not', async () => {
          const body = JSON.stringify({ data: { name: 'x'.repeat(2_000_000) } })
          expect(await ask(server(), '/tag/create', { method: 'POST', body, headers: JSON_TYPE })).toMatchObject({
            status: 413,
            body: { message: expect.any(String) },
          })
          const init: RequestInit & { readonly duplex: 'half' } = {
            method: 'POST',
            body: new Blob([body]).stream(),
            headers: JSON_TYPE,
            duplex: 'half',
          }
          expect((await ask(server(), '/tag/create', init)).status).toBe(413)
          expect(await db.orm.tag.count()).toBe(0)
        })
      },
    )
  },
  { only: ['SQLite'] },
)
