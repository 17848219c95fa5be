import type { ApiHandler } from '../handler.js'
import type { RestOptions, RestRoutesByModel } from './options.js'

/**
 * Mounts REST routes under their path names.
 * @throws Error where an option does not fit: what was wrong, and what would be right
 */
export function restHandler<O, M extends RestRoutesByModel>(routes: M, options: RestOptions<M>): ApiHandler<O> {
  throw new Error('')
}
