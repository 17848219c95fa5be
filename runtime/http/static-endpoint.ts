import type { RequestError } from '../errors/request-error.js'
import { methodNotAllowed } from './method-not-allowed.js'

/** Handles a GET request to a path that does not belong to a model. */
export type StaticEndpoint = (request: Request) => Response | Promise<Response>

/** Static endpoints by their paths below the prefix: `/openapi.json`. */
export type StaticEndpoints = ReadonlyMap<string, StaticEndpoint>

/**
 * Serves a static endpoint. Responses to HEAD have no body, and methods other than GET and HEAD are rejected with a 405.
 * @param fail renders an error in the format of REST or RPC
 */
export async function serveStaticEndpoint(
  page: StaticEndpoint,
  request: Request,
  fail: (error: unknown) => Response,
): Promise<Response> {
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD')
    return methodNotAllowed(method, ['GET'], (error: RequestError) => fail(error))
  try {
    const { status, headers, body } = await page(request)
    return new Response(method === 'HEAD' ? null : body, { status, headers })
  } catch (error) {
    return fail(error)
  }
}
