import type { RequestError } from '../errors/request-error.js'
import { explainError } from './explain-error.js'
import type { ApiEnv } from './handler-types.js'
import { methodNotAllowed } from './method-not-allowed.js'

/** The environment of a POST endpoint: the bindings of routes without those that depend on a path. */
export type PostEndpointEnv = Omit<ApiEnv['Bindings'], 'path' | 'customMethods' | 'delegate'>

/** An endpoint for POST, in addition to the models. */
export interface PostEndpoint {
  /** The path below the prefix: `/operations`. */
  readonly path: string
  /** The name of the operation, for telemetry. */
  readonly operation: string
  /** @throws any error, which is rendered in the error format of REST or RPC */
  serve(request: Request, env: PostEndpointEnv): Promise<Response>
}

/**
 * Serves a POST endpoint. Other methods are rejected with a 405.
 * @param fail renders an error in the format of REST or RPC
 */
export async function servePostEndpoint(
  service: PostEndpoint,
  request: Request,
  env: PostEndpointEnv,
  fail: (error: unknown) => Response,
): Promise<Response> {
  const { method } = request
  if (method !== 'POST') return methodNotAllowed(method, ['POST'], (error: RequestError) => fail(error))
  try {
    return await service.serve(request, env)
  } catch (error) {
    return fail(await explainError(error, env))
  }
}
