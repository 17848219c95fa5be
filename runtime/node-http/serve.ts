import type { ApiHandler, RequestContext } from '../handler.js'
import { incoming, type NodeRequest } from './request.js'
import { type NodeResponse, send } from './response.js'

/**
 * Answers one of Node's requests with a handler.
 * @param parsed the body as a framework holds it. Default: `req.body`
 * @throws what only a handler that breaks its word, or a body that cannot be written as JSON, can throw; nothing is sent then
 */
export async function serveNode<O>(
  handler: ApiHandler<O>,
  context: RequestContext<O>,
  req: NodeRequest,
  res: NodeResponse,
  parsed: unknown = req.body,
): Promise<void> {
  const received = incoming(req, parsed)
  if (!received) return refuse(res)
  try {
    await send(await handler.fetch(received.request, context), res, req.method === 'HEAD')
  } finally {
    received.release()
  }
}

/** Answers a failure that no handler could answer. */
export function fail(res: NodeResponse): void {
  if (res.headersSent) return void res.destroy()
  res.statusCode = 500
  res.end()
}

function refuse(res: NodeResponse): void {
  res.statusCode = 405
  res.end()
}
