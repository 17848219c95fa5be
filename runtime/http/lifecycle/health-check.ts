import { findDriverError } from '../../errors/driver-error.js'
import { classifyDatabaseError } from '../../errors/classify-database-error.js'
import { isOutage } from '../../errors/database-error-kind.js'
import { outageLogMessage } from '../../errors/outage-log-message.js'
import { RequestError } from '../../errors/request-error.js'
import { writeLog } from '../../errors/logging.js'
import { createClientAccessors } from '../client-accessors.js'
import type { RenderError, MatchRoute } from '../pipeline-types.js'
import type { Log, RequestContext } from '../handler-types.js'
import { methodNotAllowed } from '../method-not-allowed.js'
import type { HealthSettings } from './lifecycle-options.js'
import { RETRY_AFTER, shuttingDownError } from './lifecycle-errors.js'

/** Functions of a health check that differ between REST and RPC. */
export interface HealthStyle {
  /** Creates the response if the server is healthy. */
  readonly healthy: () => Response
  /** Creates the response if the server is not healthy. */
  readonly fail: RenderError
  /** Sends a minimal query to the database. */
  readonly ping: (client: unknown) => Promise<unknown>
}

/** Handles a health check request. */
export type HealthResponse<O, C> = (
  request: Request,
  context: RequestContext<O, C>,
  isDraining: boolean,
) => Promise<Response>

/**
 * Creates a health check. Concurrent requests share one query, and each waits no longer than its own time limit. A failure is logged once.
 * It is logged again only if the check has succeeded in the meantime.
 */
export function createHealthCheck<O, C>(
  { getOrm, timeout }: HealthSettings,
  { healthy, fail, ping }: HealthStyle,
): HealthResponse<O, C> {
  let pending: Promise<boolean> | undefined
  let wasHealthy = true
  const logChange = (isHealthy: boolean, log?: Log, error?: unknown) => {
    if (wasHealthy && !isHealthy) logFailure(log, error)
    wasHealthy = isHealthy
    return isHealthy
  }
  const pingDatabase = async (context: RequestContext<O, C>): Promise<boolean> => {
    try {
      // Concurrent checks wait for the same query, so it runs even if the first client has disconnected.
      await ping(await (getOrm ? getOrm() : createClientAccessors(context, () => undefined).getOrm()))
      return logChange(true)
    } catch (error) {
      return logChange(false, context.log, error)
    }
  }
  const sharedPing = (context: RequestContext<O, C>): Promise<boolean> => {
    pending ??= pingDatabase(context).finally(() => (pending = undefined))
    return pending
  }
  const withTimeLimit = async (result: Promise<boolean>, log: Log | undefined): Promise<boolean> => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const expired = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => {
        resolve(logChange(false, log, `the database did not respond within ${timeout} ms`))
      }, timeout)
    })
    try {
      return await Promise.race([result, expired])
    } finally {
      clearTimeout(timer)
    }
  }
  return async (request, context, isDraining) => {
    const { method } = request
    const { log } = context
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(method, ['GET'], (error) => fail(error, context))
    const isHealthy = !isDraining && (await withTimeLimit(sharedPing(context), log))
    const response = isHealthy ? healthy() : fail(isDraining ? shuttingDownError() : unhealthy(), context)
    return method === 'HEAD' ? new Response(null, response) : response
  }
}

/** Logs one line for a database outage, and the error itself for other failures. */
function logFailure(log: Log | undefined, error: unknown): void {
  const line = '[routewright] the health check failed:'
  if (typeof error === 'string') return writeLog({ log }, `${line} ${error}`)
  const cause = findDriverError(error)
  if (isOutage(classifyDatabaseError(error, cause))) writeLog({ log }, `${line} ${outageLogMessage(cause)}`)
  else writeLog({ log }, line, error)
}

/**
 * Adds the health path to a route matcher. Otherwise metrics could not distinguish checks from unknown paths.
 * @param matchRoute matches all other paths
 */
export function matchHealthRoute(matchRoute: MatchRoute, health: HealthSettings | undefined): MatchRoute {
  if (!health) return matchRoute
  const routeMatch = { route: health.path }
  return (method, path, isDelegated) => (path === health.path ? routeMatch : matchRoute(method, path, isDelegated))
}

function unhealthy(): RequestError {
  return new RequestError({ code: 'database-unavailable', detail: 'The database does not respond.' }, RETRY_AFTER)
}
