import { beforeEach, expect, it } from 'vitest'
import * as z from 'zod'

import { implementRoutes } from '../../fixtures/payments/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/payments/expected/declare-routes.js'
import { abilityBuilder, withPolicies } from '../../fixtures/payments/expected/policy.js'
import { MEDIA_TYPE } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { type AppOptions, appOf, fillPayments, keyed } from './support.js'

const REPLAYED = 'Idempotent-Replayed'

const body = z.object({ reference: z.string().min(1) })
const declarations = declareRoutes({
  account: {
    deposit: {
      method: 'POST',
      path: '/:id/deposit',
      body,
      result: 'Payment',
      errors: { frozen: 409 },
      transaction: true,
    },
    transfer: { method: 'POST', path: '/:id/transfer', body, result: z.object({ balance: z.int() }) },
    split: { method: 'POST', path: '/:id/split', body, result: ['Payment'] },
    tolerant: { method: 'POST', path: '/:id/tolerant', body },
    close: { method: 'DELETE', path: '/:id/close', query: z.object({ reason: z.string() }) },
    total: { method: 'GET', path: '/total', result: z.object({ calls: z.int() }) },
  },
  payments: { create: { method: 'POST', path: '/create', body, result: 'Payment', errors: { frozen: 409 } } },
})

/** Calls of the implementations, and of the middleware in front of them. */
const calls = { routes: 0, middleware: 0 }

const routes = implementRoutes(
  declarations,
  {
    account: {
      // Without a key, these writes are separate.
      async deposit({ orm, where, body: { reference }, fail }) {
        calls.routes++
        const account = await orm.account.update({ where, data: { balance: { increment: 5 } } })
        const payment = await orm.payment.create({ data: { reference, amount: 5, accountId: account.id } })
        if (reference === 'frozen') throw fail('frozen', 'The account is frozen.')
        return payment
      },
      transfer: ({ orm, where, body: { reference } }) =>
        orm.$transaction(async (tx) => {
          calls.routes++
          const { id, balance } = await tx.account.update({ where, data: { balance: { increment: 5 } } })
          await tx.payment.create({ data: { reference, amount: 5, accountId: id } })
          return { balance }
        }),
      split: ({ orm, body: { reference } }) => {
        calls.routes++
        const create = (name: string) => orm.payment.create({ data: { reference: name, amount: 1, accountId: 1 } })
        return orm.$transaction([create(`${reference} a`), create(reference)])
      },
      async tolerant({ orm, where, body: { reference } }) {
        await orm.account.update({ where, data: { balance: 7 } })
        const pay = orm.$transaction(async (tx) => {
          for (const name of [`${reference} 2`, reference]) {
            await tx.payment.create({ data: { reference: name, amount: 1, accountId: 1 } })
          }
        })
        await pay.catch(() => undefined)
      },
      async close({ orm, where, query }) {
        calls.routes++
        await orm.account.update({ where, data: { owner: query.reason } })
      },
      total: () => ({ calls: ++calls.routes }),
    },
    payments: {
      async create({ orm, body: { reference }, fail }) {
        calls.routes++
        const payment = await orm.payment.create({ data: { reference, amount: 5, accountId: 1 } })
        if (reference === 'frozen') throw fail('frozen', 'The account is frozen.')
        return payment
      },
    },
  },
  {
    rest: (app) =>
      app.use(async (c, next) => {
        c.header('Set-Cookie', `visit=${++calls.middleware}`)
        await next()
      }),
  },
)

