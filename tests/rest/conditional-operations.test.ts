import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fixtureClient, type RestClient } from './support/client.js'
import { fillVersions } from './support/versions.js'

const EXT = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

const change = (balance: number, meta?: object, id = '1') => ({
  op: 'update',
  data: { type: 'account', id, attributes: { balance } },
  ...(meta && { meta }),
})

describeDatabases(
  'REST: versions in atomic operations',
  (db) => {
    let rest: RestClient
    const send = (operations: readonly object[], headers: Record<string, string> = {}) =>
      rest.post('/operations', { 'atomic:operations': operations }, { 'Content-Type': EXT, ...headers })
    const stored = async () => {
      const [account, bank] = [await db.orm.account.findMany({ orderBy: { id: 'asc' } }), await db.orm.bank.findMany()]
      return {
        balances: account.map(({ balance, version }) => [balance, version]),
        cities: bank.map(({ city }) => city),
      }
    }

    beforeEach(async () => {
      await db.fill(fillVersions)
      rest = fixtureClient(db, { atomicOperations: true })
    })

    it('compares meta.version and returns the new version in each result', async () => {
      const done = await send([change(1, { version: '1' }), change(2, { version: 2 }), change(3, undefined, '2')])
      expect(done.status).toBe(200)
      const results: readonly { data: { meta?: unknown } }[] = JSON.parse(done.text)['atomic:results']
      expect(results.map(({ data }) => data.meta)).toEqual([{ version: '2' }, { version: '3' }, { version: '2' }])
      expect((await stored()).balances).toEqual([
        [2, 3],
        [3, 2],
      ])
    })

    it.each<[string, object]>([
      ['update of a resource', change(9, { version: '7' })],
      ['removal of a resource', { op: 'remove', ref: { type: 'account', id: '2' }, meta: { version: '7' } }],
      [
        'replacement of members',
        {
          op: 'update',
          ref: { type: 'account', id: '2', relationship: 'entries' },
          data: [],
          meta: { version: '7' },
        },
      ],
      [
        'addition of members',
        {
          op: 'add',
          ref: { type: 'account', id: '2', relationship: 'holders' },
          data: [{ type: 'holder', id: '1' }],
          meta: { version: 'x' },
        },
      ],
    ])('%s: rolls back with 412 if the version is stale', async (_what, operation) => {
      const before = await stored()
      const { status, errors } = await send([change(1), operation])
      expect([status, errors[0]?.code]).toEqual([412, 'precondition-failed'])
      expect(errors[0]?.source).toEqual({ pointer: '/atomic:operations/1/meta/version' })
      expect(await stored()).toEqual(before)
    })

    it('returns the new version after a relationship change', async () => {
      const { text } = await send([
        {
          op: 'add',
          ref: { type: 'account', id: '1', relationship: 'holders' },
          data: [{ type: 'holder', id: '1' }],
          meta: { version: '1' },
        },
        { op: 'update', ref: { type: 'account', id: '1', relationship: 'bank' }, data: null, meta: { version: '2' } },
      ])
      const results: readonly { meta?: { version?: string } }[] = JSON.parse(text)['atomic:results']
      expect(results.map(({ meta }) => meta?.version)).toEqual(['2', '3'])
    })

    it('rejects a missing required version with 428, unless the request adds the resource', async () => {
      const bank = { op: 'update', data: { type: 'bank', id: '1', attributes: { city: 'Bern' } } }
      const missing = await send([bank])
      expect([missing.status, missing.errors[0]?.source]).toEqual([428, { pointer: '/atomic:operations/0' }])
      const added = [
        { op: 'add', data: { type: 'bank', lid: 'b', attributes: { name: 'New' } } },
        { op: 'update', data: { type: 'bank', lid: 'b', attributes: { city: 'Bern' } } },
      ]
      expect((await send(added)).status).toBe(200)
    })

    it.each<[string, object, number, string]>([
      ['object', change(1, { version: {} }), 400, '/atomic:operations/0/meta/version'],
      ['null', change(1, { version: null }), 400, '/atomic:operations/0/meta/version'],
      [
        'model without versions',
        { op: 'update', data: { type: 'entry', id: '1', attributes: { text: 'x' } }, meta: { version: '1' } },
        400,
        '/atomic:operations/0/meta/version',
      ],
    ])('%s: rejects meta.version with 400', async (_what, operation, status, pointer) => {
      const response = await send([operation])
      expect([response.status, response.errors[0]?.source]).toEqual([status, { pointer }])
    })

    it.each(['If-Match', 'If-None-Match'])('%s: rejects the header with 400', async (header) => {
      const response = await send([change(1)], { [header]: '"1"' })
      expect([response.status, response.errors[0]?.source]).toEqual([400, { header }])
    })
  },
  { fixture: 'versions' },
)
