import type { RequestError } from '../errors/request-error.js'
import { resolveError } from './resolve-error.js'
import type { ApiEnv } from './api-handler.js'
import { methodNotAllowed } from './allowed-methods.js'

/** What a service is told of a request: the same as routes are. */
export type PostEndpointEnv = Omit<ApiEnv['Bindings'], 'path' | 'alsoAllowed' | 'passOn'>

/** Answers a POST at a path of its own, beside the models. */
export interface PostEndpoint {
  /** The path below the prefix: `/operations`. */
  readonly path: string
  /** What it does, for who is told of answers. */
  readonly operation: string
  /** @throws whatever goes wrong; the style's error format answers it */
  answer(request: Request, env: PostEndpointEnv): Promise<Response>
}

/**
 * Lets a service answer: nothing but 405 to other methods than POST.
 * @param fail the style's error format
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
    return await service.answer(request, env)
  } catch (error) {
    return fail(await resolveError(error, env))
  }
}
