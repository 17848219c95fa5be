import { createRestClient, createRpcClient, withRpcRoutes } from '@routewright/client'

import type { Api } from '#routes/client.js'
import { graph } from '#routes/graph.js'
import { declarations } from '../../server/declarations.js'
import { getSession, logOut } from './session.js'

function headers(): Record<string, string> {
  const session = getSession()
  return session ? { Authorization: `Bearer ${session.token}` } : {}
}

/** Ends the session if the server rejects the token. The app then shows the login page. */
async function send(request: Request): Promise<Response> {
  const response = await fetch(request)
  if (response.status === 401) logOut()
  return response
}

/** The RPC client, with the app's own routes. */
export const rpc = withRpcRoutes(createRpcClient<Api>({ url: '/api/rpc', headers, fetch: send }), declarations)

/** The REST client. */
export const rest = createRestClient<Api>({ url: '/api/rest', graph, headers, fetch: send })

/** The REST client that includes archived issues. */
export const archive = createRestClient<Api>({
  url: '/api/rest',
  graph,
  headers: () => ({ ...headers(), 'X-Archive': 'true' }),
  fetch: send,
})
