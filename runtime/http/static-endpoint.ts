import type { RequestError } from '../errors/request-error.js'
import { methodNotAllowed } from './allowed-methods.js'

/** Answers a GET at a path of its own, beside the models. */
export type StaticEndpoint = (request: Request) => Response | Promise<Response>

/** Pages by their paths below the prefix: `/openapi.json`. */
export type StaticEndpoints = ReadonlyMap<string, StaticEndpoint>

/**
 * Lets a page answer: to HEAD without a body, and nothing but 405 to other methods.
 * @param fail the style's error format
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
