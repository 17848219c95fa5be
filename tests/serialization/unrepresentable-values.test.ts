import { expect, it } from 'vitest'

import { rpcClient } from '../rpc/client.js'
import { fillWorkspace } from '../hooks/support/workspace.js'
import { fixtureClient, restClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'

// Other programs can store dates that JavaScript cannot represent. MySQL rejects them, or Prisma cannot read them.
const INVALID: Readonly<Record<string, string>> = { sqlite: 'garbage', postgresql: 'infinity' }

describeDatabases(
  'dates that JavaScript cannot represent',
  (db) => {
    it('are null in both styles, and other rows are readable', async () => {
      await db.fill(seedBlog)
      await db.orm.$executeRawUnsafe(`UPDATE "Post" SET "publishedAt" = '${INVALID[db.provider]}' WHERE "id" = 1`)
      const list = await restClient(db).get('/post?fields[post]=publishedAt&page[limit]=2&sort=id')
      expect([list.status, list.many[0]?.attributes]).toEqual([200, { publishedAt: null }])
      expect(list.text).not.toContain('data.0.')
      const args = { where: { id: 1 }, select: { publishedAt: true } }
      expect((await rpcClient(db).call('post', 'findUnique', args)).body.data).toEqual({ publishedAt: null })
      const sorted = await restClient(db).get('/post?sort=publishedAt&page[after]=&page[size]=100')
      expect(sorted).toMatchObject({ status: 400, errors: [{ source: { parameter: 'sort' } }] })
    })
  },
  { only: ['sqlite', 'postgresql'] },
)

// Numbers that are not finite, in the SQL of each database.
const NOT_FINITE: Readonly<Record<string, readonly string[]>> = {
  sqlite: ['9e999', '-9e999'],
  postgresql: ["'NaN'", "'Infinity'", "'-Infinity'"],
}

describeDatabases(
  'numbers that JSON cannot represent',
  (db) => {
    it.each(NOT_FINITE[db.provider] ?? [])(
      '%s: is null, and cursors do not skip or repeat rows because of it',
      async (value) => {
        await db.fill(fillWorkspace)
        for (const weight of [1, null, 2])
          await db.orm.attachment.create({ data: { name: 'a', weight, documentId: 1 } })
        const { id } = await db.orm.attachment.create({ data: { name: 'odd', documentId: 1 } })
        await db.orm.$executeRawUnsafe(`UPDATE "Attachment" SET "weight" = ${value} WHERE "id" = ${id}`)
        const rest = fixtureClient(db)
        expect((await rest.get(`/attachment/${id}`)).one.attributes).toMatchObject({ weight: null })
        for (const sort of ['weight', '-weight']) {
          const seen: string[] = []
          let page = await rest.get(`/attachment?sort=${sort}&page[after]=&page[size]=1`)
          while (page.status === 200 && page.body.links?.next) {
            seen.push(...page.ids)
            page = await rest.follow(page.body.links.next)
          }
          expect(page).toMatchObject({ status: 400, errors: [{ source: { parameter: 'sort' } }] })
          expect(new Set(seen).size).toBe(seen.length)
        }
      },
    )
  },
  { fixture: 'workspace', only: ['sqlite', 'postgresql'] },
)
