import type { StaticEndpoint } from '../http/static-endpoint.js'
import { JSONAPI } from './document/document.js'
import type { RestModel } from './model.js'
import { checkAccept, RESPONSE_HEADERS } from './request/negotiation.js'
import { parseQuery } from './request/query.js'

/**
 * What is served, for whoever opens the URL that the API is mounted at: a document of JSON:API with the collections by their types, and
 * where the API is described.
 * @param endpoint of the handler
 * @param describedBy path of the API's description, below the prefix; undefined where there is none
 */
export function entryPoint(
  models: Iterable<RestModel>,
  endpoint: string,
  describedBy: string | undefined,
): StaticEndpoint {
  const resources = [...models].map(({ type, url }): [string, string] => [type, url])
  const links = { self: endpoint, ...(describedBy !== undefined && { describedby: endpoint + describedBy }) }
  const body = JSON.stringify({ jsonapi: JSONAPI, links, meta: { resources: Object.fromEntries(resources) } })
  return (request) => {
    checkAccept(request.headers.get('Accept'))
    parseQuery(request.url, [])
    return new Response(body, { headers: RESPONSE_HEADERS })
  }
}
