import { PGlite } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'

import { type Blog, type Driver, fillBlog, type World } from './driver.js'

/** PostgreSQL in this process, with `pglite-prisma-adapter`. */
export const pgliteDriver: Driver = { name: 'pglite-prisma-adapter', provider: 'postgresql', open }

async function open({ client: { PrismaClient }, tables }: Blog): Promise<World> {
  const database = new PGlite()
  await database.exec(tables)
  const orm = new PrismaClient({ adapter: new PrismaPGlite(database) })
  await fillBlog(orm)
  return {
    orm,
    scenes: {
      async 'connection refused'(sendRequests) {
        const closed = new PGlite({ loadDataDir: await database.dumpDataDir('none') })
        await closed.waitReady
        await closed.close()
        await sendRequests(new PrismaClient({ adapter: new PrismaPGlite(closed) }))
      },
      async 'read-only'(sendRequests) {
        await database.exec('SET default_transaction_read_only = on')
        await sendRequests(orm)
        await database.exec('SET default_transaction_read_only = off')
      },
    },
    async close() {
      await orm.$disconnect()
      await database.close()
    },
  }
}
