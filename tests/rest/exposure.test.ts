import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { ENDPOINT, fixtureClient, type RestClient } from './support/client.js'

describeDatabases(
  'REST: exposure',
  (db) => {
    let rest: RestClient

    beforeEach(async () => {
      await db.reset()
      rest = fixtureClient(db)
      await db.orm.account.create({
        data: {
          id: 'a',
          handle: 'ann',
          email: 'ann@example.org',
          password: 'secret-ann',
          notes: 'secret-note',
          sessions: { create: { token: 'secret-token' } },
          invoices: { create: { number: 'I1' } },
          secrets: { create: { key: 'k', value: 'secret-value' } },
        },
      })
    })

    it('rejects a float that Prisma would round to infinity with 422', async () => {
      const largest = await rest.get('/account?filter[ratio$lt]=1.7976931348623157e308')
      expect([largest.status, largest.errors[0]?.code]).toEqual([422, 'invalid-value'])
      expect((await rest.get('/account?filter[ratio$lt]=1.797693134862315e308')).status).toBe(200)
    })

    it('responds with 404 for hidden models', async () => {
      for (const path of [
        '/session',
        '/session/1',
        '/Session',
        '/account/a/sessions',
        '/account/a/relationships/sessions',
      ]) {
        expect((await rest.get(path)).status).toBe(404)
      }
    })

    it('omits hidden fields and relations from responses', async () => {
      for (const path of [
        '/account',
        '/account/a?include=invoices',
        '/secret',
        '/secret/k?include=account',
        '/secret/k',
      ]) {
        const response = await rest.get(path)
        expect(response.status).toBe(200)
        expect(response.text).not.toMatch(/secret-|notes|password|token|sessions|"secrets"|"value"/)
      }
    })

    it.each([
      ['fields[account]=$', 'notes'],
      ['fields[account]=$', 'sessions'],
      ['filter[$]=x', 'notes'],
      ['filter[$$startsWith]=x', 'notes'],
      ['filter[$][token]=x', 'sessions'],
      ['sort=$', 'notes'],
      ['sort=$.token', 'sessions'],
      ['include=$', 'sessions'],
      ['include=$', 'secrets'],
      ['include=invoices.account.$', 'sessions'],
    ])('%s: rejects the hidden "%s" like an unknown name with 400', async (query, hidden) => {
      const queryWith = (name: string) => rest.get(`/account?${query.replace('$', () => name)}`)
      const [response, unknown] = [await queryWith(hidden), await queryWith('nothing')]
      expect(response.status).toBe(400)
      expect(response.text.replaceAll(hidden, '…')).toBe(unknown.text.replaceAll('nothing', '…'))
    })

    it.each([
      ['hidden attribute (422)', { attributes: { notes: 'x' } }, 422, 'unknown-attribute'],
      ['hidden relation (422)', { relationships: { sessions: { data: [] } } }, 422, 'unknown-relationship'],
      ['read-only attribute (403)', { attributes: { createdAt: '2024-01-01' } }, 403, 'read-only'],
      ['read-only relation (403)', { relationships: { invoices: { data: [] } } }, 403, 'read-only'],
    ])('%s: rejects the write', async (_what, resource, status, code) => {
      const response = await rest.patch('/account/a', { data: { type: 'account', ...resource } })
      expect([response.status, response.errors[0]?.code]).toEqual([status, code])
      expect(
        await db.orm.account.findUnique({ where: { id: 'a' }, include: { sessions: true, invoices: true } }),
      ).toMatchObject({
        notes: 'secret-note',
        sessions: [{}],
        invoices: [{}],
      })
    })

    it('rejects disabled operations with 405 and read-only relationships with 403', async () => {
      const created = await rest.post('/account', { data: { type: 'account', attributes: {} } })
      expect([created.status, created.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
      expect((await rest.delete('/account/a')).headers.get('Allow')).toBe('GET, HEAD, PATCH, PUT')
      for (const method of ['post', 'patch', 'put', 'delete'] as const) {
        const response = await rest[method]('/account/a/relationships/invoices', { data: [] })
        expect([response.status, response.errors[0]?.code]).toEqual([403, 'unsupported-change'])
      }
      expect((await rest.patch('/invoice/1', { data: { type: 'invoice' } })).status).toBe(405)
      const feedback = await rest.post('/feedback', { data: { type: 'feedback', attributes: { text: 'x' } } })
      expect([feedback.status, feedback.one.links, feedback.headers.get('Location')]).toEqual([201, undefined, null])
      expect((await rest.get('/feedback')).status).toBe(405)
    })

    it('returns linkage from a hidden foreign key', async () => {
      const response = await rest.get('/secret/k')
      expect(response.one.relationships?.['account']?.data).toEqual({ type: 'account', id: 'a' })
      expect(response.one.attributes).toEqual({ key: 'k' })
    })

    it('validates written values of each type', async () => {
      const errorPointers = async (attributes: object) =>
        (await rest.patch('/account/a', { data: { type: 'account', attributes } })).errors.map(
          ({ source }) => source?.pointer,
        )
      const bad = {
        handle: 'X',
        email: 'nope',
        password: 'short',
        age: 151,
        balance: '-1.5',
        ratio: 2,
        views: '-1',
        trialEnds: '2019-01-01',
        plan: 'TEAM',
        homepage: 'http://x.org',
      }
      expect(await errorPointers(bad)).toEqual(
        expect.arrayContaining(Object.keys(bad).map((name) => `/data/attributes/${name}`)),
      )
      expect(
        await errorPointers({ age: null, balance: '1.10', views: '9007199254740993', homepage: 'https://x.org' }),
      ).toEqual([])
    })
  },
  { fixture: 'annotations' },
)

describeDatabases(
  'REST: unusual names',
  (db) => {
    beforeEach(() => db.reset())

    it('accepts names of Object members as attributes, filters and sort fields', async () => {
      const rest = fixtureClient(db)
      const attributes = { constructor: 'a', toString: 'b', prototype: 'c' }
      const created = await rest.post('/object', { data: { type: 'object', id: '1', attributes } })
      expect([created.status, created.one.attributes]).toEqual([201, attributes])
      expect((await rest.get('/object?filter[constructor]=a&sort=toString')).ids).toEqual(['1'])
      expect((await rest.get('/object?fields[object]=toString')).many[0]?.attributes).toEqual({ toString: 'b' })
    })

    it('renames fields with reserved names in strict mode', async () => {
      const plain = { type: 'z', kind_: 'y' }
      const loose = await fixtureClient(db).post('/ticket', { data: { type: 'ticket', id: '9', attributes: plain } })
      expect([loose.status, loose.one.attributes]).toMatchObject([201, plain])
      await db.reset()
      const attributes = { ticketType: 'a', kind: 'b', links: 'c' }
      const rest = fixtureClient(db, { strict: true })
      const created = await rest.post('/ticket', { data: { type: 'ticket', id: '1', attributes } })
      expect([created.status, created.one.attributes]).toMatchObject([201, attributes])
      expect(await db.orm.ticket.findUnique({ where: { id: 1 } })).toMatchObject({ type: 'a', kind_: 'b', links: 'c' })
      expect((await rest.get('/ticket?filter[ticketType]=a&filter[kind$contains]=b&sort=-ticketType')).ids).toEqual([
        '1',
      ])
      expect((await rest.get('/ticket?fields[ticket]=kind')).many[0]?.attributes).toEqual({ kind: 'b' })
      for (const query of ['filter[type]=a', 'sort=kind_', 'fields[ticket]=kind_']) {
        expect((await rest.get(`/ticket?${query}`)).status).toBe(400)
      }
      const rejected = await rest.patch('/ticket/1', { data: { type: 'ticket', attributes: { type: 'x' } } })
      expect(rejected.errors).toMatchObject([
        { code: 'unknown-attribute', source: { pointer: '/data/attributes/type' } },
      ])
      const missing = await rest.post('/ticket', { data: { type: 'ticket', id: '2' } })
      expect(missing.errors).toMatchObject([{ detail: 'The attribute "ticketType" is required.' }])
    })

    it('filters by fields with the names of Prisma keywords, except for logical operators', async () => {
      const rest = fixtureClient(db)
      const attributes = { is: 'a', data: 'b', where: 'c', set: 'd', not: 'e' }
      await rest.post('/word', { data: { type: 'word', id: '1', attributes } })
      await rest.post('/sentence', {
        data: { type: 'sentence', id: '1', relationships: { data: { data: { type: 'word', id: '1' } } } },
      })
      expect((await rest.get('/word?filter[data]=b&filter[where$contains]=c&filter[set]=d&sort=not')).ids).toEqual([
        '1',
      ])
      expect((await rest.get('/sentence?filter[data][is]=a&filter[data][where]=c&include=data')).ids).toEqual(['1'])
      expect((await rest.get('/word?filter[not]=e')).errors).toMatchObject([
        { status: 400, source: { parameter: 'filter[not]' } },
      ])
    })

    it('serves models under their names in lower case', async () => {
      const rest = fixtureClient(db)
      await rest.post('/user_profile', { data: { type: 'user_profile', id: '1', attributes: { full_name: 'x' } } })
      for (const path of ['/user_profile/1', '/httpserver2', '/a_1', '/a1', '/class']) {
        expect((await rest.get(path)).status).toBe(200)
      }
      expect((await rest.get('/user_profile/1')).one.links?.self).toBe(`${ENDPOINT}/user_profile/1`)
    })
  },
  { fixture: 'names' },
)
