import { unsafeCast } from '../unsafe-cast.js'
import type { RequestContext } from '../handler-types.js'
import type { RenderError, FetchResponse } from '../pipeline-types.js'
import { cancelBodyOnEnd } from './cancel-body-on-end.js'
import { startDeadline, type RequestDeadline } from './request-deadline.js'

/** Wraps the client of a request, so that no query starts after the request has ended. */
export type WrapWithDeadline = (client: unknown, deadline: RequestDeadline) => unknown

/** A request with a timeout. */
export interface TimedRequest {
  readonly response: Promise<Response>
  /** Settles when the work has ended, which may be after the response. */
  readonly work: Promise<Response>
}

/**
 * Handles a request, and responds with an error if it exceeds the timeout. Running work continues, but its response is dropped.
 * @param timeout in milliseconds
 */
export function withTimeout<O, C>(
  request: Request,
  context: RequestContext<O, C>,
  timeout: number,
  {
    fetchResponse,
    wrap,
    fail,
  }: { readonly fetchResponse: FetchResponse<O, C>; readonly wrap: WrapWithDeadline; readonly fail: RenderError },
): TimedRequest {
  const deadline = startDeadline(request, timeout)
  const timedContext: RequestContext<O, C> = {
    ...context,
    // A wrapped client has the same delegates.
    getOrm: async (appContext) => unsafeCast(wrap(await context.getOrm(appContext), deadline)),
  }
  const { method } = request
  const endBody = method === 'GET' || method === 'HEAD' ? undefined : cancelBodyOnEnd(request)
  const work = fetchResponse(request, timedContext, deadline.assertActive)
  let isTimedOut = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeoutResponse = new Promise<Response>((resolve) => {
    timer = setTimeout(() => {
      isTimedOut = true
      resolve(fail(deadline.timeout(), context))
      endBody?.(deadline.timeout())
    }, timeout)
  })
  const finish = async (): Promise<Response> => {
    try {
      const response = await work
      // The client has already received the error, so the stream of a custom route is canceled.
      if (isTimedOut) response.body?.cancel().catch(() => undefined)
      return response
    } finally {
      clearTimeout(timer)
    }
  }
  return { response: Promise.race([finish(), timeoutResponse]), work }
}
