import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

const MEMBERS = 1000

describeDatabases(
  'policy: relationship writes with many members',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillTenants(db)
      const data = Array.from({ length: MEMBERS }, (_, index) => ({ name: `l${index}`, organisationId: 2 }))
      await db.orm.label.createMany({ data })
    })

    const rest = (client: object = db.orm) => {
      const { can, build } = abilityBuilder()
      can('read', 'all')
      can('update', 'Document', { project: { organisationId: 2 } })
      can('update', 'Label', { organisationId: 2 })
      return fixtureClient({ orm: withPolicies(build())(client), routes: db.routes })
    }
    const labels = (from: number, count: number) => ({
      data: Array.from({ length: count }, (_, index) => ({ type: 'label', id: String(from + index) })),
    })
    const countConnected = () => db.orm.label.count({ where: { documents: { some: { id: 3 } } } })

    it('writes 1000 members with fewer than 60 queries', async () => {
      await db.orm.document.update({ where: { id: 3 }, data: { labels: { set: [] } } })
      const path = '/document/3/relationships/labels'
      const steps = [
        [() => rest().post(path, labels(4, MEMBERS)), MEMBERS],
        [() => rest().delete(path, labels(4, MEMBERS - 1)), 1],
        [() => rest().patch(path, labels(4, MEMBERS)), MEMBERS],
        [() => rest().patch(path, labels(1, 0)), 0],
      ] as const
      for (const [step, count] of steps) {
        const queries = await db.queriesOf(async () => expect((await step()).status).toBe(200))
        expect(queries.length).toBeLessThan(60)
        expect(await countConnected()).toBe(count)
      }
    })

    it('rejects with 403 and changes no member if one is denied', async () => {
      const before = await countConnected()
      const path = '/document/3/relationships/labels'
      expect((await rest().post(path, labels(3, 300))).status).toBe(403)
      // Label 1 is connected and belongs to another tenant.
      expect((await rest().patch(path, labels(4, 300))).status).toBe(403)
      expect((await rest().delete(path, labels(1, 300))).status).toBe(403)
      expect(await countConnected()).toBe(before)
    })

    it('rejects a member that does not exist with 404', async () => {
      const response = await rest().post('/document/3/relationships/labels', labels(MEMBERS, 10))
      expect(response.status).toBe(404)
    })

    it('responds with 503 transaction-timeout if the transaction times out', async () => {
      const slow = db.orm.$extends({
        query: {
          label: {
            async updateMany({ args, query }) {
              await new Promise((resolve) => setTimeout(resolve, 300))
              return query(args)
            },
          },
        },
      })
      const hasty = slow.$extends({
        client: {
          $transaction: (work: (client: typeof db.orm) => Promise<unknown>) =>
            slow.$transaction((open) => work(open as unknown as typeof db.orm), { timeout: 100 }),
        },
      })
      const response = await rest(hasty).post('/document/3/relationships/labels', labels(4, 2))
      expect(response).toMatchObject({ status: 503, errors: [{ code: 'transaction-timeout' }] })
      expect(await countConnected()).toBe(2)
    })
  },
  { fixture: 'tenants' },
)