describeDatabases(
  'idempotency: declared routes',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillPayments(db)
      Object.assign(calls, { routes: 0, middleware: 0 })
    })
    const app = (options: AppOptions = {}) => appOf(db, { ...options, rest: { routes }, rpc: { routes } })
    const send = (style: string, name: string, reference: string, key?: string, served = app()) =>
      style === 'rest'
        ? served.send('POST', `/rest/account/1/${name}`, { reference }, keyed(key))
        : served.send('POST', `/rpc/account/${name}`, { id: 1, reference }, keyed(key))
    const stored = async () => [
      await db.orm.payment.count(),
      (await db.orm.account.findUniqueOrThrow({ where: { id: 1 } })).balance,
      await db.orm.idempotencyKey.count(),
    ]

    it.each([
      ['rest', 'deposit'],
      ['rpc', 'deposit'],
      ['rest', 'transfer'],
      ['rpc', 'transfer'],
    ])('%s: runs %s once and returns its response to a retry', async (style, name) => {
      const without = await send(style, name, 'other')
      const first = await send(style, name, 'one', 'one')
      const retry = await send(style, name, 'one', 'one')
      expect([without.status, first.status, retry.status, retry.text]).toEqual([200, 200, 200, first.text])
      expect([first.headers.get(REPLAYED), retry.headers.get(REPLAYED)]).toEqual([null, 'true'])
      expect([calls.routes, await stored()]).toEqual([2, [2, 10, 1]])
      expect((await send(style, name, 'two', 'one')).status).toBe(422)
      expect(calls.routes).toBe(2)
    })

    it.each([
      ['rest', 'deposit'],
      ['rpc', 'deposit'],
      ['rest', 'transfer'],
      ['rpc', 'transfer'],
    ])('%s: rolls back %s if the caller may not read a row that it writes', async (style, name) => {
      const { can, build } = abilityBuilder()
      can(['read', 'update'], 'Account')
      can('create', 'Payment')
      const orm = () => db.orm.$extends(withPolicies(build()))
      for (const attempt of [1, 2]) {
        const { status, text } = await send(style, name, 'one', 'one', app({ orm }))
        expect([status, text]).toEqual([403, expect.stringContaining('Nothing was changed.')])
        expect([calls.routes, await stored()]).toEqual([attempt, [0, 0, 0]])
      }
    })

    it.each(['rest', 'rpc'])(
      '%s: rolls back all writes of a failed route, so that a retry runs it again',
      async (style) => {
        const without = await send(style, 'deposit', 'frozen')
        expect([without.status, await stored()]).toEqual([409, [1, 5, 0]])
        await db.reset()
        await fillPayments(db)
        for (const attempt of [1, 2]) {
          const failed = await send(style, 'deposit', 'frozen', 'one')
          expect([failed.status, failed.text, failed.headers.get(REPLAYED)]).toEqual([409, without.text, null])
          expect([calls.routes, await stored()]).toEqual([attempt + 1, [0, 0, 0]])
        }
        expect((await send(style, 'deposit', '', 'one')).status).toBe(style === 'rest' ? 422 : 400)
        expect((await send(style, 'deposit', 'fine', 'one')).status).toBe(200)
        expect(await stored()).toEqual([1, 5, 1])
      },
    )

    it.each(['rest', 'rpc'])('%s: runs a route without a model once', async (style) => {
      const create = (reference: string, key: string) =>
        app().send('POST', `/${style}/payments/create`, { reference }, keyed(key))
      const failed = await create('frozen', 'zero')
      expect([failed.status, await stored()]).toEqual([409, [0, 0, 0]])
      const first = await create('one', 'one')
      const retry = await create('one', 'one')
      expect([first.status, retry.text, retry.headers.get(REPLAYED)]).toEqual([200, first.text, 'true'])
      expect([calls.routes, await stored()]).toEqual([2, [1, 0, 1]])
      expect((await create('two', 'one')).status).toBe(422)
    })

    const sendBatch = (style: string, reference: string, key: string) => {
      const served = app()
      const references = [`${reference} 1`, reference]
      if (style === 'rest') {
        const headers = { ...keyed(key), 'Content-Type': `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"` }
        const operations = references.map((name) => {
          return { op: 'add', href: '/account/1/deposit', meta: { body: { reference: name } } }
        })
        return served.send('POST', '/rest/operations', { 'atomic:operations': operations }, headers)
      }
      const calls = references.map((name) => ({ model: 'Account', op: 'deposit', args: { id: 1, reference: name } }))
      return served.send('POST', '/rpc/$transaction/sequential', calls, keyed(key))
    }

    it.each(['rest', 'rpc'])('%s: runs the routes of a transaction once', async (style) => {
      const first = await sendBatch(style, 'one', 'a')
      const retry = await sendBatch(style, 'one', 'a')
      expect([first.status, retry.text, retry.headers.get(REPLAYED)]).toEqual([200, first.text, 'true'])
      expect([calls.routes, await stored()]).toEqual([2, [2, 10, 1]])
    })

    it.each(['rest', 'rpc'])('%s: rolls back all routes of a failed transaction', async (style) => {
      for (const attempt of [1, 2]) {
        expect((await sendBatch(style, 'frozen', 'a')).status).toBe(409)
        expect([calls.routes, await stored()]).toEqual([2 * attempt, [0, 0, 0]])
      }
    })

    it.each(['rest', 'rpc'])('%s: runs a list of queries in the transaction of the key', async (style) => {
      const first = await send(style, 'split', 'one', 'one')
      const retry = await send(style, 'split', 'one', 'one')
      expect([first.status, retry.text, await stored()]).toEqual([200, first.text, [2, 0, 1]])
      await db.orm.payment.delete({ where: { reference: 'one a' } })
      expect((await send(style, 'split', 'one', 'two')).status).toBe(409)
      expect(await stored()).toEqual([1, 0, 1])
    })

    it('runs a transaction of a route in a savepoint, so that the route can catch its error', async () => {
      await db.orm.payment.create({ data: { reference: 'one', amount: 1, accountId: 1 } })
      for (const key of ['a', 'a', undefined]) expect((await send('rest', 'tolerant', 'one', key)).status).toBe(204)
      expect(await stored()).toEqual([1, 7, 1])
    })

    it('rolls back a route whose own transaction fails', async () => {
      await send('rest', 'transfer', 'one')
      for (const style of ['rest', 'rpc']) {
        const failed = await send(style, 'transfer', 'one', style)
        expect([failed.status, await stored()]).toEqual([409, [1, 5, 0]])
      }
    })

    it.each(['rest', 'rpc'])('%s: runs one of several concurrent requests', async (style) => {
      const served = app()
      const responses = await Promise.all(Array.from({ length: 6 }, () => send(style, 'deposit', 'one', 'one', served)))
      expect(responses.filter(({ status, headers }) => status === 200 && !headers.has(REPLAYED))).toHaveLength(1)
      expect(responses.every(({ status }) => status === 200 || status === 409)).toBe(true)
      expect([calls.routes, await stored()]).toEqual([1, [1, 5, 1]])
    })

    it('supports DELETE with a query, and ignores keys of GET', async () => {
      for (const _ of [1, 2]) {
        expect((await app().send('DELETE', '/rest/account/1/close?reason=moved', undefined, keyed('a'))).status).toBe(
          204,
        )
        const { body } = await app().send('GET', '/rest/account/total', undefined, keyed('a'))
        expect(body.meta.result.calls).toBe(calls.routes)
      }
      expect(calls.routes).toBe(3)
      expect(await db.orm.account.findUnique({ where: { id: 1 } })).toMatchObject({ owner: 'moved' })
    })

    it('requires a key if keys are required, but not for DELETE', async () => {
      const strict = app({ idempotency: { required: true } })
      for (const style of ['rest', 'rpc']) {
        expect((await send(style, 'deposit', 'one', undefined, strict)).status).toBe(400)
        expect((await send(style, 'deposit', style, style, strict)).status).toBe(200)
      }
      expect((await strict.send('DELETE', '/rest/account/1/close?reason=moved')).status).toBe(204)
      expect(calls.routes).toBe(3)
    })

    it('runs middleware for replayed responses too, and does not store its headers', async () => {
      const cookies: (string | null)[] = []
      for (const _ of [1, 2]) cookies.push((await send('rest', 'deposit', 'one', 'one')).headers.get('Set-Cookie'))
      expect(cookies).toEqual(['visit=1', 'visit=2'])
    })

    it('separates the keys of callers', async () => {
      const post = (caller: string) =>
        app().send('POST', '/rest/account/1/transfer', { reference: caller }, { ...keyed('one'), 'X-Caller': caller })
      expect([(await post('ann')).status, (await post('ben')).status, await stored()]).toEqual([200, 200, [2, 10, 2]])
    })
  },
  { fixture: 'payments' },
)
