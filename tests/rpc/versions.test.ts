import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/versions/expected/policy.js'
import { fillVersions } from '../rest/support/versions.js'
import { describeDatabases } from '../support/databases.js'
import { fixtureRpc, type RpcClient } from './client.js'

describeDatabases(
  'RPC: version fields',
  (db) => {
    let api: RpcClient

    beforeEach(async () => {
      await db.fill(fillVersions)
      api = fixtureRpc(db)
    })
    const stored = (id = 1) => db.orm.account.findUniqueOrThrow({ where: { id } })

    it.each<[string, string, string, object]>([
      ['update', 'account', 'update', { where: { id: 1 }, data: { balance: 1 } }],
      ['updateMany', 'account', 'updateMany', { where: { id: 1 }, data: { balance: 1 } }],
      ['upsert', 'account', 'upsert', { where: { id: 1 }, create: { name: 'x' }, update: { balance: 1 } }],
      ['a nested update', 'entry', 'update', { where: { id: 1 }, data: { account: { update: { balance: 1 } } } }],
      [
        'a nested update with data',
        'entry',
        'update',
        { where: { id: 1 }, data: { account: { update: { where: { balance: 0 }, data: { balance: 1 } } } } },
      ],
      [
        'a nested update of a member',
        'holder',
        'update',
        { where: { id: 1 }, data: { accounts: { update: { where: { id: 1 }, data: { balance: 1 } } } } },
      ],
      [
        'a nested updateMany',
        'holder',
        'update',
        { where: { id: 1 }, data: { accounts: { updateMany: { where: { id: 1 }, data: { balance: 1 } } } } },
      ],
    ])('%s: bumps the version', async (_what, model, operation, args) => {
      await db.orm.holder.update({ where: { id: 1 }, data: { accounts: { connect: { id: 1 } } } })
      const { status, body } = await api.call(model, operation, args)
      expect(status, body.message).toBe(200)
      expect(await stored()).toMatchObject({ balance: 1, version: 2 })
    })

    it('rejects a write of the version with 403', async () => {
      expect((await api.call('account', 'update', { where: { id: 1 }, data: { version: 7 } })).status).toBe(403)
      expect((await api.call('account', 'create', { data: { name: 'x', version: 7 } })).status).toBe(403)
    })

    it.each<[string, object]>([
      ['a column', { balance: 5 }],
      ['a relation', { balance: 5, bank: { connect: { id: 2 } } }],
      ['members', { balance: 5, entries: { connect: [{ id: 3 }] } }],
      ['members that are replaced', { balance: 5, entries: { set: [{ id: 3 }] } }],
    ])('%s: rejects an update with a stale version with 412', async (_what, data) => {
      const update = (version: unknown) => api.call('account', 'update', { where: { id: 1, version }, data })
      const done = await update(1)
      expect([done.status, done.body.data]).toMatchObject([200, { balance: 5, version: 2 }])
      const late = await update(1)
      expect([late.status, late.body.issues?.[0]?.path]).toEqual([412, ['where', 'version']])
      expect((await update({ in: [1, 3] })).status).toBe(412)
      expect(await stored()).toMatchObject({ version: 2 })
    })

    it('rejects a delete with a stale version with 412 and a missing row with 404', async () => {
      const remove = (id: number, version: number) => api.call('account', 'delete', { where: { id, version } })
      expect((await remove(2, 7)).status).toBe(412)
      expect((await remove(2, 1)).status).toBe(200)
      expect((await remove(2, 1)).status).toBe(404)
      const linked = { where: { id: 1, version: 1 }, data: { bank: { connect: { id: 9 } } } }
      expect((await api.call('account', 'update', linked)).status).toBe(404)
    })

    it('rejects a stale version of a row with a compound id with 412', async () => {
      const update = (revision: number) =>
        api.call('seat', 'update', { where: { row_number: { row: 1, number: 2 }, revision }, data: { guest: 'Ann' } })
      expect((await update(1)).status).toBe(412)
      expect((await update(0)).status).toBe(200)
      expect((await update(0)).status).toBe(412)
    })

    it('rejects a stale version in a transaction with 412', async () => {
      const rpc = fixtureRpc(db, { transactions: true })
      const step = (version: number) => ({
        model: 'account',
        op: 'update',
        args: { where: { id: 1, version }, data: { balance: 5 } },
      })
      const send = (list: readonly object[]) =>
        rpc.fetch('/$transaction/sequential', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(list),
        })
      expect((await send([step(1), step(1)])).status).toBe(412)
      expect(await stored()).toMatchObject({ balance: 0, version: 1 })
      expect((await send([step(1), step(2)])).status).toBe(200)
    })

    it('rejects a stale version under policies with 412', async () => {
      const { can, build } = abilityBuilder()
      can('read', 'all')
      can('update', 'Account', ['balance'], { balance: { gte: 0 } })
      const rpc = fixtureRpc(db, {}, db.orm.$extends(withPolicies(build())))
      const update = (version: number) =>
        rpc.call('account', 'update', { where: { id: 1, version }, data: { balance: 5 } })
      expect((await update(2)).status).toBe(412)
      expect((await update(1)).status).toBe(200)
      expect((await update(1)).status).toBe(412)
      expect((await rpc.call('account', 'updateMany', { where: { id: 1 }, data: { balance: 6 } })).status).toBe(200)
      expect((await stored()).version).toBe(3)
    })

    it('rejects changes without a required version with 428', async () => {
      const { updatedAt } = await db.orm.bank.findUniqueOrThrow({ where: { id: 1 } })
      const data = { city: 'Bern' }
      const rejected: [number, string, string, object][] = [
        [428, 'bank', 'update', { where: { id: 1 }, data }],
        [400, 'bank', 'update', { where: { id: 1, OR: [{ updatedAt }, { id: 1 }] }, data }],
        [428, 'bank', 'updateMany', { where: { id: 1 }, data }],
        [428, 'bank', 'delete', { where: { id: 1 } }],
        [428, 'bank', 'deleteMany', { where: { id: 1 } }],
        [428, 'bank', 'upsert', { where: { id: 1 }, create: { name: 'x' }, update: data }],
        [428, 'account', 'update', { where: { id: 1 }, data: { bank: { update: data } } }],
        [428, 'account', 'update', { where: { id: 1 }, data: { bank: { update: { where: { updatedAt }, data } } } }],
        [428, 'account', 'update', { where: { id: 1 }, data: { bank: { delete: true } } }],
        [
          428,
          'account',
          'update',
          { where: { id: 1 }, data: { bank: { upsert: { create: { name: 'x' }, update: data } } } },
        ],
        [428, 'account', 'update', { where: { id: 2 }, data: { deposits: { connect: { id: 1 } } } }],
        [428, 'account', 'update', { where: { id: 2 }, data: { deposits: { set: [{ id: 1 }] } } }],
        [428, 'account', 'create', { data: { name: 'new', deposits: { connect: { id: 1 } } } }],
      ]
      for (const [status, model, operation, args] of rejected) {
        const response = await api.call(model, operation, args)
        expect(response.status, `${operation} ${JSON.stringify(args)}: ${response.body.message}`).toBe(status)
      }
      expect(await db.orm.deposit.count({ where: { accountId: 1, version: 1 } })).toBe(1)
      expect(
        (await api.call('account', 'update', { where: { id: 1 }, data: { deposits: { create: {} } } })).status,
      ).toBe(200)
      expect(await db.orm.bank.count({ where: { city: null } })).toBe(2)
      expect((await api.call('bank', 'update', { where: { id: 1, updatedAt }, data })).status).toBe(200)
      expect((await api.call('bank', 'update', { where: { id: 1, updatedAt }, data })).status).toBe(412)
    })

    it('increases a timestamp version with every update', async () => {
      let { updatedAt } = await db.orm.bank.findUniqueOrThrow({ where: { id: 1 } })
      for (let at = 0; at < 10; at++) {
        const { status } = await api.call('bank', 'update', { where: { id: 1, updatedAt }, data: { city: `${at}` } })
        expect(status).toBe(200)
        const now = (await db.orm.bank.findUniqueOrThrow({ where: { id: 1 } })).updatedAt
        expect(now > updatedAt).toBe(true)
        updatedAt = now
      }
    })

    it('does not adopt a future timestamp from the condition', async () => {
      const latest = new Date(253_402_300_799_999)
      const { updatedAt } = await db.orm.bank.findUniqueOrThrow({ where: { id: 1 } })
      const where = { id: 1, updatedAt: { in: [updatedAt, latest] } }
      for (const operation of ['update', 'updateMany']) {
        const { status, body } = await api.call('bank', operation, { where, data: { city: 'Bern' } })
        expect([status, body.data], operation).toEqual(
          operation === 'update' ? [200, expect.objectContaining({ city: 'Bern' })] : [200, { count: 0 }],
        )
      }
      const after = await db.orm.bank.findUniqueOrThrow({ where: { id: 1 } })
      expect(after.updatedAt.getTime()).toBeLessThan(Date.now() + 1000)
    })

    it.each<[string, string, object]>([
      ['in AND', 'update', { where: { id: 1, AND: [{ version: 1 }] }, data: { balance: 1 } }],
      ['in NOT', 'delete', { where: { id: 1, NOT: { version: 2 } } }],
      ['in updateMany with a limit', 'updateMany', { where: { id: 1, version: 1 }, limit: 1, data: { balance: 1 } }],
      ['in deleteMany with a limit', 'deleteMany', { where: { id: 1, version: 1 }, limit: 1 }],
    ])('%s: rejects a version that the write cannot compare with 400', async (_what, operation, args) => {
      expect((await api.call('account', operation, args)).status).toBe(400)
      expect(await stored()).toMatchObject({ balance: 0, version: 1 })
    })

    it('rejects a version in nested updates with 400', async () => {
      const update = { where: { version: 7 }, data: { balance: 5 } }
      expect((await api.call('entry', 'update', { where: { id: 1 }, data: { account: { update } } })).status).toBe(400)
      const ofMany = { update: { ...update, where: { id: 1, version: 7 } } }
      expect((await api.call('holder', 'update', { where: { id: 1 }, data: { accounts: ofMany } })).status).toBe(400)
    })

    it('rejects an If-Match header with 400', async () => {
      const init = {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json', 'If-Match': '"7"' },
        body: JSON.stringify({ where: { id: 1 }, data: { balance: 5 } }),
      }
      expect((await api.fetch('/account/update', init)).status).toBe(400)
    })

    it('increases a timestamp version with relation changes and every filter form', async () => {
      const now = async () => (await db.orm.bank.findUniqueOrThrow({ where: { id: 1 } })).updatedAt
      const data = { accounts: { set: [{ id: 1 }] } }
      const before = await now()
      expect((await api.call('bank', 'update', { where: { id: 1, updatedAt: before }, data })).status).toBe(200)
      expect((await api.call('bank', 'update', { where: { id: 1, updatedAt: before }, data })).status).toBe(412)
      for (const named of [(time: Date) => ({ equals: time }), (time: Date) => ({ in: [time] })]) {
        const time = new Date(Date.now() + 60_000 + Math.floor(Math.random() * 1000))
        await db.orm.bank.update({ where: { id: 1 }, data: { updatedAt: time } })
        const where = { id: 1, updatedAt: named(time) }
        expect((await api.call('bank', 'updateMany', { where, data: { city: 'Bern' } })).body.data).toEqual({
          count: 1,
        })
        expect(await now()).toEqual(new Date(time.getTime() + 1))
      }
    })

    it('rejects a version in an upsert with 400', async () => {
      const args = { where: { id: 1, version: 1 }, create: { name: 'x' }, update: { balance: 1 } }
      expect((await api.call('account', 'upsert', args)).status).toBe(400)
    })
  },
  { fixture: 'versions' },
)
