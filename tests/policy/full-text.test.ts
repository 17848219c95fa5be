import { beforeAll, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { betaAbility, fillTenants } from './support/two-tenants.js'

const SEARCH = '/document?fullText[title,body]='

describeDatabases(
  'policy: full-text search on MySQL',
  (db) => {
    beforeAll(async () => {
      await db.fill(fillTenants)
      await db.execute('ALTER TABLE `Document` ADD FULLTEXT INDEX `Document_text_idx` (`title`, `body`)')
    })

    it('finds only readable rows', async () => {
      expect((await fixtureClient(db).get(`${SEARCH}alpha`)).ids).toEqual(['1', '2'])
      const rest = fixtureClient({ ...db, orm: db.orm.$extends(withPolicies(betaAbility())) })
      expect((await rest.get(`${SEARCH}alpha`)).ids).toEqual([])
      const response = await rest.get(`${SEARCH}beta`)
      expect([response.ids.toSorted(), response.body.meta]).toMatchObject([['3', '4'], { total: 2 }])
    })

    it('does not match words of an unreadable field', async () => {
      const { can, cannot, build } = abilityBuilder()
      can('read', 'all')
      cannot('read', 'Document', ['body'], { id: 1 })
      const rest = fixtureClient({ ...db, orm: db.orm.$extends(withPolicies(build())) })
      expect((await fixtureClient(db).get(`${SEARCH}body`)).ids).toEqual(['1'])
      const response = await rest.get(`${SEARCH}body`)
      expect([response.ids, response.body.meta]).toMatchObject([[], { total: 0 }])
    })
  },
  { fixture: 'tenants', only: ['mysql'] },
)
