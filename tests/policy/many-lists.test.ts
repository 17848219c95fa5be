import { beforeAll, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/shards/expected/policy.js'
import { clientOf, ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'

/** Compound keys in one query. SQLite allows a thousand parts per condition. */
const COUNT = 1_100

describeDatabases(
  'policy: included lists of many rows with compound ids',
  (db) => {
    beforeAll(async () => {
      await db.fill(async ({ orm }) => {
        const ids = Array.from({ length: COUNT }, (_, index) => index + 1)
        await orm.writer.create({ data: { tenantId: 1, id: 1, name: 'One' } })
        await orm.article.createMany({
          data: ids.map((id) => ({ tenantId: 1, id, slug: `a${id}`, title: 'An article', views: id, writerId: 1 })),
        })
        await orm.remark.createMany({
          data: [1, COUNT - 1, COUNT].map((articleId) => ({ tenantId: 1, articleId, seq: 1, text: 'A remark' })),
        })
      })
    })

    it('omits the list only on rows where a relation rule forbids it', async () => {
      const { can, cannot, build } = abilityBuilder()
      can('read', 'all')
      cannot('read', 'Article', ['remarks'], { views: { in: [2, COUNT] } })
      const orm = db.orm.$extends(withPolicies(build()))
      const limits = { rows: 10_000, includedRows: 10_000, includedLists: 10_000 }
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, pageSize: COUNT, limits })
      const rest = clientOf((request) => handler.fetch(request, { getOrm: () => orm, prefix: '/api' }))
      const response = await rest.get('/article?include=remarks&sort=id')
      expect([response.errors, response.status]).toEqual([[], 200])
      const remarksById = new Map(response.many.map(({ id, relationships }) => [id, relationships?.['remarks']?.data]))
      expect(remarksById.size).toBe(COUNT)
      const missing = [...remarksById].filter(([, data]) => data === undefined)
      expect(missing.map(([id]) => id)).toEqual(['1_2', `1_${COUNT}`])
      const filled = [...remarksById].filter(([, data]) => Array.isArray(data) && data.length > 0)
      expect(filled.map(([id]) => id)).toEqual(['1_1', `1_${COUNT - 1}`])
    })
  },
  { fixture: 'shards' },
)
