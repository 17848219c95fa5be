import { beforeEach, expect, it } from 'vitest'
import * as z from 'zod'

import { createRpcClient, toFormErrors, withRpcRoutes } from '../../client/index.js'
import type { Api } from '../../fixtures/versions/expected/client.js'
import { implementRoutes } from '../../fixtures/versions/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/versions/expected/declare-routes.js'
import { describeDatabases } from '../support/databases.js'

const declarations = declareRoutes({
  account: {
    pay: {
      method: 'POST',
      path: '/:id/pay',
      body: z.strictObject({ amount: z.int() }),
      result: 'Account',
      transaction: true,
    },
    close: { method: 'DELETE', path: '/:id/close' },
    holder: { method: 'GET', path: '/:id/holder', query: z.strictObject({}), result: z.string() },
  },
  bank: { move: { method: 'POST', path: '/:id/move', body: z.object({ city: z.string() }), result: 'Bank' } },
  entry: { edit: { method: 'POST', path: '/:id/edit', body: z.strictObject({ text: z.string() }), result: 'Entry' } },
  seat: { take: { method: 'PUT', path: '/:id/take', result: 'Seat' } },
})

describeDatabases(
  'versions in declared RPC routes',
  (db) => {
    let beforeWrite: (() => Promise<unknown>) | undefined
    beforeEach(async () => {
      await db.reset()
      beforeWrite = undefined
      const bank = await db.orm.bank.create({ data: { name: 'One' } })
      await db.orm.account.create({ data: { name: 'A', bankId: bank.id } })
      await db.orm.entry.create({ data: { text: 'a' } })
    })

    const routes = implementRoutes(declarations, {
      account: {
        async pay({ orm, where, body }) {
          await beforeWrite?.()
          return orm.account.update({
            where,
            data: { balance: { increment: body.amount }, version: { increment: 1 } },
          })
        },
        // Does not pass the version on.
        async close({ orm, where: { id } }) {
          await orm.account.update({ where: { id: id ?? 0 }, data: { notes: 'closed' } })
        },
        holder: () => 'Ann',
      },
      bank: { move: ({ orm, where, body }) => orm.bank.update({ where, data: body }) },
      entry: { edit: ({ orm, where, body }) => orm.entry.update({ where, data: body }) },
      seat: {
        take: ({ orm, where }) => orm.seat.update({ where, data: { guest: 'Ann', revision: { increment: 1 } } }),
      },
    })
    const handler = () => db.routes.RPCApiHandler({ routes })
    const fetch = (request: Request) => handler().fetch(request, { getOrm: () => db.orm, prefix: '/api' })
    const send = async (path: string, args: object, headers: Record<string, string> = {}) => {
      const init = {
        method: 'POST',
        body: JSON.stringify(args),
        headers: { 'Content-Type': 'application/json', ...headers },
      }
      const response = await fetch(new Request(`http://localhost/api${path}`, init))
      return { status: response.status, text: await response.text() }
    }
    const api = () => withRpcRoutes(createRpcClient<Api>({ url: 'http://localhost/api', fetch }), declarations)
    const balance = async () => (await db.orm.account.findFirstOrThrow()).balance

    it.each([
      [1, 200, 5],
      [undefined, 200, 5],
      [2, 412, 0],
      [{ gte: 1 }, 400, 0],
      [null, 400, 0],
      ['1', 422, 0],
    ])('version %j: responds with %i', async (version, status, expected) => {
      const { status: actual } = await send('/account/pay', { id: 1, version, amount: 5 })
      expect([actual, await balance()]).toEqual([status, expected])
    })

    it('checks the version before routes that do not pass it on, and returns 412', async () => {
      await expect(api().account.close({ id: 1, version: 7 })).rejects.toMatchObject({
        status: 412,
        message: 'version is out of date, because the Account has been changed. Read it again.',
      })
      expect((await db.orm.account.findFirstOrThrow()).notes).toBeNull()
      expect(await api().account.close({ id: 1, version: 1 })).toBeNull()
    })

    it('returns 412 if another request changes the row before the write', async () => {
      beforeWrite = () => db.orm.account.update({ where: { id: 1 }, data: { version: 2 } })
      expect((await send('/account/pay', { id: 1, version: 1, amount: 5 })).status).toBe(412)
      expect(await balance()).toBe(0)
    })

    it('does not call the function if the row does not exist', async () => {
      const message = 'There is no Account with this id.'
      await expect(api().account.close({ id: 9, version: 1 })).rejects.toMatchObject({ status: 404, message })
    })

    it('returns 404 if the row does not exist', async () => {
      expect((await send('/account/pay', { id: 9, version: 1, amount: 5 })).status).toBe(404)
    })

    it('returns 428 if the model requires a version', async () => {
      const { status } = await send('/bank/move', { id: 1, city: 'X' })
      expect(status).toBe(428)
      const outdated = api().bank.move({ id: 1, updatedAt: new Date(0), city: 'X' })
      await expect(outdated).rejects.toMatchObject({ status: 412 })
    })

    it('combines the version with a compound id', async () => {
      await db.orm.seat.create({ data: { row: 1, number: 2 } })
      const take = (revision: number) => api().seat.take({ row_number: { row: 1, number: 2 }, revision })
      await expect(take(1)).rejects.toMatchObject({ status: 412 })
      expect(await take(0)).toMatchObject({ guest: 'Ann', revision: 1 })
    })

    it('rejects a version if the model has none, and in reads', async () => {
      expect((await send('/entry/edit', { id: 1, version: 1, text: 'b' })).status).toBe(400)
      const path = `/account/holder?q=${encodeURIComponent(JSON.stringify({ id: 1, version: 1 }))}`
      expect((await fetch(new Request(`http://localhost/api${path}`))).status).toBe(400)
    })

    it.each(['If-Match', 'If-None-Match'])(
      'rejects %s, instead of changing the row regardless of it',
      async (header) => {
        const { status, text } = await send('/account/pay', { id: 1, amount: 5 }, { [header]: '*' })
        expect([status, await balance()]).toEqual([400, 0])
        expect(text).toContain('Send the version of the row as the argument \\"version\\".')
        const withoutVersion = await send('/entry/edit', { id: 1, text: 'b' }, { [header]: '*' })
        expect(withoutVersion.status).toBe(400)
        expect(withoutVersion.text).toContain(`${header} is not supported. Remove the header.`)
      },
    )

    it('rolls a transaction back if one of its rows has another version', async () => {
      const { $transaction, account } = api()
      const pay = (version: number) => account.pay.call({ id: 1, version, amount: 5 })
      await expect($transaction([pay(1), pay(1)])).rejects.toMatchObject({
        status: 412,
        message: 'Operation 1: version is out of date, because the Account has been changed. Read it again.',
      })
      expect(await balance()).toBe(0)
      expect(await $transaction([pay(1), pay(2)])).toMatchObject([{ balance: 5 }, { balance: 10 }])
    })

    it('reports an outdated version as an error of the form', async () => {
      const error: unknown = await api()
        .account.pay({ id: 1, version: 9, amount: 5 })
        .catch((reason: unknown) => reason)
      const message = 'version is out of date, because the Account has been changed. Read it again.'
      expect(toFormErrors(error)).toEqual({ fields: [], form: [message] })
    })

    it('requires the version in the types of models that require it', () => {
      // `@ts-expect-error` asserts that the compiler rejects the next call. If the call compiles, `npm run typecheck` fails. The function is
      // not called.
      const check = () => {
        const { account, bank, entry } = api()
        void account.pay({ id: 1, amount: 5 })
        // @ts-expect-error The version is required.
        void bank.move({ id: 1, city: 'X' })
        // @ts-expect-error The model has no version.
        void entry.edit({ id: 1, version: 1, text: 'b' })
        // @ts-expect-error Reads have no version.
        void account.holder({ id: 1, version: 1 })
      }
      expect(check).toBeTypeOf('function')
    })
  },
  { fixture: 'versions' },
)
