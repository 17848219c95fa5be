import { beforeEach, expect, it } from 'vitest'
import * as z from 'zod'

import { withRestRoutes, createRestClient } from '../../client/index.js'
import type { Api } from '../../fixtures/versions/expected/client.js'
import { implementRoutes } from '../../fixtures/versions/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/versions/expected/declare-routes.js'
import { describeDatabases } from '../support/databases.js'
import { ENDPOINT, MEDIA_TYPE } from './support/client.js'

const declarations = declareRoutes({
  account: {
    pay: {
      method: 'POST',
      path: '/:id/pay',
      body: z.object({ amount: z.int() }),
      result: 'Account',
      transaction: true,
    },
    payEntry: { method: 'POST', path: '/:id/pay-entry', transaction: true },
    one: { method: 'GET', path: '/:id/one', result: 'Account' },
    part: { method: 'GET', path: '/:id/part', result: 'Account' },
    holder: { method: 'GET', path: '/:id/holder', result: z.string() },
    notify: { method: 'POST', path: '/:id/notify', transaction: true },
  },
  bank: {
    move: {
      method: 'POST',
      path: '/:id/move',
      body: z.object({ city: z.string() }),
      result: 'Bank',
      transaction: true,
    },
  },
  entry: { edit: { method: 'POST', path: '/:id/edit', body: z.object({ text: z.string() }), result: 'Entry' } },
})

