import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/versions/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/versions/expected/policy.js'
import { idempotency } from '../../runtime/idempotency/index.js'
import { fixtureClient } from '../rest/support/client.js'
import { fillVersions } from '../rest/support/versions.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'

/** A driver adapter that records the isolation levels of the transactions that it starts. */
function recordingLevels(factory: SqlDriverAdapterFactory, levels: unknown[]): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    async connect() {
      const connected = await factory.connect()
      const startTransaction: SqlDriverAdapter['startTransaction'] = (level) => {
        levels.push(level)
        return connected.startTransaction(level)
      }
      return new Proxy(connected, {
        get(target, name) {
          const member: unknown = name === 'startTransaction' ? startTransaction : Reflect.get(target, name, target)
          return typeof member === 'function' ? member.bind(target) : member
        },
      })
    },
  }
}

describeDatabases(
  'hooks: isolation levels',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillVersions)
    })

    const hooks = defineHooks({ Account: { update: { before: ({ data }) => data } } })
    const account = { data: { type: 'account', id: '1', attributes: { balance: 5 } } }
    const WAYS: readonly (readonly [way: string, send: (orm: typeof db.orm) => Promise<number>])[] = [
      [
        'a transaction of the app with hooks',
        async (orm) => {
          const hooked = hooks.mount(orm, { context: undefined, style: 'rpc' }) as typeof db.orm
          await hooked.$transaction((inside) => inside.account.update({ where: { id: 1 }, data: { balance: 5 } }))
          return 200
        },
      ],
      [
        'a write with hooks',
        async (orm) => (await fixtureClient({ orm, routes: db.routes }, { hooks }).patch('/account/1', account)).status,
      ],
      [
        'a write under policies',
        async (orm) => {
          const { can, build } = abilityBuilder()
          can('manage', 'Account', { id: { gt: 0 } })
          const client = { orm: orm.$extends(withPolicies(build())), routes: db.routes }
          return (await fixtureClient(client).patch('/account/1', account)).status
        },
      ],
      [
        'a request with an idempotency key',
        async (orm) => {
          const keys = idempotency({ model: 'idempotencyKey', scope: () => 'everybody' })
          const rest = fixtureClient({ orm, routes: db.routes }, { idempotency: keys })
          return (await rest.patch('/account/1', account, { 'Idempotency-Key': '"one"' })).status
        },
      ],
      [
        'an RPC transaction',
        async (orm) => {
          const args = { where: { id: 1 }, data: { balance: 5 } }
          return (
            await fixtureRpc(db, { transactions: true }, orm).fetch('/$transaction/sequential', {
              method: 'POST',
              headers: { 'Content-Type': 'application/json' },
              body: JSON.stringify([{ model: 'account', op: 'update', args }]),
            })
          ).status
        },
      ],
    ]

    for (const [way, send] of WAYS) {
      it(`${way}: uses READ COMMITTED unless the client sets Serializable`, async () => {
        const [row] = await db.orm.$queryRawUnsafe<{ name: string }[]>('SELECT database() AS name')
        const url = new URL(process.env['TEST_MYSQL_URL'] ?? '')
        url.pathname = row?.name ?? ''
        for (const [options, level] of [
          [{}, 'READ COMMITTED'],
          [{ transactionOptions: { isolationLevel: 'Serializable' } }, 'SERIALIZABLE'],
        ] as const) {
          const levels: unknown[] = []
          const adapter = recordingLevels(new PrismaMariaDb(url.href), levels)
          const orm = new db.client.PrismaClient({ ...options, adapter })
          expect(await send(orm), level).toBe(200)
          expect(levels, level).toEqual([level])
          await orm.$disconnect()
        }
      })
    }
  },
  { fixture: 'versions', only: ['mysql'] },
)
