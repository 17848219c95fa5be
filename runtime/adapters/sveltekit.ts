import { type AdapterOptions, isBelow, joinPath, pathOf, type WithHandler } from '../mount.js'

declare global {
  // SvelteKit's own, which apps fill: declared again so that `event.locals` has the app's type.
  namespace App {
    interface Locals {}
    interface Platform {}
  }
}

/** An event of SvelteKit's: a `RequestEvent` is one. */
export interface SvelteKitEvent {
  readonly request: Request
  readonly url: URL
  readonly locals: App.Locals
  readonly platform: Readonly<App.Platform> | undefined
  readonly getClientAddress: () => string
}

/** Options of the emitted `createSvelteKitHandler`. */
export type SvelteKitHandlerOptions<O, E extends SvelteKitEvent = SvelteKitEvent> = AdapterOptions<O, [event: E]>

/** A `handle` hook: a `Handle` of SvelteKit's. */
export type SvelteKitHandle<E extends SvelteKitEvent = SvelteKitEvent> = (input: {
  readonly event: E
  readonly resolve: (event: E) => Response | Promise<Response>
}) => Promise<Response>

/**
 * A `handle` hook for `src/hooks.server.ts`, alone or in a `sequence`. Answers what is below `prefix`, which begins with the
 * app's `paths.base` where it has one; everything else goes on to the app.
 * @param options see {@link AdapterOptions}
 */
export function svelteKitHandler<O, E extends SvelteKitEvent>(
  options: WithHandler<O, SvelteKitHandlerOptions<O, E>>,
): SvelteKitHandle<E> {
  const { handler, getOrm } = options
  const prefix = joinPath(options.prefix)
  return async ({ event, resolve }) => {
    if (!isBelow(pathOf(event.request.url), prefix)) return resolve(event)
    return handler.fetch(event.request, { getOrm: () => getOrm(event), prefix })
  }
}