describeDatabases(
  'preconditions of declared routes',
  (db) => {
    let beforeWrite: (() => Promise<unknown>) | undefined
    let notified = 0
    beforeEach(async () => {
      await db.reset()
      beforeWrite = undefined
      notified = 0
      const bank = await db.orm.bank.create({ data: { name: 'One' } })
      await db.orm.account.create({ data: { name: 'A', bankId: bank.id } })
      await db.orm.entry.create({ data: { text: 'a' } })
    })

    const customRoutes = implementRoutes(declarations, {
      account: {
        async pay({ orm, where, body }) {
          await beforeWrite?.()
          return orm.account.update({
            where,
            data: { balance: { increment: body.amount }, version: { increment: 1 } },
          })
        },
        async payEntry({ orm, where }) {
          await orm.account.update({ where, data: { version: { increment: 1 } } })
          await orm.entry.findUniqueOrThrow({ where: { id: 99 } })
        },
        one: ({ orm, where }) => orm.account.findUniqueOrThrow({ where }),
        part: ({ orm, where }) => orm.account.findUniqueOrThrow({ where, select: { id: true, name: true } }),
        holder: () => 'Ann',
        notify: () => void notified++,
      },
      bank: { move: ({ orm, where, body }) => orm.bank.update({ where, data: body }) },
      entry: { edit: ({ orm, where, body }) => orm.entry.update({ where, data: body }) },
    })
    const handler = () =>
      db.routes.RestApiHandler({
        endpoint: ENDPOINT,
        routes: customRoutes,
      })
    const fetch = (request: Request) => handler().fetch(request, { getOrm: () => db.orm, prefix: '/api' })
    const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const init = {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...headers },
      }
      return fetch(new Request(`http://localhost/api${path}`, init))
    }
    const balance = async () => (await db.orm.account.findFirstOrThrow()).balance

    it.each([
      ['"1"', 200, 5],
      ['"7", "1"', 200, 5],
      ['*', 200, 5],
      ['"2"', 412, 0],
    ])('If-Match: %s: responds with %i', async (tag, status, expected) => {
      const response = await post('/account/1/pay', { amount: 5 }, { 'If-Match': tag })
      expect(response.status).toBe(status)
      expect(await balance()).toBe(expected)
    })

    it.each([
      [{ 'If-None-Match': '"1"' }, 412, 0],
      [{ 'If-None-Match': '"2", "1"' }, 412, 0],
      [{ 'If-None-Match': '"2"' }, 200, 5],
      [{ 'If-None-Match': '"2"', 'If-Match': '"1"' }, 200, 5],
      [{ 'If-None-Match': '"1"', 'If-Match': '*' }, 412, 0],
    ])('%o: responds with %i', async (headers, status, expected) => {
      const response = await post('/account/1/pay', { amount: 5 }, headers)
      expect(response.status).toBe(status)
      expect(await balance()).toBe(expected)
    })

    it('returns 412 if another request changes the resource to a version that the request excludes', async () => {
      beforeWrite = () => db.orm.account.update({ where: { id: 1 }, data: { version: 2 } })
      const response = await post('/account/1/pay', { amount: 5 }, { 'If-None-Match': '"2"' })
      expect(response.status).toBe(412)
      expect(await balance()).toBe(0)
    })

    it('returns 412 if another request changes the resource before the write', async () => {
      beforeWrite = () => db.orm.account.update({ where: { id: 1 }, data: { version: 2 } })
      const response = await post('/account/1/pay', { amount: 5 }, { 'If-Match': '"1"' })
      expect(response.status).toBe(412)
      expect(await balance()).toBe(0)
    })

    it('GET: validates the ETag like the generated route', async () => {
      const get = (path: string, headers: Record<string, string> = {}) =>
        fetch(new Request(`http://localhost/api${path}`, { headers }))
      const query = '?fields[account]=name'
      for (const path of ['/account/1', '/account/1/one', `/account/1${query}`, `/account/1/part${query}`]) {
        const etag = (await get(path)).headers.get('ETag') ?? ''
        expect(etag).toMatch(/^"1\./)
        const statusOf = async (headers: Record<string, string>) => (await get(path, headers)).status
        expect(await statusOf({ 'If-None-Match': etag })).toBe(304)
        expect(await statusOf({ 'If-None-Match': '"1.x"' })).toBe(200)
        expect(await statusOf({ 'If-Match': '"1"' })).toBe(200)
        expect(await statusOf({ 'If-Match': '"2"' })).toBe(412)
        expect(await statusOf({ 'If-Match': '1' })).toBe(400)
      }
    })

    it('returns 404 if the function does not find a row of another model after the write', async () => {
      expect((await post('/account/1/pay-entry', {}, { 'If-Match': '"1"' })).status).toBe(404)
    })

    it('returns 404 if the resource does not exist', async () => {
      expect((await post('/account/9/pay', { amount: 5 }, { 'If-Match': '"1"' })).status).toBe(404)
    })

    it.each(['"1"', '*'])('If-Match: %s: does not call the function if the resource does not exist', async (tag) => {
      const statuses = [9, 1].map(async (id) => (await post(`/account/${id}/notify`, {}, { 'If-Match': tag })).status)
      expect([await Promise.all(statuses), notified]).toEqual([[404, 204], 1])
    })

    it('If-None-Match: calls the function only if the resource does not exist', async () => {
      const headers = { 'If-None-Match': '*' }
      const statuses = [9, 1].map(async (id) => (await post(`/account/${id}/notify`, {}, headers)).status)
      expect([await Promise.all(statuses), notified]).toEqual([[204, 412], 1])
    })

    it('returns 412 if the model has no version', async () => {
      expect((await post('/entry/1/edit', { text: 'b' }, { 'If-Match': '"1"' })).status).toBe(412)
      expect(await db.orm.entry.findFirst()).toMatchObject({ text: 'a' })
    })

    it('returns 428 if the model requires a version', async () => {
      expect((await post('/bank/1/move', { city: 'X' })).status).toBe(428)
    })

    const operate = (...operations: readonly object[]) =>
      post(
        '/operations',
        { 'atomic:operations': operations },
        { 'Content-Type': `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"` },
      )
    const pay = (version?: string) => ({ op: 'add', href: '/account/1/pay', meta: { body: { amount: 5 }, version } })

    it.each([
      ['1', '2', 200, 10],
      ['1', '1', 412, 0],
      [undefined, undefined, 200, 10],
    ])('atomic operations with versions %s and %s: responds with %i', async (first, second, status, expected) => {
      const response = await operate(pay(first), pay(second))
      expect([response.status, await balance()]).toEqual([status, expected])
      if (status === 412) {
        const { errors } = await response.json()
        expect(errors).toMatchObject([{ source: { pointer: '/atomic:operations/1/meta/version' } }])
      }
    })

    it('atomic operations: returns 428 if the model requires a version', async () => {
      const response = await operate(pay(), { op: 'add', href: '/bank/1/move', meta: { body: { city: 'X' } } })
      expect([response.status, await balance()]).toEqual([428, 0])
    })

    it('atomic operations: sends the version of a resource that the client has read', async () => {
      const rest = withRestRoutes(createRestClient<Api>({ url: 'http://localhost/api', fetch }), declarations)
      const account = await rest.account.get(1)
      const [paid] = await rest.$operations([rest.account.pay.call(account, { amount: 5 })])
      expect(paid).toMatchObject({ id: '1', balance: 5 })
      await expect(rest.$operations([rest.account.pay.call(account, { amount: 5 })])).rejects.toMatchObject({
        status: 412,
        operation: 0,
      })
    })

    it('sends the version of a resource that the client has read', async () => {
      const rest = withRestRoutes(createRestClient<Api>({ url: 'http://localhost/api', fetch }), declarations)
      const account = await rest.account.get(1)
      expect(await rest.account.pay(account, { amount: 5 })).toMatchObject({ balance: 5 })
      await expect(rest.account.pay(account, { amount: 5 })).rejects.toMatchObject({ status: 412 })
    })
  },
  { fixture: 'versions' },
)
