import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import Database from 'libsql'

import type { DataSet } from './data-set.js'
import { hex, insertStatements, quoted, type Value } from './rows.js'

/**
 * SQLite in a file. The data set is filled once and cached in the system's temporary folder. Each run uses a copy, in memory if the machine
 * has /dev/shm, because disk speed is not measured.
 */
export const sqlite: DataSet = {
  provider: 'sqlite',
  async open(tables, key) {
    const cache = join(tmpdir(), 'routewright-bench')
    const filledPath = join(cache, `${key}.db`)
    mkdirSync(cache, { recursive: true })
    if (!existsSync(filledPath)) fillDatabase(filledPath, tables)
    const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'routewright-bench-'))
    const file = join(folder, 'run.db')
    copyFileSync(filledPath, file)
    return { url: `file:${file}`, close: async () => rmSync(folder, { recursive: true, force: true }) }
  },
}

function fillDatabase(path: string, tables: string): void {
  const unfinished = `${path}.${process.pid}`
  const database = new Database(unfinished)
  // The driver's `pragma` method prepares a statement, and one that changes the journal mode keeps the file locked.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN')
  database.exec(tables)
  for (const statement of insertStatements(literal)) database.exec(statement)
  database.exec('COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  renameSync(unfinished, path)
}

function literal(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value !== 'object') return String(value)
  // The format of Prisma's adapter.
  if (value instanceof Date) return quoted(value.toISOString().replace('Z', '+00:00'))
  if (value instanceof Uint8Array) return `X'${hex(value)}'`
  return quoted(JSON.stringify(value.json))
}
