import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { ROOT } from './prepare-fixtures.js'

/** The folder of the example app. */
export const EXAMPLE = join(ROOT, 'examples/issue-tracker')

/** The database providers of the example app. */
export const PROVIDERS = ['sqlite', 'postgresql'] as const

/** Creates the SQL for the example app's tables, committed as `prisma/sqlite.sql` and `prisma/postgresql.sql`. */
export async function exampleTables(provider: (typeof PROVIDERS)[number]): Promise<string> {
  const schema = await readFile(join(EXAMPLE, 'prisma/schema.prisma'), 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'routewright-tables-'))
  try {
    const path = join(folder, 'schema.prisma')
    await writeFile(path, schema.replace('provider = "sqlite"', `provider = "${provider}"`))
    const maker = join(ROOT, 'scripts/create-tables.ts')
    await promisify(execFile)(process.execPath, ['--import', 'tsx', maker, path, folder], { cwd: ROOT })
    return await readFile(join(folder, 'tables.sql'), 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
