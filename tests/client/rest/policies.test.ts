import { beforeEach, expect, it } from 'vitest'

import { withPolicies } from '../../../fixtures/tenants/expected/policy.js'
import { betaAbility, fillTenants } from '../../policy/support/two-tenants.js'
import { describeDatabases } from '../../support/databases.js'
import { tenantsClient } from './apis.js'
import { fetchOf } from './serve.js'

describeDatabases(
  'REST client: access policies',
  (db) => {
    let rest: ReturnType<typeof tenantsClient>

    beforeEach(async () => {
      await db.fill(fillTenants)
      rest = tenantsClient(fetchOf(db, {}, db.orm.$extends(withPolicies(betaAbility()))))
    })

    it('omits rows that the policy hides and rejects get with 404', async () => {
      const documents = await rest.document.list({ include: ['author', 'project.organisation', 'labels'] })
      expect(documents.map(({ title }) => title)).toEqual(['beta doc', 'beta doc two'])
      expect(documents[0]?.project?.organisation.name).toBe('beta inc')
      await expect(rest.document.get(1)).rejects.toMatchObject({ status: 404, rejectedByPolicy: false })
    })

    it('rejects a denied write with 403 and rejectedByPolicy', async () => {
      const denied = rest.organisation.create({ slug: 'mine', name: 'Mine' })
      await expect(denied).rejects.toMatchObject({ status: 403, code: 'forbidden', rejectedByPolicy: true })
      const assignment = await rest.assignment.get('3_3', { include: ['member', 'project'] })
      expect([assignment.hours, assignment.member?.name, assignment.project?.key]).toEqual([5, 'me', 'k1'])
    })
  },
  { fixture: 'tenants' },
)
