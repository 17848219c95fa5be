import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { beforeEach, describe, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/workspace/expected/policy.js'
import { openApi } from '../../runtime/openapi/index.js'
import { rowEstimates } from '../../runtime/orm/row-estimates.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { fixtureClient } from './support/client.js'

const ASKED = '/label?page[limit]=2&page[total]=estimated'

/** Ten labels, of which the database is told; then two more, of which it is not. */
async function fillLabels(db: Database<'workspace'>): Promise<void> {
  await db.reset()
  await db.orm.team.create({ data: { name: 'red' } })
  const labels = (count: number) =>
    db.orm.label.createMany({ data: Array.from({ length: count }, () => ({ name: 'x', teamId: 1 })) })
  await labels(10)
  await db.execute(db.provider === 'mysql' ? 'ANALYZE TABLE `Label`' : 'ANALYZE "Label"')
  await labels(2)
}

const restOf = (db: Pick<Database<'workspace'>, 'orm' | 'routes'>, orm: unknown = db.orm, options: object = {}) => {
  return fixtureClient({ orm, routes: db.routes }, { estimateCount: rowEstimates, ...options })
}

const ESTIMATED = { estimatedTotal: { bestGuess: 10 } }
const EXACT = { total: 12 }

describeDatabases(
  'REST: estimated totals',
  (db) => {
    beforeEach(() => fillLabels(db))

    it('are the number that the database keeps, for a query that does not count', async () => {
      const rest = restOf(db)
      const queries = await db.queriesOf(async () => {
        const answer = await rest.get(ASKED)
        expect([answer.status, answer.body.meta, answer.ids]).toEqual([200, ESTIMATED, ['1', '2']])
        expect(answer.body.links).toMatchObject({ last: null, prev: null, next: expect.stringContaining('=estimated') })
        const next = await rest.follow(answer.body.links?.['next'] as string)
        expect([next.ids, next.body.meta]).toEqual([['3', '4'], ESTIMATED])
      })
      expect(queries).toHaveLength(4)
      expect(queries.join('')).not.toMatch(/count\(/i)
    })

    it('stand where the profile of cursors has them', async () => {
      const answer = await restOf(db).get('/label?page[after]=&page[size]=2&page[total]=estimated')
      expect([answer.status, answer.body.meta]).toEqual([200, { page: ESTIMATED }])
      const filtered = await restOf(db).get('/label?page[after]=&page[size]=2&page[total]=estimated&filter[name]=x')
      expect(filtered.body.meta).toEqual({ page: EXACT })
    })

    it('are never less than a page shows, and no estimates where it shows the end', async () => {
      const rest = restOf(db)
      const meta = async (query: string) => (await rest.get(`/label?page[total]=estimated&${query}`)).body.meta
      expect(await meta('page[offset]=9&page[limit]=2')).toEqual({ estimatedTotal: { bestGuess: 12 } })
      expect(await meta('page[offset]=10&page[limit]=2')).toEqual(EXACT)
      expect(await meta('page[limit]=50')).toEqual(EXACT)
      expect(await meta('page[offset]=30&page[limit]=2')).toEqual(ESTIMATED)
    })

    it('are counted where the number would be one of other rows', async () => {
      const hooks = (where: object) => defineHooks({ Label: { where: () => where } })
      const rules = (define: (builder: ReturnType<typeof abilityBuilder>) => void) => {
        const builder = abilityBuilder()
        define(builder)
        return db.orm.$extends(withPolicies(builder.build()))
      }
      const meta = async (orm: unknown, options: object = {}, path = ASKED) =>
        (await restOf(db, orm, options).get(path)).body.meta
      const asked = db.orm.$extends({ query: { label: { findMany: ({ args, query }) => query(args) } } })
      expect(await meta(db.orm, {}, `${ASKED}&filter[id$gt]=0`)).toEqual(EXACT)
      expect(await meta(db.orm, {}, '/team/1/labels?page[limit]=2&page[total]=estimated')).toEqual(EXACT)
      expect(await meta(asked)).toEqual(EXACT)
      expect(await meta(db.orm, { hooks: hooks({ id: { gt: 2 } }) })).toEqual({ total: 10 })
      expect(await meta(rules(({ can }) => can('read', 'Label', { id: { gt: 3 } })))).toEqual({ total: 9 })
      expect(await meta(rules(({ can }) => can('read', 'Label', ['id', 'name'])))).toEqual(EXACT)
      // Nothing is left out by these.
      expect(await meta(rules(({ can }) => can('read', 'all')))).toEqual(ESTIMATED)
      expect(await meta(db.orm, { hooks: defineHooks({ Label: { create: { after: () => undefined } } }) })).toEqual(
        ESTIMATED,
      )
      expect(await meta(db.orm, { timeout: 60_000 })).toEqual(ESTIMATED)
    })

    it('are counted where the database keeps no such number', async () => {
      const meta = async () => (await restOf(db).get(ASKED)).body.meta
      await db.execute('ALTER TABLE "Label" ENABLE ROW LEVEL SECURITY')
      expect(await meta()).toEqual(EXACT)
      await db.execute(
        'ALTER TABLE "Label" DISABLE ROW LEVEL SECURITY; CREATE SCHEMA other; CREATE VIEW other."Label" AS SELECT 1',
      )
      expect(await meta()).toEqual(EXACT)
      await db.execute('DROP SCHEMA other CASCADE')
      expect(await meta()).toEqual(ESTIMATED)
      await db.execute('CREATE TABLE part () INHERITS ("Label")')
      expect(await meta()).toEqual(EXACT)
      await db.execute(
        'DROP TABLE part; ALTER TABLE "Label" RENAME TO whole; CREATE VIEW "Label" AS SELECT * FROM whole',
      )
      expect(await meta()).toEqual(EXACT)
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
    it('are those of the table, in the schema that the Prisma schema names', async () => {
      await db.reset()
      await db.execute('CREATE SCHEMA other; CREATE TABLE other.all_scalars (id int); ANALYZE other.all_scalars')
      await db.execute('ANALYZE all_scalars')
      expect(await rowEstimates(db.orm, 'Scalars', { provider: 'postgresql' })).toBe(0)
      await db.execute('INSERT INTO other.all_scalars VALUES (1); ANALYZE other.all_scalars')
      expect(await rowEstimates(db.orm, 'Scalars', { provider: 'postgresql' })).toBe(0)
      await db.execute('DROP SCHEMA other CASCADE')
    })
  },
  { fixture: 'kitchen-sink', only: ['postgresql'] },
)

describeDatabases(
  'REST: estimated totals',
  (db) => {
    beforeEach(() => fillLabels(db))

    it('are the number that the database keeps, where its user sees one such table', async () => {
      const [{ name = '' } = {}] = await db.orm.$queryRawUnsafe<{ name: string }[]>('SELECT DATABASE() AS name')
      const user = `u${name.slice(-20)}`
      await db.execute(`CREATE USER '${user}'@'%'; GRANT ALL ON \`${name}\`.* TO '${user}'@'%'`)
      const url = new URL(process.env['TEST_MYSQL_URL'] ?? '')
      url.username = user
      url.password = ''
      url.pathname = name
      const orm = new db.client.PrismaClient({ adapter: new PrismaMariaDb(url.href) })
      try {
        const { estimatedTotal } = Object((await restOf(db, orm).get(ASKED)).body.meta)
        // InnoDB guesses.
        expect([10, 11, 12]).toContain(estimatedTotal.bestGuess)
        expect((await restOf(db, orm).get(`${ASKED}&filter[name]=x`)).body.meta).toEqual(EXACT)
        await db.execute(`CREATE DATABASE ${name}_2; CREATE TABLE ${name}_2.Label (id INT)`)
        expect((await restOf(db, orm).get(ASKED)).body.meta).toHaveProperty('estimatedTotal')
        // Which of the two its client asks, nobody tells.
        expect((await restOf(db).get(ASKED)).body.meta).toEqual(EXACT)
      } finally {
        await orm.$disconnect()
        await db.execute(`DROP USER '${user}'@'%'; DROP DATABASE IF EXISTS ${name}_2`)
      }
    })
  },
  { fixture: 'workspace', only: ['mysql'] },
)

describeDatabases(
  'REST: estimated totals of a database that keeps none',
  (db) => {
    beforeEach(() => fillLabels(db))

    it('are counted', async () => {
      expect((await restOf(db).get(ASKED)).body.meta).toEqual(EXACT)
    })

    it('are refused where the app does not allow them', async () => {
      const answer = await fixtureClient(db).get(ASKED)
      expect([answer.status, answer.errors[0]?.source]).toEqual([400, { parameter: 'page[total]' }])
      expect(answer.errors[0]?.detail).not.toContain('estimated')
      expect((await restOf(db).get('/label?page[total]=all')).errors[0]?.detail).toContain('"estimated"')
    })

    it('are described where the app allows them', async () => {
      const described = async (options: object) => {
        const openapi = openApi({ info: { title: 'Workspace', version: '1' } })
        const rest = db.routes.RestApiHandler({ endpoint: 'https://x.example', openapi, ...options })
        const answer = await rest.fetch(new Request('http://x/openapi.json'), { getOrm: () => db.orm, prefix: '' })
        const { parameters, schemas } = ((await answer.json()) as { components: Record<string, object> }).components
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

    it("are the app's own, where it has some", async () => {
      const asked: unknown[] = []
      const estimates = async (...args: unknown[]) => {
        asked.push(args.slice(1))
        return 1e6
      }
      const answer = await restOf(db, db.orm, { estimateCount: estimates }).get(ASKED)
      expect([answer.body.meta, asked]).toEqual([
        { estimatedTotal: { bestGuess: 1e6 } },
        [['Label', { provider: 'sqlite' }]],
      ])
    })
  },
  { fixture: 'workspace', only: ['SQLite'] },
)

describe('rowEstimates', () => {
  it('tells nothing of a client that has no tables or no SQL', async () => {
    const dialect = { provider: 'postgresql' }
    expect(await rowEstimates(undefined, 'Label', dialect)).toBeUndefined()
    expect(await rowEstimates({}, 'Label', dialect)).toBeUndefined()
    const tables = { _runtimeDataModel: { models: { Label: { dbName: null } } } }
    expect(await rowEstimates(tables, 'Label', dialect)).toBeUndefined()
    const asked = { ...tables, $queryRawUnsafe: async () => [{ found: 7 }] }
    expect(await rowEstimates(asked, 'Label', dialect)).toBe(7)
    expect(await rowEstimates(asked, 'Other', dialect)).toBeUndefined()
    expect(await rowEstimates(asked, 'Label', { provider: 'sqlite' })).toBeUndefined()
  })
})
