import { openApi } from '@routewright/runtime/openapi'
import { beforeEach, expect, it, type MockInstance, vi } from 'vitest'

import { defineHooks } from '../../fixtures/annotations/expected/hooks.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'

const HOOKS = defineHooks<{ clinicId: number }>({
  Visit: { create: { before: ({ data, context }) => ({ ...data, clinicId: context.clinicId, createdBy: 'hook' }) } },
  Bed: { create: { before: ({ data }) => ({ ...data, wardId: 1 }) } },
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

const LINK = { data: { type: 'ward', id: '2' } }
const MEMBERS = { data: [{ type: 'bed', id: '1' }] }
const BED = { type: 'bed', attributes: { label: 'b' } }
const WARD_2 = { where: { id: 2 } }

/** Requests that move a bed to ward 2 or create a bed there, in each style and from each end. */
const MOVES: readonly (readonly [what: string, method: string, path: string, body: object])[] = [
  ['REST: a linkage', 'PATCH', '/bed/1/relationships/ward', LINK],
  ['REST: an update', 'PATCH', '/bed/1', { data: { type: 'bed', id: '1', relationships: { ward: LINK } } }],
  ['REST: a create', 'POST', '/bed', { data: { ...BED, relationships: { ward: LINK } } }],
  ['REST: set of members', 'PATCH', '/ward/2/relationships/beds', MEMBERS],
  ['REST: addition of members', 'POST', '/ward/2/relationships/beds', MEMBERS],
  [
    'REST: an update of the ward',
    'PATCH',
    '/ward/2',
    { data: { type: 'ward', id: '2', relationships: { beds: MEMBERS } } },
  ],
  ['RPC: update', 'PUT', '/bed/update', { where: { id: 1 }, data: { ward: { connect: { id: 2 } } } }],
  [
    'RPC: update with a new ward',
    'PUT',
    '/bed/update',
    { where: { id: 1 }, data: { ward: { create: { name: 'new' } } } },
  ],
  ['RPC: create', 'POST', '/bed/create', { data: { label: 'b', ward: { connect: { id: 2 } } } }],
  [
    'RPC: upsert',
    'POST',
    '/bed/upsert',
    { where: { id: 1 }, create: { label: 'b' }, update: { ward: { connect: { id: 2 } } } },
  ],
  ...(['connect', 'set'] as const).map(
    (operation) =>
      [
        `RPC: ${operation} of the ward`,
        'PUT',
        '/ward/update',
        { ...WARD_2, data: { beds: { [operation]: [{ id: 1 }] } } },
      ] as const,
  ),
  ['RPC: create in the ward', 'PUT', '/ward/update', { ...WARD_2, data: { beds: { create: { label: 'b' } } } }],
  ['RPC: create with the ward', 'POST', '/ward/create', { data: { name: 'new', beds: { connect: { id: 1 } } } }],
]

// `Visit.clinicId` is `@api.serverSet`, `Visit.createdBy` is `@api.hidden @api.serverSet`. Both are required. `Bed.wardId` is the hidden
// and required foreign key of `Bed.ward`, and set by the server.
describeDatabases(
  'server-set fields',
  (db) => {
    let log: MockInstance<typeof console.error>
    beforeEach(async () => {
      await db.fill(async () => {
        await db.orm.visit.create({ data: { reason: 'first', clinicId: 7, createdBy: 'seed' } })
        await db.orm.ward.createMany({ data: [{ name: 'one' }, { name: 'two' }] })
        await db.orm.bed.create({ data: { label: 'a', wardId: 1 } })
      })
      log = vi.spyOn(console, 'error').mockImplementation(() => {})
      return () => log.mockRestore()
    })

    function send([, style, method, path, data]: (typeof WRITES)[number], fields: object, hooks = true) {
      const rest = style === 'rest'
      const body = rest ? { data: { type: 'visit', ...data, attributes: fields } } : argsOf(path, data, fields)
      return request(rest, method, path, body, hooks)
    }

    async function request(rest: boolean, method: string, path: string, body: object, hooks = true) {
      const options = hooks ? { hooks: HOOKS } : {}
      const handler = rest
        ? db.routes.RestApiHandler({ endpoint: ENDPOINT, ...options })
        : db.routes.RPCApiHandler(options)
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
      '%s in %s: responds with 500 and logs a hint without a hook',
      async (...write) => {
        expect((await send(write, { reason: 'second' }, false)).status).toBe(500)
        expect(log.mock.calls.flat().join()).toMatch(
          /Visit\.(clinicId|createdBy) is required, and no caller can write it\. Set it in a `create\.before` hook/,
        )
      },
    )

    it.each(MOVES)('%s: rejects a write of a server-set foreign key with 403', async (what, method, path, body) => {
      const { status, text } = await request(what.startsWith('REST'), method, path, body)
      expect([status, text]).toEqual([403, expect.stringMatching(/ward|beds/)])
      expect(await db.orm.bed.findMany()).toEqual([{ id: 1, label: 'a', wardId: 1 }])
      expect(await db.orm.ward.count()).toBe(2)
    })

    it.each([
      ['REST', '/bed', { data: BED }],
      ['RPC', '/bed/create', { data: { label: 'b' } }],
    ])('%s: does not require a relation with a server-set foreign key', async (style, path, body) => {
      const { status, text } = await request(style === 'REST', 'POST', path, body)
      expect([status, text]).toEqual([201, expect.not.stringContaining('wardId')])
      expect(await db.orm.bed.findMany({ select: { wardId: true } })).toEqual([{ wardId: 1 }, { wardId: 1 }])
      expect((await request(style === 'REST', 'POST', path, body, false)).status).toBe(500)
      expect(log.mock.calls.flat().join()).toContain('Bed.wardId is required, and no caller can write it.')
    })

    const tickets = async () =>
      (await db.orm.ticket.findMany({ orderBy: { id: 'asc' } })).map(({ siteId, deskCode }) => [siteId, deskCode])
    const createTicket = async () => {
      await db.orm.desk.createMany({ data: [{ code: 'a' }, { code: 'b' }, { siteId: 2, code: 'b' }] })
      await db.orm.ticket.create({ data: { deskCode: 'a' } })
    }
    const ticket = (attributes: object, id?: string) => ({ data: { type: 'ticket', id, attributes } })

    it.each<[name: string, method: string, path: string, body: object, deskCodes: readonly string[]]>([
      ['REST POST', 'POST', '/ticket', ticket({ deskCode: 'b' }), ['a', 'b']],
      ['REST PATCH', 'PATCH', '/ticket/1', ticket({ deskCode: 'b' }, '1'), ['b']],
      ['RPC create', 'POST', '/ticket/create', { data: { deskCode: 'b' } }, ['a', 'b']],
      ['RPC update', 'PUT', '/ticket/update', { where: { id: 1 }, data: { deskCode: 'b' } }, ['b']],
    ])('%s: writes the other fields of a key with a server-set field', async (name, method, path, body, deskCodes) => {
      await createTicket()
      const { status, text } = await request(name.startsWith('REST'), method, path, body, false)
      expect(status, text).toBeLessThan(300)
      expect(await tickets()).toEqual(deskCodes.map((deskCode) => [1, deskCode]))
    })

    const moved = { desk: { connect: { siteId_code: { siteId: 2, code: 'b' } } } }
    it.each<[name: string, method: string, path: string, body: object]>([
      ['REST: the field', 'POST', '/ticket', ticket({ deskCode: 'b', siteId: 2 })],
      ['RPC: the field', 'POST', '/ticket/create', { data: { deskCode: 'b', siteId: 2 } }],
      ['REST: the relation', 'PATCH', '/ticket/1/relationships/desk', { data: { type: 'desk', id: '2_b' } }],
      ['RPC: the relation', 'PUT', '/ticket/update', { where: { id: 1 }, data: moved }],
    ])('%s: rejects writes of a server-set field of a key and of its relation', async (name, method, path, body) => {
      await createTicket()
      const { status, text } = await request(name.startsWith('REST'), method, path, body, false)
      expect(status, text).toBe(403)
      expect(await tickets()).toEqual([[1, 'a']])
    })

    it('requires the other fields of a foreign key with a server-set field', async () => {
      const rest = await request(true, 'POST', '/ticket', { data: { type: 'ticket', attributes: {} } }, false)
      expect(rest).toMatchObject({ status: 422, text: expect.stringContaining('/data/attributes/deskCode') })
      const rpc = await request(false, 'POST', '/ticket/create', { data: {} }, false)
      expect(rpc).toMatchObject({ status: 422, text: expect.stringContaining('"data.deskCode is required."') })
    })

    it.each(['rest', 'rpc'] as const)(
      '%s OpenAPI: marks the field readOnly and omits it from requests',
      async (style) => {
        const openapi = openApi({ descriptions: db.routes.descriptions })
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
        expect(text).not.toMatch(/createdBy|wardId/)
        const ofBeds = requests.filter(([name]) => /^(bed|ward)/i.test(name))
        expect(ofBeds.length).toBeGreaterThan(0)
        expect(JSON.stringify(ofBeds.map(([, schema]) => schema))).not.toMatch(/"(ward|beds)":/)
      },
    )
  },
  { fixture: 'annotations' },
)

function argsOf(path: string, where: object, fields: object): object {
  if (path.endsWith('createMany')) return { data: [fields] }
  if (path.endsWith('upsert')) return { where, create: fields, update: fields }
  return path.endsWith('update') ? { where, data: fields } : { data: fields }
}
