import { findDriverError } from '../../errors/driver-error.js'
import { classifyDatabaseError, isOutage } from '../../errors/database-error.js'
import { describeOutage } from '../../errors/outage-reason.js'
import { RequestError } from '../../errors/request-error.js'
import { writeLog } from '../../errors/logging.js'
import { createRequestAccessors } from '../request-accessors.js'
import type { RenderError } from '../dispatch.js'
import type { Log, RequestContext } from '../api-handler.js'
import { methodNotAllowed } from '../allowed-methods.js'
import type { MatchRoute } from '../with-telemetry.js'
import type { HealthSettings } from './options.js'
import { RETRY_AFTER, shuttingDownError } from './errors.js'

/** How a style says that all is well, and how it is found out. */
export interface HealthStyle {
  /** The answer where all is well. */
  readonly healthy: () => Response
  /** The answer where it is not. */
  readonly fail: RenderError
  /** Asks the database of a client for the least there is. */
  readonly ping: (client: unknown) => Promise<unknown>
}

/** Answers whether all is well. */
export type HealthResponse<O, C> = (
  request: Request,
  context: RequestContext<O, C>,
  isDraining: boolean,
) => Promise<Response>

/**
 * Makes what answers whether all is well. However many ask, there is one query at a time: all of them wait for it, each no longer than the
 * time it has. A failure is logged when it begins, and not again until all was well.
 */
export function createHealthCheck<O, C>(
  { getOrm, timeout }: HealthSettings,
  { healthy, fail, ping }: HealthStyle,
): HealthResponse<O, C> {
  let asking: Promise<boolean> | undefined
  let wasWell = true
  const note = (isWell: boolean, log?: Log, error?: unknown) => {
    if (wasWell && !isWell) logFailure(log, error)
    wasWell = isWell
    return isWell
  }
  const ask = async (context: RequestContext<O, C>): Promise<boolean> => {
    try {
      // Others wait for the same answer: it is asked for also where the one who asked first has gone.
      await ping(await (getOrm ? getOrm() : createRequestAccessors(context, () => undefined).getOrm()))
      return note(true)
    } catch (error) {
      return note(false, context.log, error)
    }
  }
  const asked = (context: RequestContext<O, C>): Promise<boolean> => {
    asking ??= ask(context).finally(() => (asking = undefined))
    return asking
  }
  const inTime = async (answer: Promise<boolean>, log: Log | undefined): Promise<boolean> => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const over = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => {
        resolve(note(false, log, `the database did not answer within ${timeout} ms`))
      }, timeout)
    })
    try {
      return await Promise.race([answer, over])
    } finally {
      clearTimeout(timer)
    }
  }
  return async (request, context, isDraining) => {
    const { method } = request
    const { log } = context
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(method, ['GET'], (error) => fail(error, context))
    const isWell = !isDraining && (await inTime(asked(context), log))
    const response = isWell ? healthy() : fail(isDraining ? shuttingDownError() : unhealthy(), context)
    return method === 'HEAD' ? new Response(null, response) : response
  }
}

/** Writes one line, where the database is out; with the error, where something else failed. */
function logFailure(log: Log | undefined, error: unknown): void {
  const line = '[routewright] the health check failed:'
  if (typeof error === 'string') return writeLog({ log }, `${line} ${error}`)
  const cause = findDriverError(error)
  if (isOutage(classifyDatabaseError(error, cause))) writeLog({ log }, `${line} ${describeOutage(cause)}`)
  else writeLog({ log }, line, error)
}

/**
 * Tells of the health path too where a request was answered. Without it, metrics could not tell checks from paths that do not exist.
 * @param spotOf tells it of all other paths
 */
export function matchHealthRoute(spotOf: MatchRoute, health: HealthSettings | undefined): MatchRoute {
  if (!health) return spotOf
  const spot = { route: health.path }
  return (method, path, isPassedOn) => (path === health.path ? spot : spotOf(method, path, isPassedOn))
}

function unhealthy(): RequestError {
  return new RequestError({ code: 'database-unavailable', detail: 'The database does not answer.' }, RETRY_AFTER)
}
