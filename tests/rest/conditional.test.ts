import { beforeEach, expect, it } from 'vitest'

import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { type TestResponse, fixtureClient, type RestClient } from './support/client.js'
import { fillVersions } from './support/versions.js'

const account = (attributes: object) => ({ data: { type: 'account', id: '1', attributes } })
const bank = (city: string) => ({ data: { type: 'bank', id: '1', attributes: { city } } })
const tagOf = ({ headers }: TestResponse): string => headers.get('ETag') ?? ''
const ifMatch = (tag: string) => ({ 'If-Match': tag })

describeDatabases(
  'REST: conditional requests',
  (db) => {
    let rest: RestClient
    beforeEach(async () => {
      await db.fill(fillVersions)
      rest = fixtureClient(db)
    })

    it.each(['?include=bank', '?include=entries', '?fields[account]=name', '?fields[account]=balance&include=holders'])(
      'GET with query "%s": returns the same version and a stable ETag',
      async (query) => {
        const tag = tagOf(await rest.get(`/account/1${query}`))
        expect(tag).toMatch(/^"1\./)
        expect(tagOf(await rest.get(`/account/1${query}`))).toBe(tag)
        expect(tagOf(await rest.get('/account/1'))).not.toBe(tag)
      },
    )

    const where = { id: 1 }
    it.each<[string, string, () => Promise<unknown>]>([
      ['the row', '1', () => rest.patch('/account/1', account({ balance: 1 }))],
      ['a related row with a version', '1?include=bank', () => db.orm.bank.update({ where, data: { city: 'Bern' } })],
      [
        'a related row without a version',
        '1?include=entries',
        () => db.orm.entry.update({ where, data: { text: 'x' } }),
      ],
      [
        'the set of related rows',
        '1?include=entries',
        () => db.orm.entry.update({ where: { id: 3 }, data: { accountId: 1 } }),
      ],
      ['the related resource', '1/bank', () => db.orm.bank.update({ where, data: { city: 'Bern' } })],
    ])('%s: responds with 304 until it changes', async (_what, path, change) => {
      const tag = tagOf(await rest.get(`/account/${path}`))
      for (const ifNoneMatch of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const response = await rest.get(`/account/${path}`, { 'If-None-Match': ifNoneMatch })
        expect([response.status, response.text, tagOf(response)]).toEqual([304, '', tag])
      }
      await change()
      expect((await rest.get(`/account/${path}`, { 'If-None-Match': tag })).status).toBe(200)
    })

    it('accepts the ETag of a read and returns the ETag of the next one', async () => {
      const tag = tagOf(await rest.get('/account/1?include=bank'))
      const changed = await rest.patch('/account/1', account({ balance: 5 }), ifMatch(tag))
      expect([changed.status, changed.one.attributes]).toMatchObject([200, { balance: 5, version: 2 }])
      expect((await rest.patch('/account/1', account({ balance: 7 }), ifMatch(tag))).status).toBe(412)
      expect(tagOf(await rest.get('/account/1'))).toBe(tagOf(changed))
      const created = await rest.post('/account', { data: { type: 'account', attributes: { name: 'new' } } })
      expect(tagOf(await rest.get(`/account/${created.one.id}`))).toBe(tagOf(created))
    })

    it('changes with each of 20 rapid writes', async () => {
      const seen = new Set<string>()
      let tag = tagOf(await rest.get('/bank/1'))
      for (let at = 0; at < 20; at++) {
        const response = await rest.patch('/bank/1', bank(`City ${at}`), ifMatch(tag))
        expect(response.status).toBe(200)
        seen.add(tagOf(response).split('.')[0] ?? '')
        expect((await rest.patch('/bank/1', bank('late'), ifMatch(tag))).status).toBe(412)
        tag = tagOf(response)
      }
      expect(seen.size).toBe(20)
      const data = [{ type: 'account', id: '2' }]
      const members = await rest.post('/bank/1/relationships/accounts', { data }, ifMatch(tag))
      expect(members.status).toBe(200)
      expect((await rest.delete('/bank/1', undefined, ifMatch(tag))).status).toBe(412)
      expect((await rest.delete('/bank/1', undefined, ifMatch(tagOf(members)))).status).toBe(204)
    })

    it('RPC: increases a timestamp version with every update', async () => {
      const read = async () => (await db.orm.bank.findUniqueOrThrow({ where })).updatedAt
      let updatedAt = await read()
      for (let at = 0; at < 10; at++) {
        const args = { where: { id: 1, updatedAt }, data: { city: `${at}` } }
        expect((await fixtureRpc(db).call('bank', 'update', args)).status).toBe(200)
        const now = await read()
        expect(now > updatedAt).toBe(true)
        updatedAt = now
      }
    })

    it('returns different ETags if an extension computes attributes per caller', async () => {
      const tagFor = async (caller: string) => {
        const notes = { needs: { id: true }, compute: () => `for ${caller}` } as const
        const orm = db.orm.$extends({ result: { account: { notes } } })
        return tagOf(await fixtureClient({ orm, routes: db.routes }).get('/account/1'))
      }
      expect(await tagFor('ann')).not.toBe(await tagFor('ben'))
      expect(await tagFor('ann')).toBe(await tagFor('ann'))
    })

    it('adds no query to a single-statement update, or at most one on MySQL', async () => {
      const plain = await db.queriesOf(() => rest.patch('/account/1', account({ balance: 1 })))
      const met = await db.queriesOf(() => rest.patch('/account/1', account({ balance: 2 }), ifMatch('"2"')))
      if (db.provider !== 'mysql') expect(met.length).toBe(plain.length)
      expect(met.length).toBeLessThanOrEqual(plain.length + 1)
    })
  },
  { fixture: 'versions' },
)
