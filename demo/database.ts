import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { PrismaLibSql } from '@prisma/adapter-libsql'

import type { PrismaClient } from '../fixtures/blog/client/client.js'
import { ROOT } from '../scripts/prepare-fixtures.js'

/** The blog's database. */
export interface DemoDatabase {
  readonly orm: PrismaClient
  close(): Promise<void>
}

/** Creates a SQLite database with sample data in a temporary file. Requires the generated client. */
export async function openDatabase(): Promise<DemoDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'routewright-demo-'))
  const maker = join(ROOT, 'scripts/create-tables.ts')
  const schema = join(ROOT, 'fixtures/blog/schema.prisma')
  await promisify(execFile)(process.execPath, ['--import', 'tsx', maker, schema, folder], { cwd: ROOT })

  const adapter = new PrismaLibSql({ url: `file:${join(folder, 'blog.db')}`, intMode: 'bigint' })
  const connection = await adapter.connect()
  await connection.executeScript(await readFile(join(folder, 'tables.sql'), 'utf8'))
  await connection.dispose()

  // Imported dynamically, because in a fresh clone these files are generated while the demo runs.
  const { PrismaClient } = await import('../fixtures/blog/client/client.js')
  const { seed } = await import('../fixtures/blog/seed.js')
  const orm = new PrismaClient({ adapter })
  await seed(orm)
  return {
    orm,
    async close() {
      await orm.$disconnect()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
