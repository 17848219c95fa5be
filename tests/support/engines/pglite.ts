import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Engine } from './engine.js'
import { truncateAll } from './postgresql.js'
import { prismaClients } from './prisma.js'
import { repeatInTransaction } from './repeat.js'

/** PostgreSQL in this process. It has one connection, so transactions wait for each other. */
export const pglite: Engine = {
  name: 'PGlite',
  provider: 'postgresql',
  concurrent: false,
  async open(tables) {
    const [{ PGlite }, { PrismaPGlite }] = await Promise.all([
      import('@electric-sql/pglite'),
      import('pglite-prisma-adapter'),
    ])
    const snapshot = await readFile(join(dirname(tables), 'pglite.tar'))
    const database = new PGlite({ loadDataDir: new Blob([snapshot]) })
    await database.waitReady
    const empty = truncateAll(await readFile(tables, 'utf8'))
    const adapter = new PrismaPGlite(database)
    const connection = await adapter.connect()
    const { disconnect, ...clients } = prismaClients(adapter, (statements) =>
      repeatInTransaction(connection, statements),
    )
    return {
      ...clients,
      async execute(sql) {
        await database.exec(sql)
      },
      async reset() {
        await database.exec(empty)
      },
      async close() {
        await disconnect()
        await database.close()
      },
    }
  },
}
