import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/payments/expected/hooks.js'
import type { ResponseTelemetry } from '../../runtime/http/telemetry.js'
import { describeDatabases } from '../support/databases.js'
import { appOf, type Caller, fillPayments, keyed, keys, payment } from './support.js'

const REPLAYED = 'Idempotent-Replayed'

describeDatabases(
  'idempotency: failed requests',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillPayments(db)
      await appOf(db).pay('taken')
    })
    const counts = async () => [await db.orm.payment.count(), await db.orm.idempotencyKey.count()]
    const linked = (name: string) => ({ data: [{ type: 'label', id: name }] })

    it.each([
      ['a duplicate value', 'POST', '/rest/payment', payment('taken'), 409],
      [
        'a duplicate value in RPC',
        'POST',
        '/rpc/payment/create',
        { data: { reference: 'taken', amount: 1, accountId: 1 } },
        409,
      ],
      ['a referenced row', 'DELETE', '/rest/account/1', undefined, 409],
      ['a missing row', 'PATCH', '/rpc/account/update', { where: { id: 99 }, data: { balance: 1 } }, 404],
      [
        'a foreign key to a missing row',
        'POST',
        '/rpc/payment/create',
        { data: { reference: 'x', amount: 1, accountId: 99 } },
        409,
      ],
      ['a missing related row', 'POST', '/rest/payment/1/relationships/labels', linked('none'), 404],
      ['a missing resource', 'DELETE', '/rest/payment/99', undefined, 404],
    ])('%s: responds like without a key and stores nothing', async (_, method, path, body, status) => {
      const app = appOf(db)
      const without = await app.send(method, path, body)
      const withKey = await app.send(method, path, body, keyed('one'))
      expect([without.status, withKey.status, withKey.text]).toEqual([status, status, without.text])
      expect(await counts()).toEqual([1, 0])
    })

    it('rolls back if the client disconnects, so that a retry succeeds', async () => {
      const controller = new AbortController()
      const hooks = defineHooks({ Payment: { create: { after: () => controller.abort() } } })
      const handler = db.routes.RPCApiHandler<Caller>({ hooks, idempotency: keys() })
      const send = (signal?: AbortSignal) => {
        const headers = { 'Content-Type': 'application/json', ...keyed('one') }
        const body = JSON.stringify({ data: { reference: 'a', amount: 1, accountId: 1 } })
        const request = new Request('http://localhost/payment/create', {
          method: 'POST',
          headers,
          body,
          ...(signal && { signal }),
        })
        return handler.fetch(request, { getOrm: () => db.orm, context: () => ({ caller: 'me' }) })
      }
      expect([(await send(controller.signal)).status, await counts()]).toEqual([499, [1, 0]])
      expect([(await send()).status, await counts()]).toEqual([201, [2, 1]])
    })

    it('rolls back after a timeout, so that a retry succeeds', async () => {
      let isSlow = true
      const hooks = defineHooks({
        Payment: { create: { after: () => new Promise((resolve) => setTimeout(resolve, isSlow ? 1500 : 0)) } },
      })
      const app = appOf(db, { rpc: { hooks, timeout: 1000 } })
      expect((await app.rpcPay('a', 'one')).status).toBe(504)
      isSlow = false
      // A running request is not stopped and keeps the key until it ends.
      let response = await app.rpcPay('a', 'one')
      for (let time = 1; response.status !== 201 && time < 60; time++) {
        expect([409, 503, 504]).toContain(response.status)
        await new Promise((resolve) => setTimeout(resolve, 50))
        response = await app.rpcPay('a', 'one')
      }
      expect([response.status, response.headers.get(REPLAYED), await counts()]).toEqual([201, null, [2, 1]])
    })

    it('calls onResponse for first, replayed and failed responses', async () => {
      const responses: ResponseTelemetry[] = []
      const errors: unknown[] = []
      const handler = db.routes.RPCApiHandler<Caller>({ idempotency: keys() })
      const send = async (data: object, key: string) => {
        const headers = { 'Content-Type': 'application/json', ...keyed(key) }
        const request = new Request('http://localhost/payment/create', {
          method: 'POST',
          headers,
          body: JSON.stringify({ data }),
        })
        await handler.fetch(request, {
          getOrm: () => db.orm,
          context: () => ({ caller: 'me' }),
          onResponse: (telemetry) => void responses.push(telemetry),
          onError: (error) => void errors.push(error),
        })
      }
      await send({ reference: 'a', amount: 1, accountId: 1 }, 'one')
      await send({ reference: 'a', amount: 1, accountId: 1 }, 'one')
      await send({ reference: 'a', amount: 1, accountId: 1 }, 'two')
      expect(responses.map(({ status, rows, operation, model }) => [status, rows, operation, model])).toEqual([
        [201, 1, 'create', 'Payment'],
        [201, undefined, 'create', 'Payment'],
        [409, undefined, 'create', 'Payment'],
      ])
      expect(responses[0]?.error).toBeUndefined()
      expect(String(responses[2]?.error)).toContain('with the same reference already exists')
      expect(errors).toEqual([])
    })
  },
  { fixture: 'payments' },
)

describeDatabases(
  'idempotency: deadlocks',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillPayments(db)
    })

    it('retries after a deadlock and applies each request once', async () => {
      const committed: string[] = []
      const hooks = defineHooks({ Account: { update: { afterCommit: ({ row }) => void committed.push(row.owner) } } })
      const app = appOf(db, { rpc: { hooks } })
      const add = (id: number) => ({
        model: 'account',
        op: 'update',
        args: { where: { id }, data: { balance: { increment: 1 } } },
      })
      const ROUNDS = 6
      for (let round = 1; round <= ROUNDS; round++) {
        const orders = [
          [1, 2],
          [2, 1],
          [1, 2],
          [2, 1],
        ].map((ids) => ids.map(add))
        const responses = await Promise.all(
          orders.map((body, index) =>
            app.send('POST', '/rpc/$transaction/sequential', body, keyed(`${round} ${index}`)),
          ),
        )
        expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      }
      const balances = await db.orm.account.findMany({ select: { balance: true } })
      expect(balances).toEqual([{ balance: 4 * ROUNDS }, { balance: 4 * ROUNDS }])
      expect(committed).toHaveLength(8 * ROUNDS)
      expect(await db.orm.idempotencyKey.count()).toBe(4 * ROUNDS)
    })
  },
  { fixture: 'payments', concurrent: true },
)
