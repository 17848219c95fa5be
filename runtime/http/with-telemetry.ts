import { writeLog, logLabel, safeRequestId } from '../errors/logging.js'
import type { RequestTelemetry, RequestOutcome, RouteMatch } from './telemetry.js'
import type { ApiHandler, RequestContext } from './api-handler.js'
import type { Style } from './hooks-mount.js'
import { pathAfterPrefix } from './adapter-options.js'

/**
 * Tells where a request was answered.
 * @param path below the mount point
 * @param isPassedOn whether routes of the user's own have left it to those of the style
 */
export type MatchRoute = (method: string, path: string, isPassedOn: boolean) => RouteMatch | undefined

/**
 * A handler that tells the app of its failures and answers. Where the app wants to know of neither, nothing is done for it.
 * @param handler answers, and notes in `seen` what happened
 */
export function withTelemetry<O, C>(handler: ApiHandler<O, C>, style: Style, spotOf: MatchRoute): ApiHandler<O, C> {
  return {
    ...handler,
    fetch(request, context) {
      if (!context.onError && !context.onResponse) return handler.fetch(request, context)
      const { seen = {} } = context
      const start = performance.now()
      return handler.fetch(request, context.seen ? context : { ...context, seen }).then((response) => {
        tell(request, response, context, { seen, start, style, spotOf })
        return response
      })
    },
  }
}

interface Observation {
  readonly seen: RequestOutcome
  readonly start: number
  readonly style: Style
  readonly spotOf: MatchRoute
}

function tell<O, C>(
  { url, method }: Request,
  { status }: Response,
  context: RequestContext<O, C>,
  { seen, start, style, spotOf }: Observation,
): void {
  const { onError, onResponse, prefix } = context
  const failure = status >= 500 ? seen.failure : undefined
  if (!failure && !onResponse) return
  const spot = spotOf(method, pathAfterPrefix(url, prefix) ?? '', seen.isPassedOn === true)
  const facts: RequestTelemetry & { readonly id: string | undefined } = {
    id: seen.failure?.id,
    requestId: safeRequestId(context),
    style,
    method,
    route: spot && (context.mount ?? prefix ?? '') + spot.route,
    model: spot?.model,
    operation: spot?.operation,
    status,
  }
  if (failure && onError) call('onError', context, facts.id, () => onError(failure.error, facts))
  if (!onResponse) return
  const duration = performance.now() - start
  const error = status >= 400 ? seen.failure?.error : undefined
  call('onResponse', context, facts.id, () => onResponse({ ...facts, rows: seen.rows, duration, error }))
}

/** Calls a function of the app's that the answer does not wait for. */
function call<O, C>(name: string, context: RequestContext<O, C>, id: string | undefined, hook: () => unknown): void {
  const failed = (error: unknown) => writeLog(context, `[routewright] ${name} failed${logLabel(id, context)}:`, error)
  try {
    // Also what does nothing until it is awaited, as a call of Prisma's.
    Promise.resolve(hook()).catch(failed)
  } catch (error) {
    failed(error)
  }
}
