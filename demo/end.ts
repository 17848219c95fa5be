import type { Server } from 'node:http'

import type { ApiHandler } from '@routewright/runtime'

/** How long requests may take that are here when the end has begun. Less than what a platform waits before it kills a process. */
const GRACE = 8000

/** Resolves when nothing is left to do: then the database can be let go of. */
export async function end(server: Server, handlers: readonly Pick<ApiHandler, 'drain'>[]): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  const late = setTimeout(() => server.closeAllConnections(), GRACE)
  await Promise.all(handlers.map((handler) => handler.drain()))
  // What is left are answers on their way, and connections that wait for a next request.
  server.closeIdleConnections()
  await closed
  clearTimeout(late)
}
