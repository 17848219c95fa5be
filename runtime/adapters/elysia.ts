import { type Context, Elysia } from 'elysia'

import { withVary } from '../http/merge-headers.js'
import {
  type AdapterOptions,
  createRequestContext,
  joinPath,
  mountPath,
  urlPath,
  requestIdFromHeader,
  type WithHandler,
} from '../http/adapter-options.js'

/** Options of the emitted `createElysiaHandler`. */
export type ElysiaHandlerOptions<O, C = unknown> = AdapterOptions<O, [context: Context], C>

/**
 * A plugin for Elysia, for `app.use`. The prefix of the group or the instance that uses it comes before its own.
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
    const told = createRequestContext(options, { prefix, mount, requestId }, context)
    const answer = handler.fetch(requestOf(context), told)
    return answer.then((response) => withVary(response, context.set.headers.vary))
  }
  app.all(`${joinPath(options.prefix)}/*`, serve, { parse: () => UNREAD })
  return app
}

// A body that is there is not parsed again. `parse: 'none'` fails beside parsers of the app's.
const UNREAD = {}

/** The request, with the body that a parser of the app's has taken from it. */
function requestOf({ request, body }: Context): Request {
  if (!request.bodyUsed || body === UNREAD) return request
  const headers = new Headers(request.headers)
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
  const given = typeof body === 'string' || body instanceof ArrayBuffer ? body : JSON.stringify(body)
  const { url, method, signal } = request
  return new Request(url, { method, headers, body: given, signal })
}
