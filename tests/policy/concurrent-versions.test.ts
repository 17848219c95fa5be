import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/versions/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/versions/expected/policy.js'
import { fixtureClient, type RestClient } from '../rest/support/client.js'
import { fillVersions } from '../rest/support/versions.js'
import { fixtureRpc, type RpcClient } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { runWhileLocked } from './support/concurrent-request.js'

interface Clients {
  readonly rest: RestClient
  readonly rpc: RpcClient
}

const headers = { 'If-Match': '"1"' }
const where = { id: 1, version: 1 }
const holders = { data: [{ type: 'holder', id: '1' }] }
const account = (more: object) => ({ data: { type: 'account', id: '1', attributes: { balance: 99 }, ...more } })
const upsert = {
  data: { type: 'account', attributes: { name: 'one', balance: 99 } },
  meta: { operation: 'upsert', matchFields: ['name'] },
}

/** Writes of account 1 if it has version 1. */
const WRITES: readonly (readonly [string, (clients: Clients) => Promise<{ readonly status: number }>])[] = [
  ['PATCH', ({ rest }) => rest.patch('/account/1', account({}), headers)],
  ['PATCH with members', ({ rest }) => rest.patch('/account/1', account({ relationships: { holders } }), headers)],
  ['DELETE', ({ rest }) => rest.delete('/account/1', undefined, headers)],
  ['upsert', ({ rest }) => rest.post('/account', upsert, headers)],
  ['POST of a member', ({ rest }) => rest.post('/account/1/relationships/holders', holders, headers)],
  ['RPC update', ({ rpc }) => rpc.call('account', 'update', { where, data: { balance: 99 } })],
  [
    'RPC update with a nested create',
    ({ rpc }) => rpc.call('account', 'update', { where, data: { balance: 99, entries: { create: { text: 'n' } } } }),
  ],
  ['RPC delete', ({ rpc }) => rpc.call('account', 'delete', { where })],
]

describeDatabases<'versions'>(
  'conditional writes while another transaction changes the version',
  (db) => {
    type Orm = typeof db.orm
    beforeEach(() => db.fill(fillVersions))

    const hooks = defineHooks({ Holder: { create: { after: () => undefined } } })
    const openRules = (orm: Orm): Orm => {
      const { can, build } = abilityBuilder()
      can('manage', 'all')
      return orm.$extends(withPolicies(build())) as unknown as Orm
    }
    const modes: readonly (readonly [string, object, (orm: Orm) => Orm])[] = [
      ['without policies and hooks', {}, (orm) => orm],
      ['with a hook of another model', { hooks }, (orm) => orm],
      ['with policies that allow everything', {}, openRules],
      ['with both', { hooks }, openRules],
    ]

    it.each(
      modes.flatMap(([mode, options, extend]) =>
        WRITES.map(([name, send]) => [`${name}, ${mode}`, options, extend, send] as const),
      ),
    )('%s: changes nothing and returns 412', async (_, options, extend, send) => {
      const orm = extend(db.orm)
      const clients = { rest: fixtureClient({ ...db, orm }, options), rpc: fixtureRpc(db, options as object, orm) }
      const bump = { where: { id: 1 }, data: { version: { increment: 1 } } } as const
      const { response, isWaiting } = await runWhileLocked(
        db as never,
        (tx) => (tx as unknown as Orm).account.update(bump),
        () => send(clients),
      )
      expect([isWaiting, response.status]).toEqual([true, 412])
      const include = { holders: true, entries: true } as const
      const stored = await db.orm.account.findUniqueOrThrow({ where: { id: 1 }, include })
      expect([stored.balance, stored.holders.length, stored.entries.length]).toEqual([0, 0, 2])
    })
  },
  { fixture: 'versions', concurrent: true },
)
