import type { StaticEndpoint } from '../http/static-endpoint.js'
import { JSONAPI } from './document/jsonapi-member.js'
import type { RestModel } from './rest-model.js'
import type { Settings } from './settings.js'
import { checkAccept } from './request/content-negotiation.js'
import { RESPONSE_HEADERS } from './document/response-headers.js'
import { parseQuery } from './request/parse-query.js'

/**
 * Creates the endpoint at the URL where the API is mounted: a JSON:API document that lists the collections by type and links to the API
 * description.
 * @param describedBy the path of the API description, relative to the prefix; undefined if there is none
 */
export function entryPoint(
  models: Iterable<RestModel>,
  settings: Settings,
  describedBy: string | undefined,
): StaticEndpoint {
  const { endpoint } = settings
  const resources = [...models].map(({ type, url }): [string, string] => [type, url])
  const links = { self: endpoint, ...(describedBy !== undefined && { describedby: endpoint + describedBy }) }
  const body = JSON.stringify({ jsonapi: JSONAPI, links, meta: { resources: Object.fromEntries(resources) } })
  return (request) => {
    checkAccept(request.headers.get('Accept'))
    parseQuery(request.url, 'none', settings.families)
    return new Response(body, { headers: RESPONSE_HEADERS })
  }
}
