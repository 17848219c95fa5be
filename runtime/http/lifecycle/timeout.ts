import { unsafeCast } from '../execute-route.js'
import type { RequestContext } from '../api-handler.js'
import type { RenderError } from '../dispatch.js'
import { cancelBodyOnEnd } from './cancel-body.js'
import { type AssertActive, startDeadline, type RequestDeadline } from './deadline.js'

/** Answers a request. Never rejects. */
export type FetchResponse<O, C> = (
  request: Request,
  context: RequestContext<O, C>,
  alive: AssertActive,
) => Promise<Response>

/** Gives the client that a request's queries are made with, which lets none begin whose request is over. */
export type WrapWithDeadline = (client: unknown, life: RequestDeadline) => unknown

/** A request that is answered by its time. */
export interface TimedRequest {
  readonly answer: Promise<Response>
  /** Ends with the work, which may be later than the answer. */
  readonly work: Promise<Response>
}

/**
 * Has a request answered, and answers it with an error when its time is over. What has begun then is left to end: its answer is dropped.
 * @param timeout in milliseconds
 * @param fail the style's error format
 */
export function withTimeout<O, C>(
  request: Request,
  context: RequestContext<O, C>,
  timeout: number,
  {
    answer,
    watch,
    fail,
  }: { readonly answer: FetchResponse<O, C>; readonly watch: WrapWithDeadline; readonly fail: RenderError },
): TimedRequest {
  const life = startDeadline(request, timeout)
  const watched: RequestContext<O, C> = {
    ...context,
    // What comes of a client has its delegates.
    getOrm: async (said) => unsafeCast(watch(await context.getOrm(said), life)),
  }
  const { method } = request
  const endBody = method === 'GET' || method === 'HEAD' ? undefined : cancelBodyOnEnd(request)
  const work = answer(request, watched, life.alive)
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<Response>((resolve) => {
    timer = setTimeout(() => {
      isOver = true
      resolve(fail(life.timeout(), context))
      endBody?.(life.timeout())
    }, timeout)
  })
  const done = async (): Promise<Response> => {
    try {
      const response = await work
      // What a route of the app's own streams is read by nobody.
      if (isOver) response.body?.cancel().catch(() => undefined)
      return response
    } finally {
      clearTimeout(timer)
    }
  }
  return { answer: Promise.race([done(), over]), work }
}
