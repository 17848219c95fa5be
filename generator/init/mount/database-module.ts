import type { Adapter } from '../../options.js'
import type { DependencyNames } from '../app/package-json.js'

/** A Prisma driver adapter. */
interface Driver {
  readonly package: string
  readonly className: string
  /** Returns the constructor argument for the expression that contains the URL. */
  argument(url: string): string
  readonly comment?: string
}

const PG: Driver = {
  package: '@prisma/adapter-pg',
  className: 'PrismaPg',
  argument: (url) => `{ connectionString: ${url}, statement_timeout: 30_000 }`,
  comment:
    '// PostgreSQL cancels statements after 30 s. If a pooler rejects the parameter, set it for the role instead.',
}
const BETTER_SQLITE: Driver = {
  package: '@prisma/adapter-better-sqlite3',
  className: 'PrismaBetterSqlite3',
  argument: (url) => `{ url: ${url} }`,
}
// Without `intMode`, libSQL cannot read integers beyond 2^53.
const LIBSQL: Driver = {
  package: '@prisma/adapter-libsql',
  className: 'PrismaLibSql',
  argument: (url) => `{ url: ${url}, intMode: 'bigint' }`,
}
const MARIADB: Driver = { package: '@prisma/adapter-mariadb', className: 'PrismaMariaDb', argument: (url) => url }
const MSSQL: Driver = { package: '@prisma/adapter-mssql', className: 'PrismaMssql', argument: (url) => url }

/** The drivers by datasource provider. If the app does not depend on any of them, the first is used. */
const DRIVERS: Readonly<Record<string, readonly Driver[]>> = {
  postgresql: [PG],
  cockroachdb: [PG],
  mysql: [MARIADB],
  // With better-sqlite3, queries of other requests become part of an open transaction.
  sqlite: [LIBSQL, BETTER_SQLITE],
  sqlserver: [MSSQL],
}

/** Returns the package of the driver adapter that a module imports. */
export function detectDriver(text: string): string | undefined {
  return /["'](@prisma\/adapter-[\w-]+)["']/.exec(text)?.[1]
}

/** A module that creates the Prisma client. */
export interface DatabaseModule {
  readonly text: string
  /** The package of the driver adapter. */
  readonly driver: string
}

/** Options of {@link databaseModule}. */
export interface DatabaseModuleOptions {
  /** The datasource's provider. */
  readonly provider: string
  /** The import specifier of the Prisma client. */
  readonly client: string
  readonly adapter: Adapter
  /** The packages that the app depends on. */
  readonly packages: DependencyNames
}

/**
 * Returns the text of a module that exports the app's Prisma client as `prisma`. Prisma 7 requires a driver adapter. The module reads
 * DATABASE_URL when it is loaded. If the variable is missing, only queries fail, because frameworks also load the module during a build.
 * @returns undefined if Prisma has no driver adapter for the database
 */
export function databaseModule({
  provider,
  client,
  adapter,
  packages,
}: DatabaseModuleOptions): DatabaseModule | undefined {
  const drivers = DRIVERS[provider] ?? []
  const driver = drivers.find((each) => packages.has(each.package)) ?? drivers[0]
  if (!driver) return undefined
  const { imports, url } = environment(adapter, packages)
  const text = [
    ...imports,
    `import { ${driver.className} } from '${driver.package}'`,
    `import { PrismaClient } from '${client}'`,
    '',
    ...(driver.comment === undefined ? [] : [driver.comment]),
    `const adapter = new ${driver.className}(${driver.argument(`${url} ?? ''`)})`,
    '',
    ...(adapter === 'next'
      ? NEXT_CLIENT_SINGLETON
      : ["/** The app's Prisma client. */", 'export const prisma = new PrismaClient({ adapter })']),
    '',
  ]
  return { text: text.join('\n'), driver: driver.package }
}

const NEXT_CLIENT_SINGLETON = [
  '// In development, Next reloads changed files. A global keeps the client and its connections.',
  'const kept = globalThis as typeof globalThis & { prisma?: PrismaClient }',
  '',
  "/** The app's Prisma client. */",
  'export const prisma = kept.prisma ?? new PrismaClient({ adapter })',
  "if (process.env['NODE_ENV'] !== 'production') kept.prisma = prisma",
]

/** Frameworks that load `.env` themselves. */
const READ_ENV: readonly Adapter[] = ['next', 'nuxt', 'tanstack-start']

function environment(adapter: Adapter, packages: DependencyNames): { imports: readonly string[]; url: string } {
  if (adapter === 'sveltekit')
    return { imports: ["import { env } from '$env/dynamic/private'"], url: "env['DATABASE_URL']" }
  const dotenv = packages.has('dotenv') && !READ_ENV.includes(adapter)
  return { imports: dotenv ? ["import 'dotenv/config'"] : [], url: "process.env['DATABASE_URL']" }
}
