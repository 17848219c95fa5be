import { Logger } from '@nestjs/common'

import type { ApiHandler, Log, RequestContext } from '../../http/api-handler.js'
import { toWebRequest, nodeRequestId, type NodeRequest } from '../../node-http/request.js'
import { type NodeReply, type NodeResponse, sendReply } from '../../node-http/response.js'
import { serveNode } from '../../node-http/serve.js'

/** A request as Nest's platforms give it: Express's, Node's own in middleware on Fastify, Fastify's in a controller on it. */
export type NestRequest = NestExpressRequest | NestFastifyRequest

/** Express's request, or Node's own. */
export interface NestExpressRequest extends NodeRequest {
  /** The route that a controller's method has, with its pattern. */
  readonly route?: { readonly path?: unknown } | undefined
}

/** Fastify's request, which holds Node's. */
export interface NestFastifyRequest {
  readonly raw: NodeRequest
  /** The id that Fastify has given it. */
  readonly id?: unknown
  readonly body?: unknown
  /** The bytes of the body, with the app's option `rawBody`. */
  readonly rawBody?: unknown
  /** The route that a controller's method has, with its pattern. */
  readonly routeOptions?: { readonly url?: string | undefined }
}

/** A response as Nest's platforms give it. */
export type NestResponse = NodeResponse | NodeReply

/** Node's own request. */
export function toNodeRequest(req: NestRequest): NodeRequest {
  return isFastify(req) ? req.raw : req
}

/** The whole pattern of the controller's route that was found, with the app's global prefix, as `/v1/api/*path`. */
export function routePattern(req: NestRequest): string {
  const pattern = isFastify(req) ? req.routeOptions?.url : req.route?.path
  return typeof pattern === 'string' ? pattern : ''
}

/**
 * Answers one of Nest's requests with a handler, on Express and on Fastify.
 * @throws what no handler could answer, for Nest's exception filters
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

/** The id that Fastify has given a request, or that it came with. */
export function nestRequestId(req: NestRequest): unknown {
  return isFastify(req) ? req.id : nodeRequestId(req)
}

/** Writes to Nest's own log. */
export function nestLog(): Log {
  const logger = new Logger('routewright')
  return (message, error) => logger.error(message, stackOf(error))
}

function isFastify(req: NestRequest): req is NestFastifyRequest {
  return 'raw' in req
}

function isReply(res: NestResponse): res is NodeReply {
  return 'code' in res
}

/** What Nest's logger writes below the message: where it was thrown, and what was behind it. */
function stackOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return error === undefined ? undefined : String(error)
  const { cause, stack = String(error) } = error
  return cause === undefined ? stack : `${stack}\n  cause: ${stackOf(cause)}`
}
