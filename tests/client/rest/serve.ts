import type { Fetch } from '../../../client/index.js'
import type { ApiHandler } from '../../../runtime/http/api-handler.js'
import { ENDPOINT } from '../../rest/support/client.js'

/** A fixture's client and routes, of whatever schema. */
interface Served {
  readonly orm: unknown
  readonly routes: { RestApiHandler(options: never): ApiHandler<never> }
}

/** What sends requests to a handler of a fixture, without a network. Its links name another host than the clients do. */
export function fetchOf(db: Served, options: object = {}, orm: unknown = db.orm): Fetch {
  const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, ...options } as never)
  return (request) => handler.fetch(request, { getOrm: () => orm as never, prefix: '/api' })
}

/** What sends requests on, and keeps what was sent. */
export function recorded(fetch: Fetch): Fetch & { readonly requests: Request[] } {
  const requests: Request[] = []
  const send: Fetch = (request) => {
    requests.push(request.clone())
    return fetch(request)
  }
  return Object.assign(send, { requests })
}
