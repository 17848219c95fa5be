import { methodOf } from '../rpc/client.js'
import { ENDPOINT } from '../rest/support/client.js'
import type { ApiHandler } from '../../runtime/http/api-handler.js'

/** A request to one of the styles, in the order in which a test's name shows it. */
export type Attack = readonly [style: 'rest' | 'rpc', method: string, path: string, body?: unknown]

/** What a request was answered with. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A fixture's client and routes, of whatever schema. */
interface Served {
  readonly orm: unknown
  readonly routes: {
    RestApiHandler(options: never): ApiHandler<never>
    RPCApiHandler(options?: never): ApiHandler<never>
  }
}

/** A request of the RPC style, with its arguments where its method has them. */
export function rpc(model: string, operation: string, args: unknown): Attack {
  const method = methodOf(operation)
  const path = `/${model}/${operation}`
  if (method !== 'GET' && method !== 'DELETE') return ['rpc', method, path, args]
  return ['rpc', method, `${path}?q=${encodeURIComponent(JSON.stringify(args))}`]
}

/** A caller of both styles, mounted beside each other. */
export function callerOf({ orm, routes }: Served): (attack: Attack) => Promise<TestResponse> {
  const handlers = { rest: routes.RestApiHandler({ endpoint: ENDPOINT } as never), rpc: routes.RPCApiHandler() }
  return async ([style, method, path, body]) => {
    const json = body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    const request = new Request(`http://localhost/api/${style}${path}`, { method, ...json })
    const response = await handlers[style].fetch(request, { getOrm: () => orm as never, prefix: `/api/${style}` })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}
