import type { Fetch } from '../../../client/index.js'
import type { ApiHandler } from '../../../runtime/http/handler-types.js'
import { ENDPOINT } from '../../rest/support/client.js'

/** The Prisma client and routes of any fixture. */
interface Served {
  readonly orm: unknown
  readonly routes: { RestApiHandler(options: never): ApiHandler<never> }
}

/** Creates a `fetch` that calls a fixture's handler. Its links have another host than the clients use. */
export function fetchOf(db: Served, options: object = {}, orm: unknown = db.orm): Fetch {
  const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, ...options } as never)
  return (request) => handler.fetch(request, { getOrm: () => orm as never, prefix: '/api' })
}

/** Wraps a `fetch` and records the requests. */
export function recorded(fetch: Fetch): Fetch & { readonly requests: Request[] } {
  const requests: Request[] = []
  const send: Fetch = (request) => {
    requests.push(request.clone())
    return fetch(request)
  }
  return Object.assign(send, { requests })
}
