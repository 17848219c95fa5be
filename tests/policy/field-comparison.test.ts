import { beforeAll, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

describeDatabases(
  'policy: comparison of two fields',
  (db) => {
    beforeAll(async () => {
      await db.fill(fillTenants)
      await db.orm.document.updateMany({ data: { views: 0 } })
    })

    /** Rules that hide the views of document 1. */
    const rules = () => {
      const { can, cannot, build } = abilityBuilder()
      can('read', 'all')
      cannot('read', 'Document', ['views'], { id: 1 })
      return withPolicies(build())
    }
    /** An extension of the app that copies arguments. */
    const around = { query: { $allModels: { $allOperations: ({ args, query }: Call) => query(args) } } }
    interface Call {
      readonly args: unknown
      query(args: unknown): Promise<unknown>
    }

    it.each<[string, () => unknown]>([
      ['only policies', () => db.orm.$extends(rules())],
      ['extension added before policies', () => db.orm.$extends(around).$extends(rules())],
      ['extension added after policies', () => db.orm.$extends(rules()).$extends(around)],
    ])('%s: does not find rows by an unreadable field', async (_, orm) => {
      const rest = fixtureClient({ orm: orm(), routes: db.routes })
      const found = async (filter: string) => (await rest.get(`/document?${new URLSearchParams({ filter })}`)).ids
      const open = await fixtureClient(db).get('/document?filter=greaterThan(id,views)')
      expect(open.ids).toContain('1')
      const others = open.ids.filter((id) => id !== '1')
      expect(others.length).toBeGreaterThan(0)
      for (const filter of ['greaterThan(id,views)', 'not(lessThan(id,views))', 'lessOrEqual(views,id)']) {
        expect(await found(filter), filter).toEqual(others)
      }
      for (const filter of ['lessThan(id,views)', 'not(greaterThan(id,views))', 'equals(views,id)']) {
        expect(await found(filter), filter).toEqual([])
      }
      const members = await rest.get('/project/1/documents?filter=greaterThan(id,views)')
      expect(members.ids).not.toContain('1')
      expect(
        (await rest.get('/project?filter=has(documents,and(equals(id,%271%27),greaterThan(id,views)))')).ids,
      ).toEqual([])
    })
  },
  { fixture: 'tenants' },
)
