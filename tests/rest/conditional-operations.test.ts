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

    it('are told in results, and compared where an operation names one', async () => {
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
      ['a resource', change(9, { version: '7' })],
      ['one that is removed', { op: 'remove', ref: { type: 'account', id: '2' }, meta: { version: '7' } }],
      [
        'a relationship',
        {
          op: 'update',
          ref: { type: 'account', id: '2', relationship: 'entries' },
          data: [],
          meta: { version: '7' },
        },
      ],
      [
        'members that are added',
        {
          op: 'add',
          ref: { type: 'account', id: '2', relationship: 'holders' },
          data: [{ type: 'holder', id: '1' }],
          meta: { version: 'x' },
        },
      ],
    ])('of %s: what is of another revision undoes all', async (_what, operation) => {
      const before = await stored()
      const { status, errors } = await send([change(1), operation])
      expect([status, errors[0]?.code]).toEqual([412, 'precondition-failed'])
      expect(errors[0]?.source).toEqual({ pointer: '/atomic:operations/1/meta/version' })
      expect(await stored()).toEqual(before)
    })

    it('tell the new version of a relationship', async () => {
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

    it('that are required are, but of what the same request has added', async () => {
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
      ['an object', change(1, { version: {} }), 400, '/atomic:operations/0/meta/version'],
      ['null', change(1, { version: null }), 400, '/atomic:operations/0/meta/version'],
      [
        'of what has none',
        { op: 'update', data: { type: 'entry', id: '1', attributes: { text: 'x' } }, meta: { version: '1' } },
        400,
        '/atomic:operations/0/meta/version',
      ],
    ])('%s is refused', async (_what, operation, status, pointer) => {
      const answer = await send([operation])
      expect([answer.status, answer.errors[0]?.source]).toEqual([status, { pointer }])
    })

    it.each(['If-Match', 'If-None-Match'])('%s says nothing of several', async (header) => {
      const answer = await send([change(1)], { [header]: '"1"' })
      expect([answer.status, answer.errors[0]?.source]).toEqual([400, { header }])
    })
  },
  { fixture: 'versions' },
)
