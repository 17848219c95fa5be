import { expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/tenants/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillTenants } from '../policy/support/two-tenants.js'

interface Row {
  readonly value: string
  readonly documentId: number | null
}
interface Created {
  readonly row: Row
}
interface Changed extends Created {
  readonly before: Row
}

describeDatabases(
  'hooks: unique foreign key',
  (db) => {
    const secrets = async () => {
      const rows = await db.orm.secret.findMany({ orderBy: { id: 'asc' } })
      return rows.map(({ value, documentId }) => [value, documentId])
    }
    const CHANGES: readonly (readonly [operation: string, args: object, told: readonly unknown[]])[] = [
      [
        'update',
        { where: { id: 1 }, data: { document: { connect: { id: 3 } } } },
        [
          [3, null],
          [1, 3],
        ],
      ],
      [
        'create',
        { data: { value: 'new', document: { connect: { id: 3 } } } },
        [
          [3, null],
          ['new', 3],
        ],
      ],
      [
        'create',
        {
          data: {
            value: 'new',
            document: { connectOrCreate: { where: { id: 3 }, create: { title: 'x', projectId: 3, authorId: 3 } } },
          },
        },
        [
          [3, null],
          ['new', 3],
        ],
      ],
    ]
    it.each(CHANGES)(
      '%s: moves the key as without hooks and calls hooks for both rows',
      async (operation, args, expectedEvents) => {
        await db.fill(fillTenants)
        const plain = await fixtureRpc(db).call('secret', operation, args)
        const expected = await secrets()
        expect(plain.status).toBeLessThan(300)
        const ability = abilityBuilder()
        ability.can('read', 'all')
        ability.can('manage', 'Secret', { id: { gt: 0 } })
        for (const orm of [db.orm, db.orm.$extends(withPolicies(ability.build())) as unknown as typeof db.orm]) {
          const events: unknown[] = []
          const update = { after: ({ before, row }: Changed) => void events.push([before.documentId, row.documentId]) }
          const create = { after: ({ row }: Created) => void events.push([row.value, row.documentId]) }
          // Also if only updates have hooks.
          for (const hooks of [{ update, create }, { update }]) {
            events.length = 0
            await db.reset()
            await db.fill(fillTenants)
            const response = await fixtureRpc(db, { hooks: defineHooks({ Secret: hooks }) }, orm).call(
              'secret',
              operation,
              args,
            )
            expect(response.status, JSON.stringify(response.body)).toBe(plain.status)
            expect(await secrets()).toEqual(expected)
            expect(events).toEqual(
              'create' in hooks ? expectedEvents : expectedEvents.filter((one) => !String(one).startsWith('new')),
            )
          }
        }
      },
    )
  },
  { fixture: 'tenants' },
)
