import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { createDatabaseFolder } from '../database-folder.js'
import type { Engine } from './engine.js'
import { tablesIn } from './names.js'
import { prismaClients } from './prisma.js'

/**
 * SQLite through libsql, in a separate file. Not in memory, because the adapter opens a new connection after each
 * transaction, and that would be another database.
 */
export const sqlite: Engine = {
  name: 'SQLite',
  provider: 'sqlite',
  concurrent: false,
  async open(tables) {
    const { PrismaLibSql } = await import('@prisma/adapter-libsql')
    const sql = await readFile(tables, 'utf8')
    const folder = await createDatabaseFolder()
    const adapter = new PrismaLibSql({ url: `file:${join(folder, 'test.db')}`, intMode: 'bigint' })
    const connection = await adapter.connect()
    await connection.executeScript(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${sql}`)
    const empty = [
      'PRAGMA foreign_keys = OFF',
      'BEGIN',
      ...tablesIn(sql).map((name) => `DELETE FROM ${name}`),
      ...(sql.includes('AUTOINCREMENT') ? ['DELETE FROM sqlite_sequence'] : []),
      'COMMIT',
      'PRAGMA foreign_keys = ON',
    ].join(';\n')
    // Not in a transaction, because the adapter would then open a new connection, which waits for the disk.
    const { disconnect, ...clients } = prismaClients(adapter, async (statements) => {
      for (const statement of statements) await connection.executeRaw(statement)
    })
    return {
      ...clients,
      execute: (text) => connection.executeScript(text),
      reset: () => connection.executeScript(empty),
      async close() {
        await disconnect()
        await connection.dispose()
        await rm(folder, { recursive: true, force: true })
      },
    }
  },
}
