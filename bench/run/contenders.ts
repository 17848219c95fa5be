import { PrismaPg } from '@prisma/adapter-pg'

import { PrismaClient } from '../../fixtures/bench/client/client.js'
import { createHandwrittenApp } from '../contenders/by-hand/app.js'
import type { App, Calls, Orm } from '../contenders/contender.js'
import { driverCalls, type OpenDatabase, postgresqlQuery, sqliteQuery } from '../contenders/driver.js'
import { emitted } from '../contenders/emitted.js'
import { prismaCalls } from '../contenders/prisma.js'
import { type AppName, PEERS } from './app-names.js'
import { sqliteDriver } from './sqlite-driver.js'
import { statementNames } from './statement-names.js'

/** The configuration that docs/deployment.md recommends. */
function postgresAdapter(url: string): PrismaPg {
  return new PrismaPg({ connectionString: url, max: 10 }, { statementNameGenerator: statementNames() })
}

/** Opens a Prisma client for a database. */
export function openOrm(url: string): Orm {
  const isFile = url.startsWith('file:')
  return new PrismaClient({
    adapter: isFile ? sqliteDriver().adapter(url) : postgresAdapter(url),
  })
}

/** Creates a contender with an HTTP API. */
export async function openApp(name: AppName, url: string, orm: Orm = openOrm(url)): Promise<App> {
  if (name === 'emitted') return emitted(orm)
  if (name === 'by hand') return createHandwrittenApp(orm)
  const module = (await import(process.env[PEERS[name]] ?? '')) as {
    readonly zenstack: (url: string, open: OpenDatabase) => App
    readonly trpc: (orm: Orm) => App
  }
  return name === 'trpc' ? module.trpc(orm) : module.zenstack(url, sqliteDriver().open)
}

/** Creates the contenders without HTTP. */
export function openCalls(url: string, orm: Orm): Readonly<Record<'prisma' | 'driver', Calls>> {
  const query = url.startsWith('file:') ? sqliteQuery(url, sqliteDriver().open) : postgresqlQuery(url)
  return { prisma: prismaCalls(orm), driver: driverCalls(query) }
}
