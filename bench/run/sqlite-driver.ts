import { createRequire } from 'node:module'
import { join } from 'node:path'

import { PrismaLibSql } from '@prisma/adapter-libsql'
import Libsql from 'libsql'

import type { PrismaClient } from '../../fixtures/bench/client/client.js'

/** Opens a file of SQLite. Both drivers have this API. */
export type OpenDatabase = (file: string) => Libsql.Database

type Adapter = NonNullable<ConstructorParameters<typeof PrismaClient>[0]['adapter']>

/** The driver of SQLite that all contenders of a run use, so that it is not the drivers that are compared. */
export interface SqliteDriver {
  readonly open: OpenDatabase
  /** Prisma's adapter for it. */
  readonly adapter: (url: string) => Adapter
}

/** The driver that this run was told to use: better-sqlite3 where it has been installed for it, libsql otherwise. */
export function sqliteDriver(): SqliteDriver {
  const folder = process.env['BENCH_BETTER_SQLITE3']
  if (folder === undefined) {
    return { open: (file) => new Libsql(file), adapter: (url) => new PrismaLibSql({ url }) }
  }
  const require = createRequire(join(folder, 'package.json'))
  const { PrismaBetterSqlite3 } = require('@prisma/adapter-better-sqlite3') as {
    readonly PrismaBetterSqlite3: new (options: { readonly url: string }) => Adapter
  }
  const BetterSqlite3 = require('better-sqlite3') as new (file: string) => Libsql.Database
  return { open: (file) => new BetterSqlite3(file), adapter: (url) => new PrismaBetterSqlite3({ url }) }
}
