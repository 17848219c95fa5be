import type { App } from '../http/handler-types.js'
import type { Member, ModelName, TypeMap } from '../prisma/client-types.js'
import type { FitsModel, Resource } from '../schema/resource.js'

declare const TYPES: unique symbol

/**
 * The API of a model that the actions of its REST routes receive. It connects a route to its handler's options and to the types of the
 * Prisma client.
 */
export interface RestModelApi<T extends TypeMap, N extends ModelName<T>> {
  readonly [TYPES]?: (types: T) => N
}

/** The REST routes of one model. The emitted `rest.ts` exports them, and the emitted `RestApiHandler` mounts them. */
export interface RestRouter<R extends Resource, T extends TypeMap, N extends ModelName<T>> {
  readonly resource: R
  readonly build: (app: App, api: RestModelApi<T, N>) => void
}

/**
 * Defines the REST routes of a model. Called by the emitted `rest.ts`.
 * @param resource the exposed fields and relations of the model
 * @param build registers the routes on a Hono app; called once per handler
 */
export function router<const R extends Resource, T extends TypeMap, N extends ModelName<T>>(
  resource: R & NoInfer<FitsModel<R, Member<T['model'][N], 'payload'>>>,
  build: (app: App, api: RestModelApi<T, N>) => void,
): RestRouter<R, T, N> {
  return { resource, build }
}

/** The REST routers of a schema, by model name. The emitted `index.ts` mounts them. */
export type RestRouters = Readonly<
  // Accepts the router of any model. Its types exist only in the emitted code.
  Record<string, { readonly resource: Resource; readonly build: (app: App, api: never) => void }>
>
