import { expect, it } from 'vitest'

import { rpcClient } from '../rpc/client.js'
import { restClient } from '../rest/support/client.js'
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
    })
  },
  { only: ['sqlite', 'postgresql'] },
)
