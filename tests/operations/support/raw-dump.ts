import type { Provider } from '../../../scripts/prepare-fixtures.js'

/** The member of a Prisma client that reads raw tables. */
interface Raw {
  $queryRawUnsafe(sql: string): PromiseLike<unknown>
}

type Row = Readonly<Record<string, unknown>>

/** Queries for the tables of a database, including join tables, without SQLite's internal tables. */
const TABLES: Readonly<Record<string, string>> = {
  sqlite: `SELECT name AS "name" FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  postgresql: 'SELECT tablename::text AS "name" FROM pg_tables WHERE schemaname = current_schema()',
  mysql: 'SELECT table_name AS `name` FROM information_schema.tables WHERE table_schema = database()',
}

/** Returns every row of every table as text, without Prisma's models. Equal texts mean equal databases. */
export async function rawDump(orm: Raw, provider: Provider): Promise<string> {
  const read = async (sql: string) => (await orm.$queryRawUnsafe(sql)) as readonly Row[]
  const names = (await read(TABLES[provider] ?? '')).map(({ name }) => String(name)).toSorted()
  const tables: string[] = []
  for (const name of names) {
    const rows = await read(
      provider === 'postgresql'
        ? // PostgreSQL's own text of a row, for any type.
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
