import { beforeEach, expect, it } from 'vitest'
import * as z from 'zod'

import { implementRoutes } from '../../fixtures/versions/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/versions/expected/declare-routes.js'
import { abilityBuilder, withPolicies } from '../../fixtures/versions/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { fillVersions } from '../rest/support/versions.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { staleReplica } from './support/stale-replica.js'

const declarations = declareRoutes({
  account: { pay: { method: 'POST', path: '/:id/pay', body: z.object({ amount: z.int() }), result: 'Account' } },
})
const routes = implementRoutes(declarations, {
  account: {
    pay: ({ orm, where, body }) =>
      orm.account.update({ where, data: { balance: { increment: body.amount }, version: { increment: 1 } } }),
  },
})

const path = '/account/1/pay'
const body = { amount: 1 }
const balance = (id: string) => ({ data: { type: 'account', id, attributes: { balance: 9 } } })

/** Writes that the state of the primary decides, with the expected status in REST. */
const REQUESTS: readonly [
  name: string,
  method: 'post' | 'patch',
  path: string,
  body: object,
  headers: Record<string, string>,
  status: number,
][] = [
  ['a declared route with the current version', 'post', path, body, { 'If-Match': '"5"' }, 200],
  ['a declared route with an outdated version', 'post', path, body, { 'If-Match': '"1"' }, 412],
  ['a declared route of a new row', 'post', '/account/3/pay', body, { 'If-Match': '*' }, 200],
  ['a declared route of an existing row', 'post', '/account/3/pay', body, { 'If-None-Match': '*' }, 412],
  ['a nested route of a new to-one target', 'patch', '/entry/3/account', balance('1'), {}, 200],
  ['a nested route of a new member', 'patch', '/bank/3/accounts/2', balance('2'), {}, 200],
]

describeDatabases(
  'declared and nested routes of a client with a replica that lags behind',
  (db) => {
    type Orm = typeof db.orm

    beforeEach(async () => {
      await db.reset()
      await fillVersions(db)
    })

    const withRules = (orm: Orm): Orm => {
      const { can, build } = abilityBuilder()
      can('manage', 'all')
      return orm.$extends(withPolicies(build())) as unknown as Orm
    }

    const withReplica = async <R>(run: (orm: Orm) => Promise<R>) => {
      const replica = await staleReplica(db, 'versions', fillVersions)
      try {
        await db.orm.account.update({ where: { id: 1 }, data: { version: 5 } })
        await db.orm.account.create({ data: { id: 3, name: 'three', bankId: 1 } })
        await db.orm.bank.create({ data: { id: 3, name: 'Third' } })
        await db.orm.account.update({ where: { id: 2 }, data: { bankId: 3 } })
        await db.orm.entry.update({ where: { id: 3 }, data: { accountId: 1 } })
        return await run(replica.replicated(db.orm))
      } finally {
        await replica.close()
      }
    }

    it.each(
      REQUESTS.flatMap(([name, ...request]) => [
        [name, request, (orm: Orm) => orm] as const,
        [`${name}, with policies`, request, withRules] as const,
      ]),
    )('REST: %s', async (_name, [method, url, sent, headers, status], extend) => {
      const response = await withReplica((orm) =>
        fixtureClient({ ...db, orm: extend(orm) }, { routes })[method](url, sent, headers),
      )
      expect(response.status).toBe(status)
    })

    it.each([
      [5, 200],
      [1, 412],
    ])('RPC: a declared route with version %i', async (version, status) => {
      const response = await withReplica((orm) =>
        fixtureRpc(db, { routes }, orm).call('account', 'pay', { id: 1, amount: 1, version }, 'POST'),
      )
      expect(response.status).toBe(status)
    })
  },
  { fixture: 'versions', only: ['SQLite'] },
)
