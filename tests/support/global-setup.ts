import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { prepareFixtures, ROOT } from '../../scripts/prepare-fixtures.js'
import { sweepMysql } from './engines/mysql.js'
import { sweepPostgresql } from './engines/postgresql.js'

const HOUR = 3_600_000

/** Creates the clients, tables and routes that tests use, if they do not exist. */
export default async function setup(): Promise<void> {
  const { TEST_POSTGRES_URL, TEST_MYSQL_URL } = process.env
  await Promise.all([
    prepareFixtures(),
    sweepProjects(join(ROOT, 'tests/.generated')),
    TEST_POSTGRES_URL ? sweepPostgresql(TEST_POSTGRES_URL) : undefined,
    TEST_MYSQL_URL ? sweepMysql(TEST_MYSQL_URL) : undefined,
  ])
}

// Tests leave their generated projects on disk, so that failures can be inspected.
async function sweepProjects(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    if (!name.startsWith('project-')) continue
    const { mtimeMs } = await stat(path)
    if (mtimeMs < Date.now() - HOUR) await rm(path, { recursive: true, force: true })
  }
}
