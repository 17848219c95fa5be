import SuperJSON from 'superjson'

import type { Prisma } from '../../fixtures/blog/client/client.js'
import type { Orm, RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import type { ApiHandler } from '../../runtime/http/handler-types.js'
import type { Database } from '../support/databases.js'

/** The response to a request. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: ResponseBody
}

/** The members of a response body (contract 4.3 and 7.4). */
export interface ResponseBody extends ErrorBody {
  readonly data?: unknown
  readonly meta?: { readonly serialization: object }
  /** Repeats the members of the error. */
  readonly error?: ErrorBody & { readonly status: number; readonly rejectReason?: string }
}

interface ErrorBody {
  readonly message?: string
  readonly code?: string
  readonly orm?: boolean
  readonly rejectedByPolicy?: boolean
  readonly reason?: string
  readonly issues?: readonly {
    readonly path: readonly (string | number)[]
    readonly message: string
    readonly code?: string
  }[]
}

/** A client of the RPC style, as an application would write it with superjson. */
export interface RpcClient {
  /**
   * Calls an operation, for example `POST /post/findMany`. Arguments are sent where the method expects them, and may have
   * the client's own types.
   */
  call(model: string, operation: string, args?: unknown, method?: string): Promise<TestResponse>
  /** Like `call`, but returns the result with its types restored. Throws if the response is an error. */
  result(model: string, operation: string, args?: unknown, method?: string): Promise<unknown>
  /** Sends a request unchanged. */
  fetch(path: string, init?: RequestInit): Promise<TestResponse>
}

/** Returns the method of an operation, according to the contract. */
export function methodOf(operation: string): string {
  if (operation.startsWith('create') || operation === 'upsert') return 'POST'
  if (operation.startsWith('update')) return 'PATCH'
  return operation.startsWith('delete') ? 'DELETE' : 'GET'
}

/** Creates a superjson with the contract's two custom types, for the Prisma client of a database. */
export function superjsonOf(prisma: typeof Prisma): SuperJSON {
  const superjson = new SuperJSON()
  superjson.registerCustom<Prisma.Decimal, string>(
    {
      isApplicable: (value) => prisma.Decimal.isDecimal(value),
      serialize: (value) => value.toFixed(),
      deserialize: (text) => new prisma.Decimal(text),
    },
    'Decimal',
  )
  superjson.registerCustom<Uint8Array, string>(
    {
      isApplicable: (value) => value instanceof Uint8Array,
      serialize: (value) => Buffer.from(value).toString('base64'),
      deserialize: (text) => new Uint8Array(Buffer.from(text, 'base64')),
    },
    'Bytes',
  )
  return superjson
}

/** The options of the blog's RPC handler. */
type RpcApiOptions = NonNullable<Parameters<typeof RPCApiHandler>[0]>

/** For tests that compare generated arguments with the client. The data is small enough for any cost. */
export const ANY_COST: RpcApiOptions = { limits: { filterCost: Infinity, toManyDepth: 3 } }

/** Creates a client for the routes of a database, mounted at `/api` of a Hono app. */
export function rpcClient(
  db: Database,
  options: RpcApiOptions = {},
  orm: unknown = db.orm,
  handler: ApiHandler<Orm> = db.routes.RPCApiHandler(options),
): RpcClient {
  const app = db.hono.createHonoHandler({ getOrm: () => orm as typeof db.orm, handler, prefix: '/api' })
  return clientOf((request) => app.fetch(request), superjsonOf(db.client.Prisma))
}

/** The Prisma client and routes of any fixture. */
interface Served {
  readonly orm: unknown
  readonly client: { readonly Prisma: unknown }
  readonly routes: { RPCApiHandler(options?: never): ApiHandler<never> }
}

/** Creates a client for the routes of a fixture other than the blog. */
export function fixtureRpc(db: Served, options: RpcApiOptions = {}, orm: unknown = db.orm): RpcClient {
  const handler = db.routes.RPCApiHandler(options as never)
  const context = { getOrm: () => orm as never, prefix: '/api' }
  return clientOf((request) => handler.fetch(request, context as never), superjsonOf(db.client.Prisma as typeof Prisma))
}

export function clientOf(send: (request: Request) => Response | Promise<Response>, superjson: SuperJSON): RpcClient {
  async function fetch(path: string, init?: RequestInit): Promise<TestResponse> {
    const response = await send(new Request(`http://localhost/api${path}`, init))
    const text = await response.text()
    const body: ResponseBody = text === '' ? {} : JSON.parse(text)
    return { status: response.status, headers: response.headers, body }
  }

  async function call(
    model: string,
    operation: string,
    args?: unknown,
    method = methodOf(operation),
  ): Promise<TestResponse> {
    // Tests use the model names of the Prisma client.
    const path = `/${model.toLowerCase()}/${operation}`
    if (args === undefined) return fetch(path, { method })
    const { json, meta } = superjson.serialize(args)
    const serialization = meta && { ...(meta.values && { values: meta.values }), ...(meta.v && { v: meta.v }) }
    if (method === 'GET' || method === 'DELETE') {
      const q = `q=${encodeURIComponent(JSON.stringify(json))}`
      const query = meta ? `${q}&meta=${encodeURIComponent(JSON.stringify({ serialization }))}` : q
      return fetch(`${path}?${query}`, { method })
    }
    const body = JSON.stringify(meta ? { ...Object(json), meta: { serialization } } : json)
    return fetch(path, { method, body, headers: { 'Content-Type': 'application/json' } })
  }

  return {
    fetch,
    call,
    async result(model, operation, args, method) {
      const { status, body } = await call(model, operation, args, method)
      if (status >= 300) throw new Error(`${status} ${body.message}`)
      return superjson.parse(JSON.stringify({ json: body.data, meta: body.meta?.serialization }))
    },
  }
}
