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

    const asked = (define: (builder: ReturnType<typeof abilityBuilder>) => void, query: string) => {
      const builder = abilityBuilder()
      define(builder)
      const rest = fixtureClient({ orm: db.orm.$extends(withPolicies(builder.build())), routes: db.routes })
      return rest.get(`/document?include=comments&${query}`)
    }
    const mine = (builder: ReturnType<typeof abilityBuilder>) => {
      builder.can('read', 'Document', { projectId: 3 })
      builder.can('read', 'Comment', { authorId: 3 })
    }

    it('hold what may be read, and count nothing else among what is left out', async () => {
      const answer = await asked(mine, 'includePage[comments][limit]=1')
      const { comments } = answer.many[0]?.relationships ?? {}
      expect([comments?.data, comments?.meta]).toEqual([[{ type: 'comment', id: '3_1' }], { hasMore: false }])
      expect((await asked(mine, 'includeSort[comments]=-seq&includePage[comments][limit]=1')).text).not.toContain('3_2')
    })

    it('are counted as far as they may be read', async () => {
      const answer = await asked(mine, 'relatedCount=comments&filter[id]=3')
      expect(answer.many[0]?.relationships?.['comments']?.meta).toEqual({ total: 1 })
    })

    it('are not filtered or ordered by what may not be read', async () => {
      const limited = (builder: ReturnType<typeof abilityBuilder>) => {
        builder.can('read', 'Document', { projectId: 3 })
        builder.can('read', 'Comment', ['documentId', 'seq'])
      }
      for (const query of ['includeFilter[comments][body]=beta comment', 'includeSort[comments]=body']) {
        expect((await asked(limited, query)).status, query).toBe(403)
      }
      const related = await asked(mine, 'includeFilter[comments][author][salary$gt]=1')
      expect([related.status, related.body.included ?? []]).toEqual([200, []])
    })
  },
  { fixture: 'tenants' },
)
