import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/payments/expected/hooks.js'
import { defineRestRoutes } from '../../fixtures/payments/expected/custom-routes.js'
import { paymentRest } from '../../fixtures/payments/expected/payment/rest.js'
import { abilityBuilder, withPolicies } from '../../fixtures/payments/expected/policy.js'
import { restHandler } from '../../runtime/rest/rest-handler.js'
import { staleReplica } from '../operations/support/stale-replica.js'
import { describeDatabases } from '../support/databases.js'
import { appOf, fillPayments, keyed, keys, payment } from './support.js'

const REPLAYED = 'Idempotent-Replayed'

describeDatabases(
  'idempotency: policies, hooks and extensions',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillPayments(db)
    })
    const counts = async () => [await db.orm.payment.count(), await db.orm.idempotencyKey.count()]

    /** A client that may pay only into the first account. Its rules do not mention keys. */
    const policied = (read = true) => {
      const { can, build } = abilityBuilder()
      can(['read', 'update'], 'Account')
      if (read) can('read', 'Payment')
      can('create', 'Payment', { accountId: 1 })
      can(['read', 'update'], 'Label')
      return db.orm.$extends(withPolicies(build()))
    }

    it('applies policies to the write but not to the key', async () => {
      const client = policied()
      const app = appOf(db, { orm: () => client })
      expect((await app.pay('a', 'one')).status).toBe(201)
      expect((await app.pay('a', 'one')).headers.get(REPLAYED)).toBe('true')
      const denied = await app.send('POST', '/rest/payment', payment('b', '2'), keyed('two'))
      expect([denied.status, await counts()]).toEqual([403, [1, 1]])
    })

    it.each(['pay', 'rpcPay'] as const)('%s: replays the 403 of a write with an unreadable result', async (pay) => {
      const client = policied(false)
      const app = appOf(db, { orm: () => client })
      const first = await app[pay]('a', 'one')
      const again = await app[pay]('a', 'one')
      expect([first.status, again.status, again.text]).toEqual([403, 403, first.text])
      expect(first.text).toContain('RESULT_NOT_READABLE')
      expect([again.headers.get(REPLAYED), await counts()]).toEqual(['true', [1, 1]])
    })

    it.each([false, true])(
      'with policies %s: calls hooks once and afterCommit after the key is stored',
      async (hasPolicies) => {
        const events: string[] = []
        const hooks = defineHooks({
          Payment: {
            create: {
              before: ({ data }) => {
                events.push('before')
                return data
              },
              after: async ({ client, row }) => {
                events.push('after')
                await client.account.update({
                  where: { id: row.accountId },
                  data: { balance: { increment: row.amount } },
                })
              },
              afterCommit: async ({ row }) => {
                events.push(`afterCommit ${row.reference} ${String(await counts())}`)
              },
            },
          },
        })
        const client = hasPolicies ? policied() : db.orm
        const app = appOf(db, { orm: () => client, rest: { hooks }, rpc: { hooks } })
        for (let time = 1; time <= 2; time++) expect((await app.rpcPay('a', 'one')).status).toBe(201)
        for (let time = 1; time <= 2; time++) expect((await app.pay('b', 'two')).status).toBe(201)
        const once = (what: string) => ['before', 'after', `afterCommit ${what}`]
        expect(events).toEqual([...once('a 1,1'), ...once('b 2,2')])
        expect(await db.orm.account.findFirst({ where: { id: 1 } })).toMatchObject({ balance: 10 })
      },
    )

    it('rolls back if a hook throws and calls the hook again on a retry', async () => {
      let isClosed = true
      const committed: string[] = []
      const hooks = defineHooks({
        Payment: {
          create: {
            after: () => {
              if (isClosed) throw new Error('closed')
            },
            afterCommit: ({ row }) => void committed.push(row.reference),
          },
        },
      })
      const app = appOf(db, { rest: { hooks } })
      expect([(await app.pay('a', 'one')).status, await counts(), committed]).toEqual([500, [0, 0], []])
      isClosed = false
      expect([(await app.pay('a', 'one')).status, await counts(), committed]).toEqual([201, [1, 1], ['a']])
    })

    it('hides the key model from extensions of the app', async () => {
      const seen = new Set<string>()
      const client = db.orm.$extends({
        query: {
          $allModels: {
            $allOperations({ model, args, query }) {
              seen.add(model)
              return query(args)
            },
          },
        },
      })
      const app = appOf(db, { orm: () => client })
      expect([(await app.pay('a', 'one')).status, (await app.pay('a', 'one')).status]).toEqual([201, 201])
      expect([...seen]).toEqual(['Payment'])
    })

    it('replays responses of handlers with a timeout', async () => {
      const app = appOf(db, { rest: { timeout: 10_000 }, rpc: { timeout: 10_000 } })
      expect([(await app.pay('a', 'one')).status, (await app.rpcPay('b', 'two')).status]).toEqual([201, 201])
      expect([(await app.pay('a', 'one')).headers.get(REPLAYED), await counts()]).toEqual(['true', [2, 2]])
    })

    it('runs custom middleware before a replay', async () => {
      let isOpen = true
      const routes = defineRestRoutes((app) => {
        app.use('*', async (c, next) => {
          if (!isOpen) return c.json({}, 401)
          return next()
        })
        app.post('/custom', async (c) => c.json({ custom: true }))
      })
      const app = appOf(db, { rest: { routes } })
      expect((await app.pay('a', 'one')).status).toBe(201)
      expect((await app.pay('a', 'one')).headers.get(REPLAYED)).toBe('true')
      expect((await app.send('POST', '/rest/custom', {}, keyed('two'))).body).toEqual({ custom: true })
      isOpen = false
      expect((await app.pay('a', 'one')).status).toBe(401)
      expect(await counts()).toEqual([1, 1])
    })

    it('replays a redirect from template middleware', async () => {
      const Payment = {
        ...paymentRest,
        build(...[app, api]: Parameters<typeof paymentRest.build>) {
          app.use(async (c, next) => {
            await next()
            if (c.res.status === 201) c.res = c.redirect(c.res.headers.get('Location') ?? '', 303)
          })
          paymentRest.build(app, api)
        },
      }
      const options = { endpoint: 'http://localhost', idempotency: keys({ scope: () => 'everybody' }) }
      const handler = restHandler({ Payment }, options, { provider: db.provider })
      const pay = () => {
        const headers = { 'Content-Type': 'application/vnd.api+json', ...keyed('one') }
        const { account, ...relationships } = payment('a').data.relationships
        const attributes = { ...payment('a').data.attributes, accountId: Number(account.data.id) }
        const body = JSON.stringify({ data: { type: 'payment', attributes, relationships } })
        const request = new Request('http://localhost/payment', { method: 'POST', headers, body })
        return handler.fetch(request, { getOrm: () => db.orm })
      }
      const [first, again] = [await pay(), await pay()]
      expect([first.status, again.status, again.headers.get(REPLAYED), await counts()]).toEqual([
        303,
        303,
        'true',
        [1, 1],
      ])
      expect(again.headers.get('Location')).toBe('http://localhost/payment/1')
    })

    it('responds with 500 and logs if the client is in a transaction', async () => {
      const lines: unknown[] = []
      const { status } = await db.orm.$transaction((inside) =>
        appOf(db, { orm: () => inside, log: (_line, error) => lines.push(error) }).pay('a', 'one'),
      )
      expect([status, String(lines)]).toEqual([
        500,
        expect.stringContaining('getOrm returned a client inside a transaction'),
      ])
    })

    it.each([
      ['is missing in the client', 'nothing', 'The client has no nothing.create'],
      ['lacks fields', 'account', 'account cannot store keys. It needs: id String @id'],
    ])('model that %s: responds with 500 and logs the reason', async (_, model, message) => {
      const lines: unknown[] = []
      // A handler would reject an exposed model.
      const around = {
        ...keys({ model }),
        around: (handler: object) => keys({ model }).around({ ...handler, resources: [] } as never),
      }
      const app = appOf(db, { rpc: { idempotency: around }, log: (_line, error) => lines.push(error) })
      expect([(await app.rpcPay('a', 'one')).status, String(lines)]).toEqual([500, expect.stringContaining(message)])
      expect(await counts()).toEqual([0, 0])
    })

    it('responds with 500 and logs if scope returns an empty text', async () => {
      const lines: unknown[] = []
      const app = appOf(db, { idempotency: { scope: () => '' }, log: (_line, error) => lines.push(error) })
      expect([(await app.pay('a', 'one')).status, String(lines)]).toEqual([
        500,
        expect.stringContaining('idempotency.scope'),
      ])
      expect(await counts()).toEqual([0, 0])
    })

    it('passes the request to scope', async () => {
      const app = appOf(db, {
        idempotency: { scope: async ({ request, style }) => style + request.headers.get('X-Tenant') },
      })
      await app.pay('a', 'one', { 'X-Tenant': 'red' })
      expect((await app.pay('b', 'one', { 'X-Tenant': 'blue' })).status).toBe(201)
    })

    it('runs no additional queries without a key', async () => {
      const without = (app: ReturnType<typeof appOf>, reference: string) => db.queriesOf(() => app.rpcPay(reference))
      const plain = appOf(db, { rpc: { idempotency: undefined } })
      expect(await without(appOf(db), 'a')).toEqual(await without(plain, 'b'))
    })
  },
  { fixture: 'payments' },
)

