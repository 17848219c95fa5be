import type { RequestError } from '../errors/request-error.js'
import { explained } from './explained.js'
import type { ApiEnv } from './handler.js'
import { otherMethod } from './method-answers.js'

/** What a service is told of a request: the same as routes are. */
export type ServiceEnv = Omit<ApiEnv['Bindings'], 'path' | 'alsoAllowed' | 'passOn'>

/** Answers a POST at a path of its own, beside the models. */
export interface Service {
  /** The path below the prefix: `/operations`. */
  readonly path: string
  /** What it does, for who is told of answers. */
  readonly operation: string
  /** @throws whatever goes wrong; the style's error format answers it */
  answer(request: Request, env: ServiceEnv): Promise<Response>
}

/**
 * Lets a service answer: nothing but 405 to other methods than POST.
 * @param fail the style's error format
 */
export async function answerService(
  service: Service,
  request: Request,
  env: ServiceEnv,
  fail: (error: unknown) => Response,
): Promise<Response> {
  const { method } = request
  if (method !== 'POST') return otherMethod(method, ['POST'], (error: RequestError) => fail(error))
  try {
    return await service.answer(request, env)
  } catch (error) {
    return fail(await explained(error, env))
  }
}
