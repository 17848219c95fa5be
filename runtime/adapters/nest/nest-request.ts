import { nodeRequestId, type NodeRequest } from '../../node-http/node-request.js'

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
export function isFastify(req: NestRequest): req is NestFastifyRequest {
  return 'raw' in req
}
