import type { ApiHandler, RequestContext } from '../http/handler-types.js'
import { type AdapterOptions, type WithHandler, createRequestContext } from '../http/create-request-context.js'
import { joinPath, createMountMatcherOrPattern } from '../http/routing/mount-path.js'
import { writeLog, logLabel } from '../errors/logging.js'
import { toWebRequest } from './to-web-request.js'
import { nodeRequestId, type NodeRequest, requestPath } from './node-request.js'
import { type NodeResponse, sendResponse } from './send-response.js'

/**
 * Creates a listener that handles every request and every error, for servers without an error handler. Requests outside the prefix receive
 * a 404. Unhandled errors are logged, and the response is a 500.
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
      const logContext = { log: options.log, requestId }
      writeLog(logContext, `[routewright] a request could not be handled${logLabel(undefined, logContext)}:`, error)
      if (res.headersSent) return void res.destroy()
      res.statusCode = 500
      res.end()
    }
  }
}

/**
 * Handles a Node request.
 * @throws errors of a handler that rejects, or of a body that cannot be serialized as JSON; no response is sent in this case
 */
export async function serveNode<O, C>(
  handler: ApiHandler<O, C>,
  context: RequestContext<O, C>,
  req: NodeRequest,
  res: NodeResponse,
): Promise<void> {
  await handleNodeRequest(handler, context, req, (response, isHead) => sendResponse(response, res, isHead))
}

/**
 * Handles a Node request and passes the response to a callback.
 * @param respond receives the response, whose body it must omit if `isHead` is true; the request's body is released when the callback has
 * finished
 * @returns the result of `respond`
 * @throws the same errors as {@link serveNode}, and errors of `respond`
 */
export async function handleNodeRequest<O, C, T>(
  handler: ApiHandler<O, C>,
  context: RequestContext<O, C>,
  req: NodeRequest,
  respond: (response: Response, isHead: boolean) => Promise<T>,
): Promise<T> {
  const isHead = req.method === 'HEAD'
  const received = toWebRequest(req)
  if (!received) return respond(new Response(null, { status: 405 }), isHead)
  try {
    return await respond(await handler.fetch(received.request, context), isHead)
  } finally {
    received.release()
  }
}