/** Hooks that block a payment until `go` is called. */
function gate() {
  let go = () => {}
  let markStarted = () => {}
  const opened = new Promise<void>((resolve) => (go = resolve))
  const started = new Promise<void>((resolve) => (markStarted = resolve))
  const after = async () => {
    markStarted()
    await opened
  }
  return { hooks: defineHooks({ Payment: { create: { after } } }), started, go }
}

describeDatabases(
  'idempotency: running request',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillPayments(db)
    })

    /** Sends the same request twice: to one app while the first request runs, and again after it has ended. */
    const twice = async (otherClient: unknown) => {
      const { hooks, started, go } = gate()
      const first = appOf(db, { rest: { hooks } }).pay('a', 'one')
      await started
      const other = appOf(db, { orm: () => otherClient })
      const { status, body, headers } = await other.pay('a', 'one')
      go()
      expect([status, body.errors[0].code, headers.get('Retry-After')]).toEqual([409, 'idempotency-key-in-use', '1'])
      const { text } = await first
      expect((await other.pay('a', 'one')).text).toBe(text)
      expect(await db.orm.payment.count()).toBe(1)
    }

    it('rejects a retry in the same process with 409 immediately', () => twice(db.orm))

    it.runIf(db.provider === 'postgresql')('rejects a retry in another process with 409 immediately', () =>
      twice(new Proxy(db.orm, {})),
    )
  },
  { fixture: 'payments' },
)

describeDatabases(
  'idempotency: with read replicas',
  (db) => {
    it('reads keys from the primary', async () => {
      await db.reset()
      await fillPayments(db)
      const replica = await staleReplica(db, 'payments', fillPayments)
      try {
        const client = replica.replicated(db.orm)
        const app = appOf(db, { orm: () => client })
        for (const pay of ['pay', 'rpcPay'] as const) {
          const first = await app[pay](pay, pay)
          const again = await app[pay](pay, pay)
          expect([first.status, again.text, again.headers.get(REPLAYED)]).toEqual([201, first.text, 'true'])
        }
        expect([await db.orm.payment.count(), await db.orm.idempotencyKey.count()]).toEqual([2, 2])
        expect(replica.takeCalls()).toEqual([])
      } finally {
        await replica.close()
      }
    })
  },
  { fixture: 'payments', only: ['SQLite'] },
)
