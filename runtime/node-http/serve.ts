import type { ApiHandler, RequestContext } from '../http/api-handler.js'
import {
  type AdapterOptions,
  createRequestContext,
  joinPath,
  createMountMatcherOrPattern,
  type WithHandler,
} from '../http/adapter-options.js'
import { writeLog, logLabel } from '../errors/logging.js'
import { toWebRequest, nodeRequestId, type NodeRequest, requestPath } from './request.js'
import { type NodeResponse, sendResponse } from './response.js'

/**
 * Answers every request that it is given, where nobody stands behind it to answer failures: 404 outside the prefix, and 500
 * with a line in the log for what no handler could answer.
 * @param options see {@link AdapterOptions}
 */
export function nodeListener<O, R extends NodeRequest, C>(
  options: WithHandler<O, AdapterOptions<O, [req: R], C>, C>,
): (req: R, res: NodeResponse) => Promise<void> {
  const { handler } = options
  const mountIn = createMountMatcherOrPattern(options.prefix)
  const mount = joinPath(options.prefix)
  return async (req, res) => {
    const requestId = () => nodeRequestId(req)
    try {
      const prefix = mountIn(requestPath(req))
      await serveNode(handler, createRequestContext(options, { prefix, mount, requestId }, req), req, res)
    } catch (error) {
      const told = { log: options.log, requestId }
      writeLog(told, `[routewright] a request could not be answered${logLabel(undefined, told)}:`, error)
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
export async function serveNode<O, C>(
  handler: ApiHandler<O, C>,
  context: RequestContext<O, C>,
  req: NodeRequest,
  res: NodeResponse,
): Promise<void> {
  await handleNodeRequest(handler, context, req, (response, head) => sendResponse(response, res, head))
}

/**
 * Has one of Node's requests answered by a handler.
 * @param use takes the answer; the request's body is let go of when it is done. `head` is whether the answer has no body
 * @returns what `use` gives
 * @throws as {@link serveNode}, and what `use` throws
 */
export async function handleNodeRequest<O, C, T>(
  handler: ApiHandler<O, C>,
  context: RequestContext<O, C>,
  req: NodeRequest,
  use: (response: Response, head: boolean) => Promise<T>,
): Promise<T> {
  const head = req.method === 'HEAD'
  const received = toWebRequest(req)
  if (!received) return use(new Response(null, { status: 405 }), head)
  try {
    return await use(await handler.fetch(received.request, context), head)
  } finally {
    received.release()
  }
}
