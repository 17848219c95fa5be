import type { Server } from 'node:http'

import type { ApiHandler } from '@routewright/runtime'

/** Grace period for running requests, in ms. Must be shorter than the time after which the platform kills the process. */
const GRACE_MS = 8000

/** Closes the server and waits for running requests. After that, the database can be closed. */
export async function end(server: Server, handlers: readonly Pick<ApiHandler, 'drain'>[]): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await Promise.all(handlers.map((handler) => handler.drain()))
  // Only idle connections and responses in transit are left.
  server.closeIdleConnections()
  await closed
  clearTimeout(timer)
}
