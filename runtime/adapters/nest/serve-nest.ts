import { Logger } from '@nestjs/common'

import type { ApiHandler, Log, RequestContext } from '../../http/handler-types.js'
import { nodeRequestId, type NodeRequest } from '../../node-http/node-request.js'
import { type NodeReply, type NodeResponse, sendReply } from '../../node-http/send-response.js'
import { serveNode } from '../../node-http/serve-node.js'
import { toWebRequest } from '../../node-http/to-web-request.js'

/** A response as Nest passes it: Node's, which Express extends, or Fastify's. */
export type NestResponse = NodeResponse | NodeReply

/** Returns the whole pattern of the matched controller route, including the app's global prefix, for example `/v1/api/*path`. */
export function routePattern(req: NestRequest): string {
  const pattern = isFastify(req) ? req.routeOptions?.url : req.route?.path
  return typeof pattern === 'string' ? pattern : ''
}

/**
 * Handles a Nest request, on Express and Fastify.
 * @throws unhandled errors, for Nest's exception filters
 */
export async function serveNest<O, C>(
  handler: ApiHandler<O, C>,
  context: RequestContext<O, C>,
  req: NestRequest,
  res: NestResponse,
): Promise<void> {
  const node = toNodeRequest(req)
  if (!isReply(res)) return serveNode(handler, context, node, res)
  const received = toWebRequest(node, isFastify(req) ? (req.rawBody ?? req.body) : undefined)
  if (!received) {
    res.code(405)
    return void res.send()
  }
  try {
    await sendReply(await handler.fetch(received.request, context), res, node.method === 'HEAD')
  } finally {
    received.release()
  }
}

/** Creates a log that writes to Nest's logger. */
export function nestLog(): Log {
  const logger = new Logger('routewright')
  return (message, error) => logger.error(message, stackOf(error))
}

function isReply(res: NestResponse): res is NodeReply {
  return 'code' in res
}

/** Formats the part that Nest's logger writes below the message: the stack and the causes. */
function stackOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return error === undefined ? undefined : String(error)
  const { cause, stack = String(error) } = error
  return cause === undefined ? stack : `${stack}\n  cause: ${stackOf(cause)}`
}

/**
 * A request as Nest passes it. On Express, this is Express's request. On Fastify, it is Fastify's request in a controller and Node's in
 * middleware.
 */
export type NestRequest = NestExpressRequest | NestFastifyRequest

/** An Express or Node request. */
export interface NestExpressRequest extends NodeRequest {
  /** The route of the controller method, with its pattern. */
  readonly route?: { readonly path?: unknown } | undefined
}

/** A Fastify request, which wraps Node's. */
export interface NestFastifyRequest {
  readonly raw: NodeRequest
  /** Fastify's request id. */
  readonly id?: unknown
  readonly body?: unknown
  /** The bytes of the body, if the app's option `rawBody` is set. */
  readonly rawBody?: unknown
  /** The route of the controller method, with its pattern. */
  readonly routeOptions?: { readonly url?: string | undefined }
}

/** Returns the underlying Node request. */
export function toNodeRequest(req: NestRequest): NodeRequest {
  return isFastify(req) ? req.raw : req
}

/** Returns Fastify's id of a request, or the id that the client sent. */
export function nestRequestId(req: NestRequest): unknown {
  return isFastify(req) ? req.id : nodeRequestId(req)
}

/** Whether a request is a Fastify request. */
function isFastify(req: NestRequest): req is NestFastifyRequest {
  return 'raw' in req
}
