import { beforeEach, expect, it } from 'vitest'

import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillShards, REST_REQUESTS, RPC_REQUESTS, type ShardRequest } from './support/shards.js'

describeDatabases(
  'operations: rows that are spread by their tenant',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillShards)
    })

    it.each([
      ['REST', REST_REQUESTS],
      ['RPC', RPC_REQUESTS],
    ])('%s: every statement names the tenant', async (style, requests) => {
      const handler = style === 'REST' ? db.routes.RestApiHandler({ endpoint: ENDPOINT }) : db.routes.RPCApiHandler()
      const app = db.hono.createHonoHandler({ getOrm: () => db.orm, handler, prefix: '/api' })
      const without: string[] = []
      for (const request of requests) {
        const { method, path, body } = request
        const init = {
          method,
          ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
        }
        let answer: Response | undefined
        const queries = await db.queriesOf(async () => {
          answer = await app.fetch(new Request(`http://localhost/api${path}`, init))
        })
        expect([described(request), answer?.status, await answer?.text()]).toEqual([
          described(request),
          request.status,
          expect.anything(),
        ])
        expect(queries.length, described(request)).toBeGreaterThan(0)
        without.push(
          ...queries
            .filter((sql) => !sql.startsWith('-- Implicit') && !namesTenant(sql))
            .map((sql) => `${described(request)}: ${sql}`),
        )
      }
      expect(without).toEqual([])
    })
  },
  { fixture: 'shards' },
)

function described({ method, path }: ShardRequest): string {
  return `${method} ${decodeURIComponent(path)}`
}

/** Whether a statement tells by which tenant its rows are found, or that they get. */
function namesTenant(sql: string): boolean {
  const [, columns] = /^INSERT INTO \S+ \(([^)]*)\)/.exec(sql) ?? []
  if (columns !== undefined) return /\btenantId\b/.test(columns)
  const [, where = ''] = / WHERE (.*)$/s.exec(sql) ?? []
  return /[`"]tenantId[`"](?: = |[^=]*\) IN | IN )/.test(where)
}
