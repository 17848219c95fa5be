import { findDriverError } from '../../errors/database/driver-error.js'
import { classifyDatabaseError } from '../../errors/database/classify-database-error.js'
import { isOutage } from '../../errors/database/database-error-kind.js'
import { outageLogMessage, writeLog } from '../../errors/logging.js'
import { RequestError } from '../../errors/request-error.js'
import { createClientAccessors } from '../../http/client-accessors.js'
import type { Log, RequestContext } from '../../http/handler-types.js'
import type { HealthOptions, LifecycleStyle } from '../../http/lifecycle.js'
import { methodNotAllowed } from '../../http/routing/route.js'
import { RETRY_AFTER, shuttingDownError } from '../../http/active-request.js'
import { callClient } from '../../prisma/call-client.js'
import { getPrimary } from '../../prisma/replicas.js'

/** Checked {@link HealthOptions} with defaults. */
export interface HealthSettings {
  readonly path: string
  readonly getOrm: HealthOptions['getOrm']
  readonly timeout: number
}

/** Handles a health check request. */
export type HealthResponse = <O, C>(
  request: Request,
  context: RequestContext<O, C>,
  isDraining: boolean,
) => Promise<Response>

/**
 * Creates a health check. Concurrent requests share one query, and each waits no longer than its own time limit. A failure is logged once.
 * It is logged again only if the check has succeeded in the meantime.
 */
export function createHealthCheck(
  { getOrm, timeout }: HealthSettings,
  { models, healthy, fail }: LifecycleStyle,
): HealthResponse {
  let pending: Promise<boolean> | undefined
  let wasHealthy = true
  const logChange = (isHealthy: boolean, log?: Log, error?: unknown) => {
    if (wasHealthy && !isHealthy) logFailure(log, error)
    wasHealthy = isHealthy
    return isHealthy
  }
  const pingDatabase = async <O, C>(context: RequestContext<O, C>): Promise<boolean> => {
    try {
      // Concurrent checks wait for the same query, so it runs even if the first client has disconnected.
      await ping(await (getOrm ? getOrm() : createClientAccessors(context, () => undefined).getOrm()), models)
      return logChange(true)
    } catch (error) {
      return logChange(false, context.log, error)
    }
  }
  const sharedPing = <O, C>(context: RequestContext<O, C>): Promise<boolean> => {
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

function unhealthy(): RequestError {
  return new RequestError({ code: 'database-unavailable', detail: 'The database does not respond.' }, RETRY_AFTER)
}

/**
 * Sends a minimal query to the database.
 * @param models the first one is queried if the client does not support raw SQL
 * @throws errors of the client
 */
async function ping(client: unknown, models: LifecycleStyle['models']): Promise<void> {
  const primary = getPrimary(client)
  const raw: unknown =
    typeof primary === 'object' && primary !== null ? Reflect.get(primary, '$queryRawUnsafe') : undefined
  if (typeof raw === 'function') {
    await raw.call(primary, 'SELECT 1')
    return
  }
  const [model] = models.values()
  const [field = ''] = model?.uniques.get(model.id) ?? []
  if (model) await callClient(primary, model, 'findFirst', { select: { [field]: true } })
}
