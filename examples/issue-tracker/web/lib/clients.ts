import { createRestClient, createRpcClient } from '@routewright/client'

import type { Api } from '#routes/client.js'
import { graph } from '#routes/graph.js'
import { getSession, logOut } from './session.js'

function headers(): Record<string, string> {
  const session = getSession()
  return session ? { Authorization: `Bearer ${session.token}` } : {}
}

/** A token that the server takes no more ends the session: the log-in page is shown. */
async function send(request: Request): Promise<Response> {
  const response = await fetch(request)
  if (response.status === 401) logOut()
  return response
}

/** The API in the form of the Prisma client. */
export const rpc = createRpcClient<Api>({ url: '/api/rpc', headers, fetch: send })

/** The same API as JSON:API. */
export const rest = createRestClient<Api>({ url: '/api/rest', graph, headers, fetch: send })

/** The same, which sees archived issues too. */
export const archive = createRestClient<Api>({
  url: '/api/rest',
  graph,
  headers: () => ({ ...headers(), 'X-Archive': 'true' }),
  fetch: send,
})
