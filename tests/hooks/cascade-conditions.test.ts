import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/versions/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/versions/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { fillVersions } from '../rest/support/versions.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'

type Request = readonly [name: string, send: (clients: Clients) => Promise<{ readonly status: number }>]

interface Clients {
  readonly rest: ReturnType<typeof fixtureClient>
  readonly rpc: ReturnType<typeof fixtureRpc>
}

/** Deletes of account 1 if it has the given version. The cascade sets the foreign key of entries 1 and 2 to null. */
const deletesOf = (version: number): readonly Request[] => [
  ['REST', ({ rest }) => rest.delete('/account/1', undefined, { 'If-Match': `"${version}"` })],
  ['RPC delete', ({ rpc }) => rpc.call('account', 'delete', { where: { id: 1, version } })],
]

describeDatabases<'versions'>(
  'hooks: conditions of rows whose delete cascades to rows with hooks',
  (db) => {
    beforeEach(() => db.fill(fillVersions))

    /** Hooks of entries that change their account, like those that keep a total. */
    const total: AppHooks = {
      Entry: {
        update: {
          async after({ client, before: { accountId: id } }) {
            if (id !== null) await client.account.update({ where: { id }, data: { balance: { increment: 1 } } })
          },
        },
      },
    }
    const nothing = () => undefined
    const serve = (hooks: AppHooks, orm = db.orm): Clients => ({
      rest: fixtureClient({ ...db, orm }, { hooks: defineHooks(hooks) }),
      rpc: fixtureRpc(db, { hooks: defineHooks(hooks) } as object, orm),
    })
    const accounts = async () => (await db.orm.account.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)

    const restrict = (define: (can: ReturnType<typeof abilityBuilder>['can']) => void) => {
      const { can, build } = abilityBuilder()
      define(can)
      return db.orm.$extends(withPolicies(build())) as unknown as typeof db.orm
    }

    const restricted = () =>
      restrict((can) => {
        can('manage', ['Entry', 'Deposit', 'Holder'])
        can('manage', 'Account', { id: { gt: 0 } })
      })

    it.each(
      deletesOf(1).flatMap(([name, send]) => [
        [name, () => db.orm, send] as const,
        [`${name}, with policies`, restricted, send] as const,
      ]),
    )('%s: deletes a row with the current version although a hook changes it', async (_, extend, send) => {
      expect((await send(serve(total, extend()))).status).toBeLessThan(300)
      expect(await accounts()).toEqual([2])
      expect(await db.orm.entry.count({ where: { accountId: null } })).toBe(3)
    })

    it.each(deletesOf(2))('%s: does not delete a row with a different version', async (_, send) => {
      expect((await send(serve(total))).status).toBe(412)
      expect(await accounts()).toEqual([1, 2])
      expect(await db.orm.entry.count({ where: { accountId: 1 } })).toBe(2)
    })

    it.each([
      ['row hooks', total],
      ['row and bulk hooks', { ...total, Account: { delete: { after: nothing, many: { after: nothing } } } }],
    ] satisfies [string, AppHooks][])(
      'deleteMany, with %s: deletes the rows that matched before the cascade',
      async (_, hooks) => {
        const { rpc } = serve(hooks, restricted())
        const { body } = await rpc.call('account', 'deleteMany', { where: { id: 1, version: 1 } })
        expect(body.data).toEqual({ count: 1 })
        expect(await accounts()).toEqual([2])
      },
    )

    it.each([
      [{ none: {} }, 403, 2],
      [{ some: {} }, 204, 0],
    ] as const)('a rule %o about related rows applies before the hooks of the row', async (entries, status, left) => {
      const orm = restrict((can) => {
        can('manage', ['Entry', 'Deposit', 'Holder'])
        can('read', 'Account')
        can('delete', 'Account', { entries })
      })
      const hooks: AppHooks = {
        Account: {
          delete: {
            async before({ row, client }) {
              await client.entry.deleteMany({ where: { accountId: row.id } })
            },
          },
        },
      }
      expect((await serve(hooks, orm).rest.delete('/account/1')).status).toBe(status)
      expect(await db.orm.entry.count({ where: { accountId: 1 } })).toBe(left)
    })

    it.each([
      ['without hooks', {}],
      ['with hooks', total],
    ] satisfies [string, AppHooks][])(
      '%s: a rule about the related rows applies before the cascade',
      async (_, hooks) => {
        const { can, build } = abilityBuilder()
        can(['create', 'read', 'update'], 'all')
        can('delete', 'Account', { entries: { none: {} } })
        const orm = db.orm.$extends(withPolicies(build())) as unknown as typeof db.orm
        const { rest, rpc } = serve(hooks, orm)
        expect((await rest.delete('/account/1')).status).toBe(403)
        expect((await rpc.call('account', 'deleteMany', { where: { id: 1 } })).body.data).toEqual({ count: 0 })
        expect(await accounts()).toEqual([1, 2])
        expect(await db.orm.entry.count({ where: { accountId: 1 } })).toBe(2)
        expect((await rest.delete('/account/2')).status).toBe(204)
      },
    )
  },
  { fixture: 'versions' },
)
