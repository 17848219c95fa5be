import type { ApiHandler } from './handler-types.js'
import type { CreateLifecycle, LifecycleOptions, LifecycleStyle } from './lifecycle.js'
import type { FetchResponse, MatchRoute } from './pipeline-types.js'
import type { Style } from './telemetry.js'
import { withDrain } from './with-drain.js'
import { withTelemetry } from './with-telemetry.js'

/** The functions that serve the requests of a handler. */
interface RequestDispatcher<O, C> {
  readonly fetchResponse: FetchResponse<O, C>
  readonly matchRoute: MatchRoute
}

/**
 * Creates the handler of the REST or RPC API, including telemetry and the feature `lifecycle`.
 * @param isReserved whether another endpoint is served at paths that begin with this segment
 * @param createLifecycle undefined without the feature
 */
export function createHandler<O, C>(
  name: Style,
  { fetchResponse, matchRoute }: RequestDispatcher<O, C>,
  options: LifecycleOptions,
  isReserved: (segment: string) => boolean,
  style: LifecycleStyle,
  createLifecycle?: CreateLifecycle,
): ApiHandler<O, C> {
  const lifecycle = createLifecycle?.(options, isReserved, style)
  const handler = withDrain(fetchResponse, style.fail, lifecycle)
  return withTelemetry(handler, name, lifecycle?.matchRoute(matchRoute) ?? matchRoute)
}
