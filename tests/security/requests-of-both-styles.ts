import { methodOf } from '../rpc/client.js'
import { ENDPOINT } from '../rest/support/client.js'
import type { ApiHandler } from '../../runtime/http/handler-types.js'

/** A request to one of the styles, with the members in the order of test titles. */
export type Attack = readonly [style: 'rest' | 'rpc', method: string, path: string, body?: unknown]

/** The response to a request. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The Prisma client and routes of any fixture. */
interface Served {
  readonly orm: unknown
  readonly routes: {
    RestApiHandler(options: never): ApiHandler<never>
    RPCApiHandler(options?: never): ApiHandler<never>
  }
}

/** Returns an RPC request, with its arguments in the query or the body, depending on the method. */
export function rpc(model: string, operation: string, args: unknown): Attack {
  const method = methodOf(operation)
  const path = `/${model}/${operation}`
  if (method !== 'GET' && method !== 'DELETE') return ['rpc', method, path, args]
  return ['rpc', method, `${path}?q=${encodeURIComponent(JSON.stringify(args))}`]
}

/** Creates a client for both styles. */
export function callerOf({ orm, routes }: Served): (attack: Attack) => Promise<TestResponse> {
  const handlers = { rest: routes.RestApiHandler({ endpoint: ENDPOINT } as never), rpc: routes.RPCApiHandler() }
  return async ([style, method, path, body]) => {
    const json = body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    const request = new Request(`http://localhost/api/${style}${path}`, { method, ...json })
    const response = await handlers[style].fetch(request, { getOrm: () => orm as never, prefix: `/api/${style}` })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}
