import type { RequestContext, FetchResponse, RenderError } from '../../http/handler-types.js'
import type { TimedRequest } from '../../http/lifecycle.js'
import { unsafeCast } from '../../http/unsafe-cast.js'
import { startDeadline, withQueryDeadline } from './with-query-deadline.js'

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

/** The methods that read the whole body of a request. */
const READERS = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']

/**
 * Makes pending and later reads of a request's body fail when the request ends. Otherwise, a client that stops in the middle of a body
 * would count toward `maxInFlight` forever: after the response, servers no longer report that the rest of the body is missing.
 * @param request modified in place, because this is several times faster than creating a copy with the same body
 * @returns a function that makes all reads fail with an error
 */
function cancelBodyOnEnd(request: Request): (error: unknown) => void {
  let end: (error: unknown) => void = () => {}
  const ended = new Promise<never>((_resolve, reject) => {
    end = reject
  })
  ended.catch(() => undefined)
  for (const name of READERS) {
    const read: unknown = Reflect.get(request, name)
    if (typeof read !== 'function') continue
    define(request, name, { value: () => Promise.race([read.call(request), ended]) })
  }
  const prototype: unknown = Object.getPrototypeOf(request)
  if (typeof prototype !== 'object' || prototype === null) return end
  let body: ReadableStream<Uint8Array> | undefined
  define(request, 'body', {
    get() {
      const source: unknown = Reflect.get(prototype, 'body', request)
      return source instanceof ReadableStream ? (body ??= endingStream(source, ended)) : source
    },
  })
  return end
}

function define(request: Request, name: string, descriptor: PropertyDescriptor): void {
  // Properties that the framework does not allow to be redefined are left unchanged.
  Reflect.defineProperty(request, name, { ...descriptor, configurable: true })
}

/** Wraps a stream. The source is locked only on the first read, because code may access `body` and then read the body as a whole. */
function endingStream(source: ReadableStream<Uint8Array>, ended: Promise<never>): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= source.getReader()
        const { done, value } = await Promise.race([reader.read(), ended])
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => (reader ?? source).cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
