import type { Handle, RequestEvent } from '@sveltejs/kit'

import {
  type AdapterOptions,
  type WithHandler,
  createRequestContext,
  requestIdFromHeader,
} from '../http/create-request-context.js'
import { joinPath, createMountMatcher, urlPath } from '../http/routing/mount-path.js'

/** Options of the emitted `createSvelteKitHandler`. */
export type SvelteKitHandlerOptions<O, C = unknown> = AdapterOptions<O, [event: RequestEvent], C>

/**
 * Creates a `handle` hook for `src/hooks.server.ts`. It can be used by itself or in a `sequence`. Handles requests below `prefix`, which
 * must include the app's `paths.base`. Other requests are passed to the app.
 * Called by the emitted `createSvelteKitHandler`.
 * @param options see {@link AdapterOptions}
 */
export function svelteKitHandler<O, C>(options: WithHandler<O, SvelteKitHandlerOptions<O, C>, C>): Handle {
  const { handler } = options
  const mount = joinPath(options.prefix)
  const mountIn = createMountMatcher(mount)
  return async ({ event, resolve }) => {
    const prefix = mountIn(urlPath(event.request.url))
    if (prefix === undefined) return resolve(event)
    const requestId = () => requestIdFromHeader(event.request)
    return handler.fetch(event.request, createRequestContext(options, { prefix, mount, requestId }, event))
  }
}
