import { createRequire } from 'node:module'
import { resolve } from 'node:path'

import type Libsql from 'libsql'

import type { PrismaClient } from '../../fixtures/bench/client/client.js'
import type { OpenDatabase } from '../contenders/driver.js'

type DatabaseClass = new (file: string) => Libsql.Database
type Adapter = NonNullable<ConstructorParameters<typeof PrismaClient>[0]['adapter']>
type AdapterClass = new (options: { readonly url: string }) => Adapter

/** The SQLite driver that all contenders of a run use, so that drivers are not compared. */
export interface SqliteDriver {
  readonly open: OpenDatabase
  /** Prisma's adapter for it. */
  readonly adapter: (url: string) => Adapter
}

/** Loads the SQLite driver of this run: better-sqlite3 if its folder is in the environment, otherwise libsql. */
export function sqliteDriver(): SqliteDriver {
  const folder = process.env['BENCH_BETTER_SQLITE3']
  const [Database, AdapterOf] = folder === undefined ? libsql() : betterSqlite3(folder)
  return { open: (file) => new Database(file), adapter: (url) => new AdapterOf({ url }) }
}

function libsql(): [DatabaseClass, AdapterClass] {
  const require = createRequire(import.meta.url)
  const { PrismaLibSql } = require('@prisma/adapter-libsql') as { readonly PrismaLibSql: AdapterClass }
  return [require('libsql') as DatabaseClass, PrismaLibSql]
}

function betterSqlite3(folder: string): [DatabaseClass, AdapterClass] {
  const require = createRequire(resolve(folder, 'package.json'))
  const { PrismaBetterSqlite3 } = require('@prisma/adapter-better-sqlite3') as {
    readonly PrismaBetterSqlite3: AdapterClass
  }
  return [require('better-sqlite3') as DatabaseClass, PrismaBetterSqlite3]
}
