import { openApi } from '@routewright/runtime/openapi'
import { beforeEach, expect, it, type MockInstance, vi } from 'vitest'

import { defineHooks } from '../../fixtures/annotations/expected/hooks.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'

const HOOKS = defineHooks<{ clinicId: number }>({
  Visit: { create: { before: ({ data, context }) => ({ ...data, clinicId: context.clinicId, createdBy: 'hook' }) } },
})

/** A request that writes a visit, in each style. */
const WRITES: readonly (readonly [name: string, style: 'rest' | 'rpc', method: string, path: string, data: object])[] =
  [
    ['POST', 'rest', 'POST', '/visit', { attributes: {} }],
    ['PATCH', 'rest', 'PATCH', '/visit/1', { id: '1', attributes: {} }],
    ['create', 'rpc', 'POST', '/visit/create', {}],
    ['createMany', 'rpc', 'POST', '/visit/createMany', {}],
    ['update', 'rpc', 'PUT', '/visit/update', { id: 1 }],
    ['upsert', 'rpc', 'POST', '/visit/upsert', { id: 1 }],
  ]

// `Visit.clinicId` is `@api.serverSet`, `Visit.createdBy` is `@api.hidden @api.serverSet`. Both are required.
describeDatabases(
  'server-set fields',
  (db) => {
    let log: MockInstance<typeof console.error>
    beforeEach(async () => {
      await db.fill(async () => {
        await db.orm.visit.create({ data: { reason: 'first', clinicId: 7, createdBy: 'seed' } })
      })
      log = vi.spyOn(console, 'error').mockImplementation(() => {})
      return () => log.mockRestore()
    })

    async function send([, style, method, path, data]: (typeof WRITES)[number], fields: object, hooks = true) {
      const options = hooks ? { hooks: HOOKS } : {}
      const rest = style === 'rest'
      const handler = rest
        ? db.routes.RestApiHandler({ endpoint: ENDPOINT, ...options })
        : db.routes.RPCApiHandler(options)
      const body = rest ? { data: { type: 'visit', ...data, attributes: fields } } : argsOf(path, data, fields)
      const response = await handler.fetch(
        new Request(`http://localhost${path}`, {
          method,
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
        { getOrm: () => db.orm, context: () => ({ clinicId: 3 }) } as never,
      )
      return { status: response.status, text: await response.text() }
    }

    it.each(WRITES)('%s in %s: writes the values of the hook', async (...write) => {
      const { status, text } = await send(write, { reason: 'second' })
      expect(status, text).toBeLessThan(300)
      expect(text).not.toContain('createdBy')
      const clinics = await db.orm.visit.findMany({
        orderBy: { id: 'asc' },
        select: { clinicId: true, createdBy: true },
      })
      const created = clinics.slice(1)
      expect(clinics[0]).toEqual({ clinicId: 7, createdBy: 'seed' })
      expect(created).toEqual(created.map(() => ({ clinicId: 3, createdBy: 'hook' })))
      expect(created).toHaveLength(/PATCH|update|upsert/.test(write[0]) ? 0 : 1)
    })

    it.each(WRITES)('%s in %s: rejects a value from the caller', async (...write) => {
      const readOnly = await send(write, { reason: 'second', clinicId: 9 })
      expect(readOnly).toMatchObject({ status: 403, text: expect.stringContaining('clinicId') })
      const hidden = await send(write, { reason: 'second', createdBy: 'me' })
      expect(hidden.status).toBe(write[1] === 'rest' ? 422 : 400)
      expect(await db.orm.visit.findMany()).toEqual([{ id: 1, reason: 'first', clinicId: 7, createdBy: 'seed' }])
    })

    it.each(WRITES.filter(([name]) => /POST|^create/.test(name)))(
      '%s in %s: returns 500 without a hook, and the log suggests one',
      async (...write) => {
        expect((await send(write, { reason: 'second' }, false)).status).toBe(500)
        expect(log.mock.calls.flat().join()).toMatch(
          /Visit\.(clinicId|createdBy) is required, and no caller can write it\. Set it in a `create\.before` hook/,
        )
      },
    )

    it.each(['rest', 'rpc'] as const)('OpenAPI of %s: the field is readOnly, and not in requests', async (style) => {
      const openapi = openApi()
      const handler =
        style === 'rest'
          ? db.routes.RestApiHandler({ endpoint: ENDPOINT, openapi })
          : db.routes.RPCApiHandler({ openapi })
      const response = await handler.fetch(new Request(`${ENDPOINT}/openapi.json`), {
        getOrm: () => db.orm,
        prefix: new URL(ENDPOINT).pathname,
      })
      const text = await response.text()
      expect(text).toMatch(
        /"clinicId":\{[^}]*"description":"The clinic of the caller\. Set by the server\."[^}]*"readOnly":true\}/,
      )
      const { schemas } = (JSON.parse(text) as { components: { schemas: object } }).components
      const requests = Object.entries(schemas).filter(([name]) => /create|update|write|new/i.test(name))
      expect(JSON.stringify(requests)).not.toContain('clinicId')
      expect(text).not.toContain('createdBy')
    })
  },
  { fixture: 'annotations' },
)

function argsOf(path: string, where: object, fields: object): object {
  if (path.endsWith('createMany')) return { data: [fields] }
  if (path.endsWith('upsert')) return { where, create: fields, update: fields }
  return path.endsWith('update') ? { where, data: fields } : { data: fields }
}
