import type { LogContext, RequestContext } from './handler-types.js'
import type { AssertActive } from './active-request.js'

/**
 * Renders an error in the format of REST or RPC. Never throws.
 * @param logContext receives the error for logs and telemetry
 * @param name the first path segment, which may name a model
 */
export type RenderError = (error: unknown, logContext: LogContext, name?: string) => Response

/** Handles a request. Never rejects. */
export type FetchResponse<O, C> = (
  request: Request,
  context: RequestContext<O, C>,
  assertActive: AssertActive,
) => Promise<Response>

/**
 * Finds the route that handled a request.
 * @param path the path below the mount point
 * @param isDelegated whether custom routes delegated the request to the REST or RPC routes
 */
export type MatchRoute = (method: string, path: string, isDelegated: boolean) => RouteMatch | undefined

/** The route that handled a request. */
export interface RouteMatch {
  /** The pattern of the path below the mount point. */
  readonly route: string
  readonly model?: string | undefined
  readonly operation?: string | undefined
}
