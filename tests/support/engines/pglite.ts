import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { PGlite } from '@electric-sql/pglite'

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
    const { PrismaPGlite } = await import('pglite-prisma-adapter')
    const sql = await readFile(tables, 'utf8')
    const unused = unusedInstances.pop()
    const database = unused ? await recreateTables(unused, sql) : await start(join(dirname(tables), 'pglite.tar'))
    const empty = truncateAll(sql)
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
        unusedInstances.push(database)
      },
    }
  },
}

/** The instances of suites that ended. The next suite reuses one, because starting another takes more than a second. */
const unusedInstances: PGlite[] = []

async function start(snapshot: string): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite')
  return PGlite.create({ loadDataDir: new Blob([await readFile(snapshot)]) })
}

/** Replaces all tables and resets the session. */
async function recreateTables(database: PGlite, tables: string): Promise<PGlite> {
  await database.exec('DISCARD ALL')
  await database.exec(`${DROP_SCHEMAS}; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC; ${tables}`)
  await database.refreshArrayTypes()
  return database
}

const DROP_SCHEMAS = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema$)' LOOP
    EXECUTE format('DROP SCHEMA %I CASCADE', name);
  END LOOP;
END $$`
