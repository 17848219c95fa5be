import type { Provider } from '../../../scripts/prepare-fixtures.js'

/** What of a Prisma client is needed to read tables as they are. */
interface Raw {
  $queryRawUnsafe(sql: string): PromiseLike<unknown>
}

type Row = Readonly<Record<string, unknown>>

/** The tables of a database, those between two models among them. SQLite's own counters are none. */
const TABLES: Readonly<Record<string, string>> = {
  sqlite: `SELECT name AS "name" FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  postgresql: 'SELECT tablename::text AS "name" FROM pg_tables WHERE schemaname = current_schema()',
  mysql: 'SELECT table_name AS `name` FROM information_schema.tables WHERE table_schema = database()',
}

/** Every row of every table, column by column, past Prisma's models: equal texts are equal databases. */
export async function rawDump(orm: Raw, provider: Provider): Promise<string> {
  const read = async (sql: string) => (await orm.$queryRawUnsafe(sql)) as readonly Row[]
  const names = (await read(TABLES[provider] ?? '')).map(({ name }) => String(name)).toSorted()
  const tables: string[] = []
  for (const name of names) {
    const rows = await read(
      provider === 'postgresql'
        ? // As the database itself writes a row, whatever types it has.
          `SELECT one::text AS "row" FROM "${name}" AS one`
        : `SELECT * FROM ${provider === 'mysql' ? `\`${name}\`` : `"${name}"`}`,
    )
    tables.push([name, ...rows.map(textOf).toSorted()].join('\n'))
  }
  return tables.join('\n\n')
}

function textOf(row: Row): string {
  return JSON.stringify(row, (_name, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
  })
}
