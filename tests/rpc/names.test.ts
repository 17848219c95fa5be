import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { type TestResponse, fixtureRpc, methodOf } from './client.js'

const NAMES = ['constructor', 'toString', 'prototype'] as const

describeDatabases(
  'RPC: fields named like JavaScript built-ins',
  (db) => {
    beforeEach(() => db.reset())

    // Sent as plain JSON, because superjson's own client rejects such keys.
    function api(model: string, operation: string, args: unknown): Promise<TestResponse> {
      const read = methodOf(operation) === 'GET'
      const init = { method: read ? 'POST' : methodOf(operation), body: JSON.stringify(args) }
      return fixtureRpc(db).fetch(`/${model}/${operation}`, {
        ...init,
        headers: { 'Content-Type': 'application/json' },
      })
    }

    it.each(NAMES)('%s: behaves like any other field in reads and writes', async (name) => {
      const row = { id: 1, constructor: null, toString: null, prototype: null }
      const created = await api('object', 'create', { data: { id: 1, [name]: 'a' } })
      expect([created.status, created.body.data]).toEqual([201, { ...row, [name]: 'a' }])
      await api('object', 'createMany', { data: [{ id: 2, [name]: 'b' }] })
      const updated = await api('object', 'update', { where: { id: 2 }, data: { [name]: { set: 'c' } } })
      expect(updated.body.data).toEqual({ ...row, id: 2, [name]: 'c' })
      const reads = {
        findMany: { where: { [name]: { startsWith: 'c' } }, select: { [name]: true }, distinct: name },
        findFirst: { orderBy: { [name]: 'desc' }, omit: { id: true } },
        groupBy: { by: name, having: { [name]: 'c' }, _count: { [name]: true }, orderBy: { [name]: 'asc' } },
        aggregate: { _max: { [name]: true } },
      }
      const { id: _, ...others } = row
      for (const [operation, data] of Object.entries({
        findMany: [{ [name]: 'c' }],
        findFirst: { ...others, [name]: 'c' },
        groupBy: [{ [name]: 'c', _count: { [name]: 1 } }],
        aggregate: { _max: { [name]: 'c' } },
      })) {
        const response = await api('object', operation, Reflect.get(reads, operation))
        expect([response.status, response.body.data], response.body.message).toEqual([200, data])
      }
    })

    it.each(NAMES)('%s: rejects it like an unknown name, with 400, if the model lacks it', async (name) => {
      for (const args of [{ where: { [name]: 'a' } }, { select: { [name]: true } }, { [name]: {} }]) {
        const response = await api('hono', 'findMany', args)
        expect(response.status).toBe(400)
        const unknown = JSON.parse(JSON.stringify(args).replace(name, 'nope')) as unknown
        const other = await api('hono', 'findMany', unknown)
        expect(other.body.message).toBe(response.body.message?.replace(name, 'nope'))
      }
    })

    it('rejects __proto__ with 400 at every position', async () => {
      for (const args of [
        '{"where":{"__proto__":{"id":1}}}',
        '{"__proto__":{}}',
        '{"select":{"id":true,"__proto__":true}}',
      ]) {
        expect((await api('object', 'findMany', JSON.parse(args))).status).toBe(400)
      }
    })
  },
  { fixture: 'names' },
)
