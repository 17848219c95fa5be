import type { IncomingRequest, NodeRequest } from './request.js'

/**
 * Gives a request the signal of its connection: it aborts when the client goes away. Made when it is first asked for, because a request that
 * is made with a signal takes three times as long to make.
 * @param release lets go of the body
 */
export function withAbortSignal(req: NodeRequest, request: Request, release: () => void): IncomingRequest {
  let controller: AbortController | undefined
  const abort = () => controller?.abort()
  const signal = (): AbortSignal => {
    if (!controller) {
      controller = new AbortController()
      // Of many requests on one connection, HTTP/2 tells each one's end.
      if (isHttp2(req)) req.once('aborted', abort)
      else req.socket?.once('close', abort)
    }
    if (hasGone(req)) abort()
    return controller.signal
  }
  Object.defineProperty(request, 'signal', { get: signal, configurable: true })
  return {
    request,
    release() {
      if (controller && !isHttp2(req)) req.socket?.off('close', abort)
      release()
    },
  }
}

function isHttp2({ httpVersionMajor = 1 }: NodeRequest): boolean {
  return httpVersionMajor > 1
}

function hasGone(req: NodeRequest): boolean {
  return isHttp2(req) ? req.aborted === true : req.socket?.destroyed === true
}
