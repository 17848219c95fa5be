import { PrismaPg } from '@prisma/adapter-pg'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { statementNames } from '../../bench/run/statement-names.js'
import { clientOf, ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'

it('statementNames: names each statement once, up to the limit', () => {
  const nameOf = statementNames(2)
  const names = ['a', 'b', 'a', 'c', 'b', 'c'].map((sql) => nameOf({ sql }))
  expect(names).toEqual([names[0], names[1], names[0], '', names[1], ''])
  expect(new Set(names).size).toBe(3)
})

interface Prepared {
  readonly name: string
  readonly runs: number
}

describeDatabases(
  'operations: named statements',
  (db) => {
    beforeEach(async () => {
      await db.fill(seedBlog)
    })
    let client: typeof db.orm
    afterEach(() => client.$disconnect())

    /** Serves with a pool of `max` connections. The result can list the prepared statements. */
    async function serve(max: number) {
      const [row] = await db.orm.$queryRaw<{ name: string }[]>`SELECT current_database() AS name`
      const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '')
      url.pathname = row?.name ?? ''
      const adapter = new PrismaPg(
        { connectionString: url.href, max: 1 },
        { statementNameGenerator: statementNames(max) },
      )
      client = new db.client.PrismaClient({ adapter })
      const rest = db.routes.RestApiHandler({ endpoint: ENDPOINT })
      const prepared = () => client.$queryRaw<Prepared[]>`
        SELECT name, (generic_plans + custom_plans)::int AS runs FROM pg_prepared_statements
        WHERE name <> '' ORDER BY name`
      return { prepared, rest: clientOf((request) => rest.fetch(request, { getOrm: () => client, prefix: '/api' })) }
    }

    it('prepares a statement once per connection and reuses it', async () => {
      const { rest, prepared } = await serve(500)
      for (const id of [1, 2, 3, 4]) expect((await rest.get(`/post/${id}`)).one.id).toBe(String(id))
      expect((await prepared()).filter(({ runs }) => runs >= 4).length).toBeGreaterThan(0)
    })

    it('names no more statements than the limit', async () => {
      const { rest, prepared } = await serve(3)
      for (let count = 1; count <= 6; count++) {
        const ids = Array.from({ length: count }, (_, index) => index + 1).join(',')
        expect((await rest.get(`/post?filter[id]=${ids}`)).many).toHaveLength(count)
      }
      const created = await rest.post('/tag', { data: { type: 'tag', attributes: { name: 'named' } } })
      expect(created.status).toBe(201)
      await client.$transaction(async (tx) => {
        await tx.tag.update({ where: { name: 'named' }, data: { name: 'renamed' } })
      })
      expect((await rest.get('/tag/renamed')).status).toBe(200)
      expect(await prepared()).toHaveLength(3)
    })
  },
  { only: ['PostgreSQL'] },
)
