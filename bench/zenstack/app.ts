/**
 * ZenStack's server with its own ORM, on the same driver as Prisma's adapter. Not type-checked with the repository, because only the
 * benchmark installs its packages.
 */
import { ZenStackClient } from '@zenstackhq/orm'
import { PostgresDialect } from '@zenstackhq/orm/dialects/postgres'
import { SqliteDialect } from '@zenstackhq/orm/dialects/sqlite'
import { RestApiHandler, RPCApiHandler } from '@zenstackhq/server/api'
import { createHonoHandler } from '@zenstackhq/server/hono'
import { Hono } from 'hono'
import pg from 'pg'

import { schema } from './.build/schema.js'

const ENDPOINT = 'http://localhost/rest'

/**
 * Creates the app.
 * @param url the URL of the database
 * @param open opens an SQLite file with the driver of this run
 */
export function zenstack(
  url: string,
  open: (file: string) => ConstructorParameters<typeof SqliteDialect>[0]['database'],
) {
  const dialect = url.startsWith('file:')
    ? new SqliteDialect({ database: open(url.slice('file:'.length)) })
    : new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 10 }) })
  const client = new ZenStackClient(schema, { dialect })
  const app = new Hono()
  const mount = (path: string, apiHandler: RestApiHandler | RPCApiHandler) =>
    app.use(`${path}/*`, createHonoHandler({ apiHandler, getClient: () => client }))
  mount('/rest', new RestApiHandler({ schema, endpoint: ENDPOINT }))
  mount('/rpc', new RPCApiHandler({ schema }))
  return app
}
