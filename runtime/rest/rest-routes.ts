import type { Member, ModelName, TypeMap } from '../orm/client-types.js'
import type { FitsModel, Resource } from '../schema/resource.js'
import type { RestRouter } from './rest-router-types.js'

/** The REST routes of one model. The emitted `rest.ts` exports them, and the emitted `RestApiHandler` mounts them. */
export interface RestRoutes<R extends Resource, T extends TypeMap, N extends ModelName<T>> {
  readonly resource: R
  readonly build: (app: RestRouter<T, N>) => void
}

/**
 * Defines the REST routes of a model.
 * Called by the emitted `rest.ts`.
 * @param resource the exposed fields and relations of the model
 * @param build registers the routes on a router; called once per handler
 */
export function restRoutes<const R extends Resource, T extends TypeMap, N extends ModelName<T>>(
  resource: R & NoInfer<FitsModel<R, Member<T['model'][N], 'payload'>>>,
  build: (app: RestRouter<T, N>) => void,
): RestRoutes<R, T, N> {
  return { resource, build }
}

/** The REST routes of a schema, by model name. The emitted `index.ts` mounts them. */
export type RestRoutesByModel = Readonly<
  // Accepts the router of any model. Its types exist only in the emitted code.
  Record<string, { readonly resource: Resource; readonly build: (app: never) => void }>
>
