import type { ApiHandler } from './handler-types.js'
import type { Style } from './telemetry.js'
import { matchHealthRoute } from './lifecycle/health-check.js'
import { type LifecycleStyle, withLifecycle } from './lifecycle/with-lifecycle.js'
import { type LifecycleOptions, parseLifecycleOptions } from './lifecycle/lifecycle-options.js'
import type { FetchResponse, MatchRoute } from './pipeline-types.js'
import { withTelemetry } from './with-telemetry.js'

/** The functions that serve the requests of a handler. */
interface RequestDispatcher<O, C> {
  readonly fetchResponse: FetchResponse<O, C>
  readonly matchRoute: MatchRoute
}

/**
 * Creates the handler of the REST or RPC API, including telemetry and the lifecycle options.
 * @param isReserved whether another endpoint is served at paths that begin with this segment
 */
export function createHandler<O, C>(
  name: Style,
  { fetchResponse, matchRoute }: RequestDispatcher<O, C>,
  options: LifecycleOptions,
  isReserved: (segment: string) => boolean,
  style: LifecycleStyle,
): ApiHandler<O, C> {
  const lifecycle = parseLifecycleOptions(options, isReserved)
  return withTelemetry(
    withLifecycle(fetchResponse, lifecycle, style),
    name,
    matchHealthRoute(matchRoute, lifecycle.health),
  )
}
