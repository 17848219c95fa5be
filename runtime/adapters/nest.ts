import { Logger } from '@nestjs/common'

import type { Log } from '../http/handler.js'
import { type AdapterOptions, appOf, isBelow, mountOrPattern, type WithHandler } from '../http/mount.js'
import { incoming, type NodeRequest, requestPath } from '../node-http/request.js'
import { type NodeReply, type NodeResponse, sendReply } from '../node-http/response.js'
import { serveNode } from '../node-http/serve.js'

/** A request as Nest's platforms give it: Express's, Node's own in middleware on Fastify, Fastify's in a controller on it. */
export type NestRequest = NodeRequest | NestFastifyRequest

/** Fastify's request, which holds Node's. */
export interface NestFastifyRequest {
  readonly raw: NodeRequest
  readonly body?: unknown
  /** The bytes of the body, with the app's option `rawBody`. */
  readonly rawBody?: unknown
}

/** A response as Nest's platforms give it. */
export type NestResponse = NodeResponse | NodeReply

/** Options of the emitted `createNestHandler`. */
export type NestHandlerOptions<O, R extends NestRequest = NestRequest, C = unknown> = AdapterOptions<O, [req: R], C>

/**
 * Answers a request of Nest's. Without `next`, and outside the prefix, the handler answers 404.
 * @throws what no handler could answer, for Nest's exception filters
 */
export type NestHandler<R extends NestRequest = NestRequest> = (
  req: R,
  res: NestResponse,
  next?: (error?: unknown) => void,
) => Promise<void>

/**
 * A function for the body of a controller's catch-all route, where guards and interceptors hold, or for
 * `consumer.apply(…)` as middleware, where they do not. On Express and on Fastify. `prefix` is the whole path, with the
 * app's global prefix.
 *
 *     @All('*path') // on Fastify: @All('*')
 *     serve(@Req() req: Request, @Res() res: Response) { return this.api(req, res) }
 *
 * @param options see {@link AdapterOptions}
 */
export function nestHandler<O, R extends NestRequest, C>(
  options: WithHandler<O, NestHandlerOptions<O, R, C>, C>,
): NestHandler<R> {
  const { handler } = options
  const mountIn = mountOrPattern(options.prefix)
  const logger = new Logger('routewright')
  const log: Log = (message, error) => logger.error(message, stackOf(error))
  return async (req, res, next) => {
    const request: NestRequest = req
    const node = isFastify(request) ? request.raw : request
    const path = requestPath(node)
    const prefix = mountIn(path)
    if (next && !isBelow(path, prefix)) return next()
    const context = { ...appOf(options, req), prefix, log }
    if (!isReply(res)) return serveNode(handler, context, node, res)
    const received = incoming(node, isFastify(request) ? (request.rawBody ?? request.body) : undefined)
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
