import { beforeAll, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

describeDatabases(
  'policy: included lists',
  (db) => {
    beforeAll(async () => {
      await db.reset()
      await fillTenants(db)
    })

    const fetchDocuments = (define: (builder: ReturnType<typeof abilityBuilder>) => void, query: string) => {
      const builder = abilityBuilder()
      define(builder)
      const rest = fixtureClient({ orm: db.orm.$extends(withPolicies(builder.build())), routes: db.routes })
      return rest.get(`/document?include=comments&${query}`)
    }
    const mine = (builder: ReturnType<typeof abilityBuilder>) => {
      builder.can('read', 'Document', { projectId: 3 })
      builder.can('read', 'Comment', { authorId: 3 })
    }

    it('includes only readable members and ignores others in hasMore', async () => {
      const response = await fetchDocuments(mine, 'includePage[comments][limit]=1')
      const { comments } = response.many[0]?.relationships ?? {}
      expect([comments?.data, comments?.meta]).toEqual([[{ type: 'comment', id: '3_1' }], { hasMore: false }])
      expect(
        (await fetchDocuments(mine, 'includeSort[comments]=-seq&includePage[comments][limit]=1')).text,
      ).not.toContain('3_2')
    })

    it('counts only readable members', async () => {
      const response = await fetchDocuments(mine, 'relatedCount=comments&filter[id]=3')
      expect(response.many[0]?.relationships?.['comments']?.meta).toEqual({ total: 1 })
    })

    it('rejects filters and orders by unreadable fields with 403', async () => {
      const limited = (builder: ReturnType<typeof abilityBuilder>) => {
        builder.can('read', 'Document', { projectId: 3 })
        builder.can('read', 'Comment', ['documentId', 'seq'])
      }
      for (const query of ['includeFilter[comments][body]=beta comment', 'includeSort[comments]=body']) {
        expect((await fetchDocuments(limited, query)).status, query).toBe(403)
      }
      const related = await fetchDocuments(mine, 'includeFilter[comments][author][salary$gt]=1')
      expect([related.status, related.body.included ?? []]).toEqual([200, []])
    })
  },
  { fixture: 'tenants' },
)
