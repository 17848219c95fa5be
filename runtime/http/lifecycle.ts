import type { FeatureFactory, FeatureOption, RequiredFeature } from './feature.js'
import type { RequestContext, FetchResponse, MatchRoute, RenderError } from './handler-types.js'
import type { Style } from './telemetry.js'

/** Options of REST and RPC for slow requests, overload and health checks. */
export interface LifecycleOptions {
  /**
   * Maximum duration of a request in milliseconds. A request that takes longer gets a 504 response and starts no further query. The
   * runtime's write transactions use the remaining time as their timeout. Requires the feature `lifecycle`. Default: unlimited.
   */
  readonly timeout?: number
  /**
   * Maximum number of concurrent requests. Further requests are rejected with a 503 before their body is read. A request counts until its
   * work has ended, which may be after its response. Requires the feature `lifecycle`. Default: unlimited.
   */
  readonly maxInFlight?: number
  /**
   * Serves a health check for `GET` and `HEAD` at a path below the prefix: 200 if the database responds, 503 if it does not or while the
   * handler drains. `true` means the path `/health`. Requires the feature `lifecycle`. Default: no health check.
   */
  readonly health?: boolean | string | HealthOptions
}

/** Options of the health check. */
export interface HealthOptions {
  /** The path below the prefix. Default: `/health`. */
  readonly path?: string
  /**
   * Returns the client to check, for apps whose `getOrm` needs an authenticated caller. Health checks have none. Default: the adapter's
   * `getOrm`.
   */
  readonly getOrm?: () => object | Promise<object>
  /** Maximum response time of the database in milliseconds. Default: 1000. */
  readonly timeout?: number
}

/** Returns the feature that each lifecycle option of a style requires. */
export function lifecycleFeatures(
  style: Style,
): Readonly<Record<keyof LifecycleOptions, RequiredFeature<'lifecycle'>>> {
  const lifecycle = [style, 'lifecycle'] as const
  return { timeout: lifecycle, maxInFlight: lifecycle, health: lifecycle }
}

/** The lifecycle options of a handler with the features `F`. */
export type LifecycleOptionsOf<F extends readonly FeatureFactory[], S extends Style> = {
  readonly [K in keyof LifecycleOptions]: FeatureOption<F, S, 'lifecycle', LifecycleOptions[K]>
}

/** The parts of the lifecycle that differ between REST and RPC. */
export interface LifecycleStyle {
  /** The models by name. The first one is queried if a client does not support raw SQL. */
  readonly models: ReadonlyMap<
    string,
    { readonly delegate: string; readonly id: string; readonly uniques: ReadonlyMap<string, readonly string[]> }
  >
  /** Creates the response of a successful health check. */
  readonly healthy: () => Response
  readonly fail: RenderError
}

/**
 * Creates the functions of the feature `lifecycle` for one handler.
 * @param isReserved whether another endpoint is served at paths that begin with this segment
 * @throws Error if an option is invalid, with a description of valid values
 */
export type CreateLifecycle = (
  options: LifecycleOptions,
  isReserved: (segment: string) => boolean,
  style: LifecycleStyle,
) => Lifecycle

/** The functions of the feature `lifecycle` for one handler. */
export interface Lifecycle {
  /** The path of the health check, if it is enabled. */
  readonly healthPath: string | undefined
  /** Returns the response of the health check, or undefined for all other paths. */
  checkHealth<O, C>(request: Request, context: RequestContext<O, C>, isDraining: boolean): Promise<Response> | undefined
  /** Returns the response to a request beyond the maximum number of concurrent requests. Undefined if the request is accepted. */
  rejectOverload<O, C>(context: RequestContext<O, C>, inFlight: number): Response | undefined
  /** Starts a request with a timeout. Returns undefined if there is no timeout. */
  startTimed<O, C>(
    request: Request,
    context: RequestContext<O, C>,
    fetchResponse: FetchResponse<O, C>,
  ): TimedRequest | undefined
  /** Adds the health path to a route matcher. Otherwise metrics could not distinguish checks from unknown paths. */
  addHealthRoute(matchRoute: MatchRoute): MatchRoute
}

/** A request with a timeout. */
export interface TimedRequest {
  readonly response: Promise<Response>
  /** Settles when the work has ended, which may be after the response. */
  readonly work: Promise<Response>
}
