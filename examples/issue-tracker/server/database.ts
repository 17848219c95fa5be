import { readFile } from 'node:fs/promises'

import { PrismaLibSql } from '@prisma/adapter-libsql'
import { PrismaPg } from '@prisma/adapter-pg'

import { PrismaClient } from '#prisma'
import { databaseUrl, provider } from './provider.js'

/** Queries that check whether the tables exist. */
const TABLES = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'User'`,
  postgresql: `SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'User'`,
}

/**
 * Opens the database and creates its tables if they do not exist.
 * @param url the database URL. Default: the one from the environment.
 */
export async function openDatabase(url: string = databaseUrl): Promise<PrismaClient> {
  const adapter =
    provider === 'sqlite' ? new PrismaLibSql({ url, intMode: 'bigint' }) : new PrismaPg({ connectionString: url })
  const orm = new PrismaClient({ adapter })
  const [found] = await orm.$queryRawUnsafe<unknown[]>(TABLES[provider])
  if (found === undefined) {
    const tables = await readFile(new URL(`../prisma/${provider}.sql`, import.meta.url), 'utf8')
    const connection = await adapter.connect()
    await connection.executeScript(tables)
    await connection.dispose()
  }
  return orm
}
