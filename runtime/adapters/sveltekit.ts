import type { Handle, RequestEvent } from '@sveltejs/kit'

import { type AdapterOptions, appOf, joinPath, mountFinder, pathOf, type WithHandler } from '../http/mount.js'

/** Options of the emitted `createSvelteKitHandler`. */
export type SvelteKitHandlerOptions<O, C = unknown> = AdapterOptions<O, [event: RequestEvent], C>

/**
 * A `handle` hook for `src/hooks.server.ts`, alone or in a `sequence`. Answers what is below `prefix`, which begins with the
 * app's `paths.base` where it has one; everything else goes on to the app.
 * @param options see {@link AdapterOptions}
 */
export function svelteKitHandler<O, C>(options: WithHandler<O, SvelteKitHandlerOptions<O, C>, C>): Handle {
  const { handler } = options
  const mountIn = mountFinder(joinPath(options.prefix))
  return async ({ event, resolve }) => {
    const prefix = mountIn(pathOf(event.request.url))
    if (prefix === undefined) return resolve(event)
    return handler.fetch(event.request, { ...appOf(options, event), prefix })
  }
}
