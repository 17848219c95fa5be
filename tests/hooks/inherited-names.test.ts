import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/names/expected/hooks.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc, methodOf } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'

/** Hooks that do not change the results. */
const HOOKS: Readonly<Record<string, AppHooks>> = {
  'a mask of another model': { Word: { mask: { is: () => 'x' } } },
  'a create hook': { Prototype: { create: { before: ({ data }) => data } } },
  'an update hook': { Prototype: { update: { before: ({ data }) => data } } },
}

describeDatabases(
  'hooks: fields named like members that every object inherits',
  (db) => {
    beforeEach(() =>
      db.fill(async ({ orm }) => {
        await orm.prototype.create({ data: { id: 1, constructor: 'a' } })
      }),
    )

    it.each(Object.entries(HOOKS))('%s: reads and writes them like other fields', async (_name, hooks) => {
      const rest = fixtureClient({ orm: db.orm, routes: db.routes }, { hooks: defineHooks(hooks) })
      const rpc = fixtureRpc(db, { hooks: defineHooks(hooks) })
      // Sent as plain JSON, because superjson's own client rejects such names.
      const call = (operation: string, args: unknown) => {
        const method = methodOf(operation)
        return rpc.fetch(`/prototype/${operation}`, {
          method: method === 'GET' ? 'POST' : method,
          body: JSON.stringify(args),
          headers: { 'Content-Type': 'application/json' },
        })
      }
      expect((await rest.get('/prototype?filter[constructor]=a')).ids).toEqual(['1'])
      const post = { data: { type: 'prototype', id: '2', attributes: { constructor: 'b' } } }
      expect((await rest.post('/prototype', post)).status).toBe(201)
      const incomplete = { data: { type: 'prototype', id: '3', attributes: {} } }
      expect(await rest.post('/prototype', incomplete)).toMatchObject({
        status: 422,
        errors: [{ code: 'missing-attribute', source: { pointer: '/data/attributes/constructor' } }],
      })
      const nested = { id: 3, constructor: 'c', isPrototypeOf: { create: { id: 4, constructor: 'd' } } }
      expect(await call('create', { data: nested })).toMatchObject({ status: 201 })
      const where = { id: 4 }
      expect(await call('findUnique', { where })).toMatchObject({
        body: { data: { id: 4, constructor: 'd', valueOf: 3 } },
      })
      expect(await call('update', { where, data: { constructor: 'e' } })).toMatchObject({ status: 200 })
    })
  },
  { fixture: 'names' },
)
