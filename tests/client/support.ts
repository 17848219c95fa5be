import type { Hono } from 'hono'

import type { Prisma } from '../../fixtures/blog/client/client.js'
import type { Api } from '../../fixtures/blog/expected/client.js'
import { createRpcClient, type RpcClient } from '../../client/index.js'
import type { RpcClientOptions } from '../../client/rpc/create-rpc-client.js'
import { ANY_COST } from '../rpc/client.js'
import type { Database } from '../support/databases.js'

/** The blog's client, with the Decimals of the Prisma client. */
export type BlogClient = RpcClient<Api, Prisma.Decimal>

/** Creates an app that serves the blog's routes at `/api`. */
export function blogApp(db: Database, orm: unknown = db.orm): Hono {
  const handler = db.routes.RPCApiHandler({ ...ANY_COST, transactions: true })
  return db.hono.createHonoHandler({ getOrm: () => orm as typeof db.orm, handler, prefix: '/api' })
}

/** Creates a client of the blog's routes on a database, without a network. It records the requests. */
export function blogClient(
  db: Database,
  options: Pick<RpcClientOptions, 'maxUrlLength'> = {},
  orm: unknown = db.orm,
): { readonly api: BlogClient; readonly sent: Request[] } {
  const app = blogApp(db, orm)
  const sent: Request[] = []
  const api = createRpcClient<Api, Prisma.Decimal>({
    url: '/api',
    decimal: (text) => new db.client.Prisma.Decimal(text),
    ...options,
    fetch: (request) => {
      sent.push(request.clone())
      return app.fetch(request)
    },
  })
  return { api, sent }
}

/** Calls an operation by its name. */
export function callBy(api: object, model: string, operation: string, args: unknown): Promise<unknown> {
  return Reflect.get(Reflect.get(api, model), operation)(args)
}
