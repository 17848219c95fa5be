import { Prisma, type PrismaClient } from '../../../fixtures/blog/client/client.js'
import { openApi, type SchemaDescriptions } from '@routewright/runtime/openapi'

import type { Database } from '../../support/databases.js'
import type { FixtureName } from '../../support/fixtures.js'
import type { Send } from './rest-conformance.js'

/** Serves the REST style of a fixture on a database, with its document. */
export function served<F extends FixtureName>(
  db: Database<F>,
  options: object = {},
  orm: unknown = db.orm,
): { readonly base: string; readonly send: Send } {
  const base = 'https://example.com/api'
  const routes = db.routes as unknown as Routes
  const hono = db.hono as unknown as { createHonoHandler(options: object): { fetch: Send } }
  const openapi = openApi({ descriptions: routes.descriptions })
  const handler = routes.RestApiHandler({ endpoint: base, openapi, atomicOperations: false, ...options })
  const app = hono.createHonoHandler({
    getOrm: ({ req }: RequestScope) => failing(orm, req.header('X-Fails')),
    prefix: '/api',
    handler,
  })
  return { base, send: (request) => app.fetch(request) }
}

interface Routes {
  readonly descriptions: SchemaDescriptions
  RestApiHandler(options: object): never
}

interface RequestScope {
  readonly req: { header(name: string): string | undefined }
}

/** A client whose calls fail with errors of Prisma or a driver. */
function failing(orm: unknown, code: string | undefined): unknown {
  const fails = code === undefined ? undefined : FAILURES[code]
  if (!fails) return orm
  const failure = Promise.reject(fails())
  failure.catch(() => {})
  return (orm as PrismaClient).$extends({ query: { $allModels: { $allOperations: async () => failure } } })
}

const prismaError =
  (code: string, meta: Record<string, unknown> = {}) =>
  () => {
    return new Prisma.PrismaClientKnownRequestError('It failed.', { code, clientVersion: '7.10.0', meta })
  }

const driver = (code: string, message: string) => {
  return prismaError('P2010', {
    driverAdapterError: { cause: { kind: 'postgres', originalCode: code, originalMessage: message } },
  })
}

const FAILURES: Readonly<Record<string, () => Error>> = {
  forbidden: prismaError('P2004', { reason: 'ACCESS_POLICY' }),
  'internal-error': () => new Error('A bug.'),
  'database-unavailable': prismaError('P1001'),
  'database-timeout': driver('57014', 'canceling statement due to statement timeout'),
  'transaction-timeout': driver('25P03', 'terminating connection due to idle-in-transaction timeout'),
  'unique-violation': prismaError('P2002'),
  'foreign-key-violation': prismaError('P2003'),
  'write-conflict': prismaError('P2034'),
}
