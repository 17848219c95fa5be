import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/workspace/expected/policy.js'
import { openApi } from '../../runtime/openapi/index.js'
import { rowEstimates } from '../../runtime/orm/row-estimates.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { fixtureClient } from './support/client.js'

const ESTIMATE_PATH = '/label?page[limit]=2&page[total]=estimated'

/** Creates ten labels, updates the statistics of the database, and then creates two more labels. */
async function fillLabels(db: Database<'workspace'>): Promise<void> {
  await db.reset()
  await db.orm.team.create({ data: { name: 'red' } })
  const labels = (count: number) =>
    db.orm.label.createMany({ data: Array.from({ length: count }, () => ({ name: 'x', teamId: 1 })) })
  await labels(10)
  await db.execute(db.provider === 'mysql' ? 'ANALYZE TABLE `Label`' : 'ANALYZE "Label"')
  await labels(2)
}

const restOf = (db: Pick<Database<'workspace'>, 'orm' | 'routes'>, orm: unknown = db.orm, options: object = {}) =>
  fixtureClient({ orm, routes: db.routes }, { estimateCount: rowEstimates, ...options })

const ESTIMATED = { estimatedTotal: { bestGuess: 10 } }
const EXACT = { total: 12 }

describeDatabases(
  'REST: estimated totals on PostgreSQL',
  (db) => {
    beforeEach(() => fillLabels(db))

    it('returns the row estimate of the database without a COUNT query', async () => {
      const rest = restOf(db)
      const queries = await db.queriesOf(async () => {
        const { status, body, ids } = await rest.get(ESTIMATE_PATH)
        expect([status, body.meta, ids]).toEqual([200, ESTIMATED, ['1', '2']])
        expect(body.links).toMatchObject({ last: null, prev: null, next: expect.stringContaining('=estimated') })
        const next = await rest.follow(body.links?.['next'])
        expect([next.ids, next.body.meta]).toEqual([['3', '4'], ESTIMATED])
      })
      expect(queries).toHaveLength(4)
      expect(queries.join('')).not.toMatch(/count\(/i)
    })

    it.each([
      ['page[after]=&page[size]=2', { page: ESTIMATED }],
      ['page[after]=&page[size]=2&filter[name]=x', { page: EXACT }],
      // At least the rows seen, and an exact total on the last page.
      ['page[offset]=9&page[limit]=2', { estimatedTotal: { bestGuess: 12 } }],
      ['page[offset]=10&page[limit]=2', EXACT],
      ['page[limit]=50', EXACT],
      ['page[offset]=30&page[limit]=2', ESTIMATED],
    ])('%s: returns %j', async (query, meta) => {
      expect((await restOf(db).get(`/label?page[total]=estimated&${query}`)).body.meta).toEqual(meta)
    })

    it('counts if a filter, hook, policy or extension may change the rows', async () => {
      const hooks = (where: object) => defineHooks({ Label: { where: () => where } })
      const rules = (define: (builder: ReturnType<typeof abilityBuilder>) => void) => {
        const builder = abilityBuilder()
        define(builder)
        return db.orm.$extends(withPolicies(builder.build()))
      }
      const meta = async (orm: unknown, options: object = {}, path = ESTIMATE_PATH) =>
        (await restOf(db, orm, options).get(path)).body.meta
      const extended = db.orm.$extends({ query: { label: { findMany: ({ args, query }) => query(args) } } })
      expect(await meta(db.orm, {}, `${ESTIMATE_PATH}&filter[id$gt]=0`)).toEqual(EXACT)
      expect(await meta(db.orm, {}, '/team/1/labels?page[limit]=2&page[total]=estimated')).toEqual(EXACT)
      expect(await meta(extended)).toEqual(EXACT)
      expect(await meta(db.orm, { hooks: hooks({ id: { gt: 2 } }) })).toEqual({ total: 10 })
      expect(await meta(rules(({ can }) => can('read', 'Label', { id: { gt: 3 } })))).toEqual({ total: 9 })
      expect(await meta(rules(({ can }) => can('read', 'Label', ['id', 'name'])))).toEqual(EXACT)
      // These rules and hooks do not exclude any rows.
      expect(await meta(rules(({ can }) => can('read', 'all')))).toEqual(ESTIMATED)
      expect(await meta(db.orm, { hooks: defineHooks({ Label: { create: { after: () => undefined } } }) })).toEqual(
        ESTIMATED,
      )
      expect(await meta(db.orm, { timeout: 60_000 })).toEqual(ESTIMATED)
    })

    it('counts if the database has no reliable estimate of the table', async () => {
      for (const [sql, meta] of [
        ['ALTER TABLE "Label" ENABLE ROW LEVEL SECURITY', EXACT],
        ['ALTER TABLE "Label" DISABLE ROW LEVEL SECURITY; CREATE SCHEMA other', ESTIMATED],
        ['CREATE VIEW other."Label" AS SELECT 1', EXACT],
        ['DROP SCHEMA other CASCADE', ESTIMATED],
        ['CREATE TABLE part () INHERITS ("Label")', EXACT],
        ['DROP TABLE part; ALTER TABLE "Label" RENAME TO whole; CREATE VIEW "Label" AS SELECT * FROM whole', EXACT],
      ] as const) {
        await db.execute(sql)
        expect((await restOf(db).get(ESTIMATE_PATH)).body.meta, sql).toEqual(meta)
      }
      await db.execute('DROP VIEW "Label"; ALTER TABLE whole RENAME TO "Label"')
      const never = await restOf(db).get('/team?page[limit]=1&page[offset]=1&page[total]=estimated')
      expect(never.body.meta).toEqual({ total: 1 })
    })
  },
  { fixture: 'workspace', only: ['postgresql'] },
)

describeDatabases(
  'REST: estimated totals of mapped tables',
  (db) => {
    it('reads the estimate of the table in the configured schema', async () => {
      await db.reset()
      await db.execute('ANALYZE all_scalars; CREATE SCHEMA other; CREATE TABLE other.all_scalars (id int)')
      for (const sql of ['', 'INSERT INTO other.all_scalars VALUES (1); ']) {
        await db.execute(`${sql}ANALYZE other.all_scalars`)
        expect(await rowEstimates(db.orm, 'Scalars', { provider: 'postgresql' })).toBe(0)
      }
      await db.execute('DROP SCHEMA other CASCADE')
    })
  },
  { fixture: 'kitchen-sink', only: ['postgresql'] },
)

describeDatabases(
  'REST: estimated totals on MySQL',
  (db) => {
    beforeEach(() => fillLabels(db))

    it('returns the row estimate if the user sees only one table of that name', async () => {
      const [{ name = '' } = {}] = await db.orm.$queryRawUnsafe<{ name: string }[]>('SELECT DATABASE() AS name')
      const user = `u${name.slice(-20)}`
      await db.execute(`CREATE USER '${user}'@'%'; GRANT ALL ON \`${name}\`.* TO '${user}'@'%'`)
      const url = Object.assign(new URL(process.env['TEST_MYSQL_URL'] ?? ''), {
        username: user,
        password: '',
        pathname: name,
      })
      const orm = new db.client.PrismaClient({ adapter: new PrismaMariaDb(url.href) })
      try {
        // InnoDB only estimates.
        const bestGuess = expect.toSatisfy((guess) => [10, 11, 12].includes(guess))
        expect((await restOf(db, orm).get(ESTIMATE_PATH)).body.meta).toEqual({ estimatedTotal: { bestGuess } })
        expect((await restOf(db, orm).get(`${ESTIMATE_PATH}&filter[name]=x`)).body.meta).toEqual(EXACT)
        await db.execute(`CREATE DATABASE ${name}_2; CREATE TABLE ${name}_2.Label (id INT)`)
        expect((await restOf(db, orm).get(ESTIMATE_PATH)).body.meta).toHaveProperty('estimatedTotal')
        // The statistics do not show which of the two databases the client uses.
        expect((await restOf(db).get(ESTIMATE_PATH)).body.meta).toEqual(EXACT)
      } finally {
        await orm.$disconnect()
        await db.execute(`DROP USER '${user}'@'%'; DROP DATABASE IF EXISTS ${name}_2`)
      }
    })
  },
  { fixture: 'workspace', only: ['mysql'] },
)

describeDatabases(
  'REST: estimated totals on SQLite',
  (db) => {
    beforeEach(() => fillLabels(db))

    it('counts instead of estimating', async () => {
      expect((await restOf(db).get(ESTIMATE_PATH)).body.meta).toEqual(EXACT)
    })

    it('rejects page[total]=estimated with 400 if `estimateCount` is not set', async () => {
      const { status, errors } = await fixtureClient(db).get(ESTIMATE_PATH)
      expect([status, errors[0]?.source]).toEqual([400, { parameter: 'page[total]' }])
      expect(errors[0]?.detail).not.toContain('estimated')
      expect((await restOf(db).get('/label?page[total]=all')).errors[0]?.detail).toContain('"estimated"')
    })

    it('describes estimates in the OpenAPI document only if `estimateCount` is set', async () => {
      const described = async (options: object) => {
        const openapi = openApi({ info: { title: 'Workspace', version: '1' } })
        const rest = db.routes.RestApiHandler({ endpoint: 'https://x.example', openapi, ...options })
        const response = await rest.fetch(new Request('http://x/openapi.json'), { getOrm: () => db.orm, prefix: '' })
        const { parameters, schemas } = ((await response.json()) as { components: Record<string, object> }).components
        return { parameter: Object(parameters)['page-total'], meta: Object(schemas).PageMeta.properties }
      }
      const plain = await described({})
      expect(plain.parameter.schema.enum).toEqual(['exact', 'none'])
      expect(JSON.stringify(plain)).not.toContain('estimated')
      const { parameter, meta } = await described({ estimateCount: rowEstimates })
      expect(parameter.schema.enum).toEqual(['exact', 'estimated', 'none'])
      expect(meta.estimatedTotal.required).toEqual(['bestGuess'])
      expect(meta.page.properties.estimatedTotal).toEqual(meta.estimatedTotal)
    })

    it('returns the estimate of a custom `estimateCount`', async () => {
      const estimateCount = vi.fn<typeof rowEstimates>(() => Promise.resolve(1e6))
      const { body } = await restOf(db, db.orm, { estimateCount }).get(ESTIMATE_PATH)
      expect(body.meta).toEqual({ estimatedTotal: { bestGuess: 1e6 } })
      expect(estimateCount.mock.calls).toEqual([[expect.anything(), 'Label', { provider: 'sqlite' }]])
    })
  },
  { fixture: 'workspace', only: ['SQLite'] },
)

describe('rowEstimates', () => {
  it('returns undefined for an unknown table, a client without SQL or SQLite', async () => {
    const dialect = { provider: 'postgresql' }
    expect(await rowEstimates(undefined, 'Label', dialect)).toBeUndefined()
    expect(await rowEstimates({}, 'Label', dialect)).toBeUndefined()
    const tables = { _runtimeDataModel: { models: { Label: { dbName: null } } } }
    expect(await rowEstimates(tables, 'Label', dialect)).toBeUndefined()
    const client = { ...tables, $queryRawUnsafe: async () => [{ found: 7 }] }
    expect(await rowEstimates(client, 'Label', dialect)).toBe(7)
    expect(await rowEstimates(client, 'Other', dialect)).toBeUndefined()
    expect(await rowEstimates(client, 'Label', { provider: 'sqlite' })).toBeUndefined()
  })
})
