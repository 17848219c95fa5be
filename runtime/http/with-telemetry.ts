import { writeLog, logLabel, safeRequestId } from '../errors/logging.js'
import type { RequestTelemetry, RequestOutcome } from './telemetry.js'
import type { ApiHandler, RequestContext } from './handler-types.js'
import type { Style } from './telemetry.js'
import { pathAfterPrefix } from './mount-path.js'
import type { MatchRoute } from './pipeline-types.js'

/**
 * Wraps a handler, so that it calls `onError` and `onResponse`. Has no overhead if the app sets neither.
 * @param handler records the errors and row counts of a request in `outcome`
 */
export function withTelemetry<O, C>(handler: ApiHandler<O, C>, style: Style, matchRoute: MatchRoute): ApiHandler<O, C> {
  return {
    ...handler,
    fetch(request, context) {
      if (!context.onError && !context.onResponse) return handler.fetch(request, context)
      const { outcome = {} } = context
      const start = performance.now()
      return handler.fetch(request, context.outcome ? context : { ...context, outcome }).then((response) => {
        notifyObservers(request, response, context, { outcome, start, style, matchRoute })
        return response
      })
    },
  }
}

interface Observation {
  readonly outcome: RequestOutcome
  readonly start: number
  readonly style: Style
  readonly matchRoute: MatchRoute
}

function notifyObservers<O, C>(
  { url, method }: Request,
  { status }: Response,
  context: RequestContext<O, C>,
  { outcome, start, style, matchRoute }: Observation,
): void {
  const { onError, onResponse, prefix } = context
  const failure = status >= 500 ? outcome.failure : undefined
  if (!failure && !onResponse) return
  const routeMatch = matchRoute(method, pathAfterPrefix(url, prefix) ?? '', outcome.isDelegated === true)
  const telemetry: RequestTelemetry & { readonly id: string | undefined } = {
    id: outcome.failure?.id,
    requestId: safeRequestId(context),
    style,
    method,
    route: routeMatch && (context.mount ?? prefix ?? '') + routeMatch.route,
    model: routeMatch?.model,
    operation: routeMatch?.operation,
    status,
  }
  if (failure && onError) call('onError', context, telemetry.id, () => onError(failure.error, telemetry))
  if (!onResponse) return
  const duration = performance.now() - start
  const error = status >= 400 ? outcome.failure?.error : undefined
  call('onResponse', context, telemetry.id, () => onResponse({ ...telemetry, rows: outcome.rows, duration, error }))
}

/** Calls an app function without delaying the response. */
function call<O, C>(name: string, context: RequestContext<O, C>, id: string | undefined, hook: () => unknown): void {
  const failed = (error: unknown) => writeLog(context, `[routewright] ${name} failed${logLabel(id, context)}:`, error)
  try {
    // `Promise.resolve` also starts lazy thenables such as Prisma's queries.
    Promise.resolve(hook()).catch(failed)
  } catch (error) {
    failed(error)
  }
}
