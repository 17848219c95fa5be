import type { RequestContext, FetchResponse, RenderError } from '../../http/handler-types.js'
import type { TimedRequest } from '../../http/lifecycle.js'
import { unsafeCast } from '../../http/unsafe-cast.js'
import { cancelBodyOnEnd } from './cancel-body-on-end.js'
import { startDeadline } from './request-deadline.js'
import { withQueryDeadline } from './with-query-deadline.js'

/**
 * Handles a request, and responds with an error if it exceeds the timeout. Running work continues, but its response is dropped.
 * @param timeout in milliseconds
 */
export function withTimeout<O, C>(
  request: Request,
  context: RequestContext<O, C>,
  timeout: number,
  fetchResponse: FetchResponse<O, C>,
  fail: RenderError,
): TimedRequest {
  const deadline = startDeadline(request, timeout)
  const timedContext: RequestContext<O, C> = {
    ...context,
    // A wrapped client has the same delegates.
    getOrm: async (appContext) => unsafeCast(withQueryDeadline(await context.getOrm(appContext), deadline)),
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
