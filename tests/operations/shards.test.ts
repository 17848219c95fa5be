import { beforeEach, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/shards/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/shards/expected/policy.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillShards, REST_REQUESTS, RPC_REQUESTS, type ShardRequest } from './support/shards.js'

describeDatabases(
  'operations: shards by tenant',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillShards)
    })

    /** Returns the statements of the requests that do not name the tenant, and expects the status of each request. */
    async function withoutTenant(
      orm: typeof db.orm,
      style: 'REST' | 'RPC',
      requests: readonly ShardRequest[],
      options: object = {},
    ): Promise<readonly string[]> {
      const { RestApiHandler, RPCApiHandler } = db.routes
      const handler = style === 'REST' ? RestApiHandler({ endpoint: ENDPOINT, ...options }) : RPCApiHandler(options)
      const app = db.hono.createHonoHandler({ getOrm: () => orm, handler, prefix: '/api' })
      const without: string[] = []
      for (const request of requests) {
        const { method, path, body } = request
        const headers = { 'Content-Type': 'application/json' }
        const init = { method, ...(body && { body: JSON.stringify(body), headers }) }
        let response: Response | undefined
        const queries = await db.queriesOf(async () => {
          response = await app.fetch(new Request(`http://localhost/api${path}`, init))
        })
        const label = described(request)
        expect([label, response?.status, await response?.text()]).toEqual([label, request.status, expect.anything()])
        expect(queries.length, label).toBeGreaterThan(0)
        const wrong = queries.filter((sql) => !sql.startsWith('-- Implicit') && !namesTenant(sql))
        without.push(...wrong.map((sql) => `${label}: ${sql}`))
      }
      return without
    }

    it.each([
      ['REST', REST_REQUESTS],
      ['RPC', RPC_REQUESTS],
    ] as const)('%s: names the tenant in every statement', async (style, requests) => {
      expect(await withoutTenant(db.orm, style, requests)).toEqual([])
    })

    it.each([
      ['REST', REST_REQUESTS],
      ['RPC', RPC_REQUESTS],
    ] as const)('%s: names the tenant in every statement if policies or hooks add it', async (style, requests) => {
      const lists: readonly ShardRequest[] = [
        { method: 'GET', path: '/article?include=writer,remarks,taggings.tag&page[limit]=1', status: 200 },
        { method: 'GET', path: '/tag?filter[word$contains]=word&sort=-word', status: 200 },
      ]
      const reads: readonly ShardRequest[] = [
        { method: 'GET', path: '/article/findMany', status: 200 },
        { method: 'GET', path: '/article/count', status: 200 },
        { method: 'GET', path: `/tag/findFirst?q=${encodeURIComponent('{"include":{"taggings":true}}')}`, status: 200 },
      ]
      const unnamed = style === 'REST' ? lists : reads
      const { can, build } = abilityBuilder()
      can('manage', ['Writer', 'Article', 'Remark', 'Tag', 'Tagging'], { tenantId: 1 })
      const policed = db.orm.$extends(withPolicies(build())) as unknown as typeof db.orm
      const where = () => ({ tenantId: 1 })
      const hooks = defineHooks({
        Writer: { where },
        Article: { where },
        Remark: { where },
        Tag: { where },
        Tagging: { where },
      })
      expect(await withoutTenant(db.orm, style, unnamed)).not.toEqual([])
      expect(await withoutTenant(policed, style, unnamed)).toEqual([])
      expect(await withoutTenant(db.orm, style, unnamed, { hooks })).toEqual([])
      expect(await withoutTenant(policed, style, requests)).toEqual([])
      await db.fill(fillShards)
      expect(await withoutTenant(policed, style, requests, { hooks })).toEqual([])
    })
  },
  { fixture: 'shards' },
)

function described({ method, path }: ShardRequest): string {
  return `${method} ${decodeURIComponent(path)}`
}

/** Whether the tenant is part of the condition or the values of a statement. */
function namesTenant(sql: string): boolean {
  const [, columns] = /^INSERT INTO \S+ \(([^)]*)\)/.exec(sql) ?? []
  if (columns !== undefined) return /\btenantId\b/.test(columns)
  const [, where = ''] = / WHERE (.*)$/s.exec(withoutSelects(sql)) ?? []
  return /[`"]tenantId[`"](?: = |[^=]*\) IN | IN )/.test(where)
}

/** Removes nested SELECTs from a statement, because their conditions do not apply to the statement. */
function withoutSelects(sql: string): string {
  // A SELECT in FROM is the statement itself, as in a count.
  const begin = sql.search(/(?<!FROM )\(SELECT/)
  if (begin < 0) return sql
  let depth = 0
  let end = begin
  do {
    if (sql[end] === '(') depth++
    if (sql[end] === ')') depth--
    end++
  } while (depth > 0 && end < sql.length)
  return withoutSelects(sql.slice(0, begin) + sql.slice(end))
}
