import type { H3Event } from 'h3'

import { withVary } from '../http/response-headers.js'
import {
  type AdapterOptions,
  type WithHandler,
  createRequestContext,
  requestIdFromHeader,
} from '../http/create-request-context.js'
import { joinPath, createMountMatcherOrPattern, urlPath } from '../http/routing/mount-path.js'
import { toWebRequest } from '../node-http/to-web-request.js'
import { nodeRequestId, type NodeRequest, requestPath } from '../node-http/node-request.js'

/** Options of the emitted `createNuxtHandler`. */
export type NuxtHandlerOptions<O, C = unknown> = AdapterOptions<O, [event: H3Event], C>

/** An event handler: the default export of a file in `server/`. */
export interface NuxtHandler {
  (event: H3Event): Promise<Response>
  /** Marks it as an event handler for h3. */
  readonly __is_handler__: true
}

/**
 * Creates an event handler for Nuxt, Nitro and h3, for `server/routes/<prefix>/[...].ts`. The mount path of an outer app is prepended to
 * `prefix`.
 * Called by the emitted `createNuxtHandler`.
 * @param options see {@link AdapterOptions}
 */
export function nuxtHandler<O, C>(options: WithHandler<O, NuxtHandlerOptions<O, C>, C>): NuxtHandler {
  const { handler } = options
  const mountIn = createMountMatcherOrPattern(options.prefix)
  const pattern = joinPath(options.prefix)
  const serve = async (event: H3Event): Promise<Response> => {
    const { web, node } = requestOf(event)
    const requestId = () => (web ? requestIdFromHeader(web) : node && nodeRequestId(node))
    const context = (path: string, removed = '') => {
      const prefix = removed + mountIn(path.slice(removed.length))
      return createRequestContext(options, { prefix, mount: removed + pattern, requestId }, event)
    }
    if (web) return handler.fetch(web, context(urlPath(web.url)))
    if (!node) return new Response(null, { status: 500 })
    const received = toWebRequest(node, await bodyReadBefore(event, node))
    if (!received) return new Response(null, { status: 405 })
    const { request, release } = received
    const pending = handler.fetch(request, context(requestPath(node), removedPrefix(node))).finally(release)
    return pending.then((response) => withVary(response, event.node.res.getHeader('vary')))
  }
  return Object.assign(serve, { __is_handler__: true } as const)
}

/** Returns the request of an event: a web request in h3 2 and in some Nitro presets, otherwise a Node request. */
function requestOf(event: {
  readonly req?: unknown
  readonly web?: { readonly request?: Request }
  readonly node?: { readonly req: NodeRequest }
}): { readonly web?: Request; readonly node?: NodeRequest } {
  if (isWebRequest(event.req)) return { web: event.req }
  if (event.web?.request) return { web: event.web.request }
  return event.node ? { node: event.node.req } : {}
}

function isWebRequest(value: unknown): value is Request {
  return typeof value === 'object' && value !== null && 'headers' in value && value.headers instanceof Headers
}

/** Returns a body that `readBody` has cached, or that a preset without streams provides. */
async function bodyReadBefore(event: { readonly _requestBody?: unknown }, req: NodeRequest): Promise<unknown> {
  return event._requestBody ?? (await Reflect.get(req, Symbol.for('h3RawBody'))) ?? req.rawBody ?? req.body
}

/** Returns the mount path that routers have removed from `url`, still encoded. */
function removedPrefix(req: NodeRequest): string {
  const [fullPath = ''] = requestPath(req).split('?')
  const [rest = ''] = (req.url ?? '').split('?')
  return fullPath.endsWith(rest) ? fullPath.slice(0, fullPath.length - rest.length) : ''
}
