import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { beforeEach, describe, expect, it } from 'vitest'

import { createRestClient, createRpcClient } from '../../client/index.js'
import { createRestQueries, createRpcQueries } from '../../client/query/index.js'
import type { Api } from '../../fixtures/payments/expected/client.js'
import { graph } from '../../fixtures/payments/expected/graph.js'
import { keys, type Payments } from '../idempotency/support.js'
import { fillPayments } from '../idempotency/support.js'
import { describeDatabases } from '../support/databases.js'

/** Creates an app, and a `fetch` that loses the first responses after the app has handled the requests. */
function losing(db: Payments, lostResponses: number) {
  const idempotency = keys({ scope: () => 'everybody' }) as never
  const rest = db.routes.RestApiHandler({ endpoint: 'http://localhost/rest', idempotency, atomicOperations: true })
  const rpc = db.routes.RPCApiHandler({ idempotency, transactions: true })
  const sent: (string | null)[] = []
  let lost = 0
  const fetch = async (request: Request): Promise<Response> => {
    const [handler, prefix] = request.url.includes('/rest') ? [rest, '/rest'] : [rpc, '/rpc']
    sent.push(request.headers.get('Idempotency-Key'))
    const response = await handler.fetch(request, { getOrm: () => db.orm, prefix })
    if (lost++ < lostResponses) throw new TypeError('fetch failed')
    return response
  }
  return { sent, fetch }
}

describeDatabases(
  'client: retried writes',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillPayments(db)
    })
    const data = { reference: 'a', amount: 5, accountId: 1 }
    const rpcOf = (fetch: (request: Request) => Promise<Response>, options = {}) =>
      createRpcClient<Api>({ url: 'http://localhost/rpc', fetch, ...options })
    const restOf = (fetch: (request: Request) => Promise<Response>, options = {}) =>
      createRestClient<Api>({ url: 'http://localhost/rest', fetch, graph, ...options })
    const ON = { idempotency: true }

    /** Expects that one key was sent a number of times. */
    const same = (sent: readonly (string | null)[], times: number) => {
      expect(sent).toHaveLength(times)
      expect(new Set(sent).size).toBe(1)
      expect(sent[0]).toMatch(/^"[\w-]{20,}"$/)
    }

    it('RPC: retries a create with the same key after lost responses', async () => {
      const { sent, fetch } = losing(db, 2)
      const created = await rpcOf(fetch, ON).payment.create({ data })
      expect(created).toMatchObject(data)
      same(sent, 3)
      expect(await db.orm.payment.count()).toBe(1)
    })

    it('RPC: retries updates, deletes and transactions with the same key', async () => {
      const { sent, fetch } = losing(db, 1)
      const api = rpcOf(fetch, ON)
      const updated = await api.account.update({ where: { id: 1 }, data: { balance: { increment: 5 } } })
      expect([updated.balance, sent.length]).toEqual([5, 2])
      const deleting = losing(db, 1)
      expect(await rpcOf(deleting.fetch, ON).account.delete({ where: { id: 2 } })).toMatchObject({ owner: 'ben' })
      same(deleting.sent, 2)
      const transacting = losing(db, 1)
      const transacted = rpcOf(transacting.fetch, ON)
      await transacted.$transaction([transacted.payment.create.call({ data })])
      same(transacting.sent, 2)
      expect(await db.orm.payment.count()).toBe(1)
    })

    it('REST: retries creates, updates and atomic operations with the same key', async () => {
      const creating = losing(db, 2)
      const body = { reference: 'a', amount: 5, account: 1 }
      const created = await restOf(creating.fetch, ON).payment.create(body)
      same(creating.sent, 3)
      const changing = losing(db, 1)
      await restOf(changing.fetch, ON).payment.update(created.id, { amount: 6 })
      same(changing.sent, 2)
      const operating = losing(db, 1)
      const rest = restOf(operating.fetch, ON)
      await rest.$operations([rest.payment.create.call({ ...body, reference: 'b' })])
      same(operating.sent, 2)
      expect(await db.orm.payment.count()).toBe(2)
    })

    it('sends a new key per write, the key of the call or, for reads, none', async () => {
      const { sent, fetch } = losing(db, 0)
      const api = rpcOf(fetch, ON)
      await api.payment.create({ data })
      await api.payment.create({ data: { ...data, reference: 'b' } })
      await api.payment.findMany()
      expect(new Set(sent).size).toBe(3)
      expect(sent[2]).toBeNull()
      const named = losing(db, 1)
      const options = { idempotencyKey: 'my "own"' }
      await rpcOf(named.fetch).payment.create({ data: { ...data, reference: 'c' } }, options)
      expect(named.sent).toEqual(['"my \\"own\\""', '"my \\"own\\""'])
      await rpcOf(named.fetch).payment.create({ data: { ...data, reference: 'c' } }, options)
      expect(await db.orm.payment.count()).toBe(3)
    })

    it('does not retry a write without a key', async () => {
      const { sent, fetch } = losing(db, 1)
      await expect(rpcOf(fetch).payment.create({ data })).rejects.toMatchObject({ code: 'network-error' })
      expect(sent).toEqual([null])
    })

    it('retries a write whose key is in use and returns the first result', async () => {
      const { fetch } = losing(db, 0)
      const api = rpcOf(fetch)
      const options = { idempotencyKey: 'one' }
      const [first, second] = await Promise.all([
        api.payment.create({ data }, options),
        api.payment.create({ data }, options),
      ])
      expect(second).toEqual(first)
      expect(await db.orm.payment.count()).toBe(1)
    })

    describe('TanStack Query', () => {
      const retry = { retry: 2, retryDelay: 0 }
      const run = (options: object, variables: unknown) => {
        const client = new QueryClient()
        return new MutationObserver<unknown, Error, unknown>(client, options).mutate(variables)
      }

      it('retries an RPC mutation with the same key and sends a new key per mutation', async () => {
        const { sent, fetch } = losing(db, 2)
        const queries = createRpcQueries(rpcOf(fetch, { retries: 0 }), { graph, idempotency: true })
        const options = queries.payment.create.mutationOptions(retry)
        await run(options, { data })
        same(sent, 3)
        await run(options, { data: { ...data, reference: 'b' } })
        expect(new Set(sent).size).toBe(2)
        const transacting = losing(db, 1)
        const transactions = createRpcQueries(rpcOf(transacting.fetch, { retries: 0 }), { graph, idempotency: true })
        await run(transactions.$transaction.mutationOptions(retry), [
          { model: 'payment', op: 'create', args: { data: { ...data, reference: 'c' } } },
        ])
        same(transacting.sent, 2)
        expect(await db.orm.payment.count()).toBe(3)
      })

      it('retries a REST mutation with the same key', async () => {
        const body = { reference: 'a', amount: 5, account: 1 }
        for (const [method, variables] of [
          ['create', body],
          ['update', { id: '1', data: { amount: 6 } }],
          ['delete', '1'],
        ] as const) {
          const { sent, fetch } = losing(db, 1)
          const queries = createRestQueries(restOf(fetch, { retries: 0 }), { graph, idempotency: true })
          await run(queries.payment[method].mutationOptions(retry), variables)
          same(sent, 2)
        }
        expect(await db.orm.payment.count()).toBe(0)
      })

      it('sends no key by default', async () => {
        const { sent, fetch } = losing(db, 0)
        await run(createRpcQueries(rpcOf(fetch), { graph }).payment.create.mutationOptions(), { data })
        expect(sent).toEqual([null])
      })
    })
  },
  { fixture: 'payments' },
)
