import { type Context, Elysia } from 'elysia'

import { withVary } from '../http/response-headers.js'
import {
  type AdapterOptions,
  type WithHandler,
  createRequestContext,
  requestIdFromHeader,
} from '../http/create-request-context.js'
import { joinPath, mountPath, urlPath } from '../http/routing/mount-path.js'

/** Options of the emitted `createElysiaHandler`. */
export type ElysiaHandlerOptions<O, C = unknown> = AdapterOptions<O, [context: Context], C>

/**
 * Creates an Elysia plugin for `app.use`. The prefix of the surrounding group or instance is prepended to the option `prefix`.
 * Called by the emitted `createElysiaHandler`.
 * @param options see {@link AdapterOptions}
 */
export function elysiaHandler<O, C>(options: WithHandler<O, ElysiaHandlerOptions<O, C>, C>): Elysia {
  const { handler } = options
  const app = new Elysia()
  const serve = (context: Context): Promise<Response> => {
    const { request } = context
    const mount = context.route.replace(/\/\*$/, '')
    const prefix = mountPath(urlPath(request.url), mount)
    const requestId = () => requestIdFromHeader(request)
    const requestContext = createRequestContext(options, { prefix, mount, requestId }, context)
    const pending = handler.fetch(requestOf(context), requestContext)
    return pending.then((response) => withVary(response, context.set.headers.vary))
  }
  app.all(`${joinPath(options.prefix)}/*`, serve, { parse: () => UNREAD })
  return app
}

// Returning a value prevents Elysia from parsing the body. `parse: 'none'` fails if the app has its own parsers.
const UNREAD = {}

/** Returns the request. If a parser of the app has consumed the body, the request is recreated from the parsed body. */
function requestOf({ request, body }: Context): Request {
  if (!request.bodyUsed || body === UNREAD) return request
  const headers = new Headers(request.headers)
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
  const parsedBody = typeof body === 'string' || body instanceof ArrayBuffer ? body : JSON.stringify(body)
  const { url, method, signal } = request
  return new Request(url, { method, headers, body: parsedBody, signal })
}
