import type { ApiHandler, RequestContext } from '../http/handler.js'
import { type AdapterOptions, mountOrPattern, type WithHandler } from '../http/mount.js'
import { incoming, type NodeRequest, requestPath } from './request.js'
import { type NodeResponse, send } from './response.js'

/**
 * Answers every request that it is given, where nobody stands behind it to answer failures: 404 outside the prefix, and 500
 * with a line on the console for what no handler could answer.
 * @param options see {@link AdapterOptions}
 */
export function nodeListener<O, R extends NodeRequest>(
  options: WithHandler<O, AdapterOptions<O, [req: R]>>,
): (req: R, res: NodeResponse) => Promise<void> {
  const { handler, getOrm } = options
  const mountIn = mountOrPattern(options.prefix)
  return async (req, res) => {
    try {
      const prefix = mountIn(requestPath(req))
      await serveNode(handler, { getOrm: () => getOrm(req), prefix }, req, res)
    } catch (error) {
      console.error('[routewright] a request could not be answered:', error)
      if (res.headersSent) return void res.destroy()
      res.statusCode = 500
      res.end()
    }
  }
}

/**
 * Answers one of Node's requests with a handler.
 * @throws what only a handler that breaks its word, or a body that cannot be written as JSON, can throw; nothing is sent then
 */
export async function serveNode<O>(
  handler: ApiHandler<O>,
  context: RequestContext<O>,
  req: NodeRequest,
  res: NodeResponse,
): Promise<void> {
  const received = incoming(req)
  if (!received) {
    res.statusCode = 405
    return void res.end()
  }
  try {
    await send(await handler.fetch(received.request, context), res, req.method === 'HEAD')
  } finally {
    received.release()
  }
}
