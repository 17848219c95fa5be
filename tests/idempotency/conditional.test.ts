import { randomUUID } from 'node:crypto'

import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/versions/expected/policy.js'
import { idempotency } from '../../runtime/idempotency/index.js'
import { type TestResponse, fixtureClient, type RestClient } from '../rest/support/client.js'
import { fillVersions } from '../rest/support/versions.js'
import { type TestResponse as RpcAnswer, fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { keyed } from './support.js'

const EXT = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const AT_ONCE = 8

const account = (attributes: object) => ({ data: { type: 'account', id: '1', attributes } })
const tagOf = ({ headers }: TestResponse): string => headers.get('ETag') ?? ''
const isReplayed = ({ headers }: { headers: Headers }): boolean => headers.has('Idempotent-Replayed')

describeDatabases(
  'idempotency: preconditions',
  (db) => {
    let rest: RestClient
    let update: (args: object, key: string) => Promise<RpcAnswer>

    beforeEach(async () => {
      await db.fill(fillVersions)
      const keys = idempotency({ model: 'idempotencyKey', scope: () => 'everybody' })
      rest = fixtureClient(db, { idempotency: keys, atomicOperations: true })
      const rpc = fixtureRpc(db, { idempotency: keys })
      update = (args, key) => {
        const headers = { 'Content-Type': 'application/json', ...keyed(key) }
        return rpc.fetch('/account/update', { method: 'PATCH', headers, body: JSON.stringify(args) })
      }
    })
    const stored = () => db.orm.account.findUniqueOrThrow({ where: { id: 1 } })
    const countKeys = () => db.orm.idempotencyKey.count()
    const setBalance = (balance: number, tag: string, key: string) =>
      rest.patch('/account/1', account({ balance }), { 'If-Match': tag, ...keyed(key) })

    it('replays the response although the row has changed', async () => {
      const read = tagOf(await rest.get('/account/1'))
      const first = await setBalance(5, read, 'one')
      await rest.patch('/account/1', account({ balance: 6 }))
      const again = await setBalance(5, read, 'one')
      expect([first.status, isReplayed(first), again.status, isReplayed(again)]).toEqual([200, false, 200, true])
      expect([again.text, tagOf(again)]).toEqual([first.text, tagOf(first)])
      expect(tagOf(first)).toMatch(/^"2\./)
      expect(await stored()).toMatchObject({ balance: 6, version: 3 })
    })

    it('replays the old ETag, which then fails with 412', async () => {
      const read = tagOf(await rest.get('/account/1'))
      await setBalance(5, read, 'one')
      await rest.patch('/account/1', account({ balance: 6 }))
      const again = await setBalance(5, read, 'one')
      expect((await setBalance(7, tagOf(again), 'two')).status).toBe(412)
      expect(await stored()).toMatchObject({ balance: 6, version: 3 })
    })

    it('stores nothing for a 412, so that the key works with the next version', async () => {
      const stale = tagOf(await rest.get('/account/1'))
      await rest.patch('/account/1', account({ balance: 1 }))
      expect([(await setBalance(5, stale, 'one')).status, await countKeys()]).toEqual([412, 0])
      const current = tagOf(await rest.get('/account/1'))
      expect([(await setBalance(5, current, 'one')).status, await countKeys()]).toEqual([200, 1])
      expect(await stored()).toMatchObject({ balance: 5, version: 3 })
    })

    it('rejects the key with another If-Match with 422', async () => {
      const read = tagOf(await rest.get('/account/1'))
      const first = await setBalance(5, read, 'one')
      const other = await setBalance(5, tagOf(first), 'one')
      expect([other.status, other.errors[0]?.code]).toEqual([422, 'idempotency-key-reused'])
      expect(await stored()).toMatchObject({ version: 2 })
    })

    it('stores nothing for a missing precondition (428)', async () => {
      const city = { data: { type: 'bank', id: '1', attributes: { city: 'Bern' } } }
      expect([(await rest.patch('/bank/1', city, keyed('one'))).status, await countKeys()]).toEqual([428, 0])
      const read = tagOf(await rest.get('/bank/1'))
      const changed = await rest.patch('/bank/1', city, { ...keyed('one'), 'If-Match': read })
      expect([changed.status, await countKeys()]).toEqual([200, 1])
    })

    it('replays a conditional delete', async () => {
      const headers = { ...keyed('one'), 'If-Match': '"1"' }
      const first = await rest.delete('/account/2', undefined, headers)
      const again = await rest.delete('/account/2', undefined, headers)
      expect([first.status, again.status, isReplayed(again)]).toEqual([204, 204, true])
    })

    it('replays an upsert with If-None-Match', async () => {
      const seat = {
        data: { type: 'seat', id: '3_4', attributes: { row: 3, number: 4 } },
        meta: { operation: 'upsert', matchFields: ['row', 'number'] },
      }
      const headers = { ...keyed('one'), 'If-None-Match': '*' }
      const first = await rest.post('/seat', seat, headers)
      const again = await rest.post('/seat', seat, headers)
      expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
      expect((await rest.post('/seat', seat, { ...headers, ...keyed('two') })).status).toBe(412)
      expect(await countKeys()).toBe(1)
    })

    it.each(['/bank/99/accounts', '/account/99/entries'])(
      'POST %s: responds with 404, as without a key',
      async (path) => {
        const [type, attributes] = path.startsWith('/bank') ? ['account', { name: 'x' }] : ['entry', { text: 'x' }]
        const post = (headers: Record<string, string>) => rest.post(path, { data: { type, attributes } }, headers)
        const [plain, withKey] = [await post({}), await post(keyed('one'))]
        expect([plain.status, withKey.status, withKey.errors]).toEqual([404, 404, plain.errors])
      },
    )

    it('bumps the version once for a replayed relationship write', async () => {
      const read = tagOf(await rest.get('/account/1'))
      const holder = { data: [{ type: 'holder', id: '1' }] }
      const add = () => rest.post('/account/1/relationships/holders', holder, { ...keyed('one'), 'If-Match': read })
      const [first, again] = [await add(), await add()]
      expect([again.status, again.text, isReplayed(again)]).toEqual([first.status, first.text, true])
      expect(await stored()).toMatchObject({ version: 2 })
    })

    it('replays atomic operations with a version', async () => {
      const change = (version: string) => ({
        'atomic:operations': [
          { op: 'add', data: { type: 'entry', attributes: { text: 'paid' } } },
          { op: 'update', data: { type: 'account', id: '1', attributes: { balance: 5 } }, meta: { version } },
        ],
      })
      const send = (version: string) =>
        rest.post('/operations', change(version), { 'Content-Type': EXT, ...keyed('one') })
      const entries = await db.orm.entry.count()
      expect([(await send('9')).status, await db.orm.entry.count(), await countKeys()]).toEqual([412, entries, 0])
      const [first, again] = [await send('1'), await send('1')]
      expect([first.status, again.status, again.text, isReplayed(again)]).toEqual([200, 200, first.text, true])
      expect([await db.orm.entry.count(), (await stored()).version]).toEqual([entries + 1, 2])
    })

    it.each(['entries', 'holders'])(
      'returns 404 for a missing member of %s, because the version is current',
      async (name) => {
        const type = name === 'entries' ? 'entry' : 'holder'
        const [member] = [{ type, id: '99' }]
        const matching = { ...keyed('one'), 'If-Match': '"1"' }
        const whole = { data: { type: 'account', id: '1', relationships: { [name]: { data: [member] } } } }
        const ref = { type: 'account', id: '1', relationship: name }
        const operation = { op: 'update', ref, data: [member], meta: { version: '1' } }
        const responses = [
          await rest.patch(`/account/1/relationships/${name}`, { data: [member] }, matching),
          await rest.post(`/account/1/relationships/${name}`, { data: [member] }, { ...matching, ...keyed('two') }),
          await rest.patch('/account/1', whole, { ...matching, ...keyed('three') }),
          await rest.post('/operations', { 'atomic:operations': [operation] }, { 'Content-Type': EXT }),
          await update({ where: { id: 1, version: 1 }, data: { [name]: { connect: { id: 99 } } } }, 'four'),
        ]
        expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
        expect([await countKeys(), await stored()]).toMatchObject([0, { version: 1 }])
      },
    )

    it('returns 404 for a missing nested row under policies, because the version is current', async () => {
      const { can, build } = abilityBuilder()
      can('read', 'all')
      for (const model of ['Account', 'Entry', 'Holder'] as const)
        can(['create', 'update', 'delete'], model, { id: { gt: 0 } })
      const keys = idempotency({ model: 'idempotencyKey', scope: () => 'everybody' })
      const rpc = fixtureRpc(db, { idempotency: keys }, db.orm.$extends(withPolicies(build())))
      const nested = { where: { id: 99 }, data: { text: 'x' } }
      for (const entries of [{ update: nested }, { delete: { id: 99 } }, { connect: { id: 99 } }]) {
        const { status } = await rpc.fetch('/account/update', {
          method: 'PATCH',
          headers: { 'Content-Type': 'application/json', ...keyed('one') },
          body: JSON.stringify({ where: { id: 1, version: 1 }, data: { name: 'new', entries } }),
        })
        expect([Object.keys(entries), status]).toEqual([Object.keys(entries), 404])
      }
      expect(await stored()).toMatchObject({ name: 'one', version: 1 })
    })

    it('replays an RPC update with a version in where', async () => {
      const args = { where: { id: 1, version: 1 }, data: { balance: 5 } }
      const [first, again] = [await update(args, 'one'), await update(args, 'one')]
      expect([first.status, again.status, isReplayed(again)]).toEqual([200, 200, true])
      expect(again.body).toEqual(first.body)
      expect([(await update(args, 'two')).status, await countKeys()]).toEqual([412, 1])
      expect(await stored()).toMatchObject({ balance: 5, version: 2 })
    })

    it('applies every update exactly once if clients send everything twice', async () => {
      const clients = runs(80)
      let left = clients
      let rejectedCount = 0
      const worker = async () => {
        while (left-- > 0) {
          for (;;) {
            const read = await rest.get('/account/1')
            const balance = Number(read.one.attributes?.['balance']) + 1
            const key = randomUUID()
            const sent = await Promise.all([
              setBalance(balance, tagOf(read), key),
              setBalance(balance, tagOf(read), key),
            ])
            for (const { status } of sent) expect([200, 409, 412, 503]).toContain(status)
            if (sent.some(({ status }) => status === 200)) break
            rejectedCount++
          }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, worker))
      expect(await stored()).toMatchObject({ balance: clients, version: clients + 1 })
      expect(rejectedCount).toBeGreaterThan(0)
    })
  },
  { fixture: 'versions' },
)
