import { logTo, named, requestIdOf } from '../errors/reports.js'
import type { RequestFacts, Seen, Spot } from './facts.js'
import type { ApiHandler, RequestContext } from './handler.js'
import type { Style } from './hooks.js'
import { pathBelow } from './mount.js'

/**
 * Tells where a request was answered.
 * @param path below the mount point
 * @param isPassedOn whether routes of the user's own have left it to those of the style
 */
export type SpotOf = (method: string, path: string, isPassedOn: boolean) => Spot | undefined

/**
 * A handler that tells the app of its failures and answers. Where the app wants to know of neither, nothing is done for it.
 * @param handler answers, and notes in `seen` what happened
 */
export function observed<O, C>(handler: ApiHandler<O, C>, style: Style, spotOf: SpotOf): ApiHandler<O, C> {
  return {
    ...handler,
    fetch(request, context) {
      if (!context.onError && !context.onAnswer) return handler.fetch(request, context)
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
  readonly seen: Seen
  readonly start: number
  readonly style: Style
  readonly spotOf: SpotOf
}

function tell<O, C>(
  { url, method }: Request,
  { status }: Response,
  context: RequestContext<O, C>,
  { seen, start, style, spotOf }: Observation,
): void {
  const { onError, onAnswer, prefix } = context
  const failure = status >= 500 ? seen.failure : undefined
  if (!failure && !onAnswer) return
  const spot = spotOf(method, pathBelow(url, prefix) ?? '', seen.isPassedOn === true)
  const facts: RequestFacts & { readonly id: string | undefined } = {
    id: seen.failure?.id,
    requestId: requestIdOf(context),
    style,
    method,
    route: spot && (context.mount ?? prefix ?? '') + spot.route,
    model: spot?.model,
    operation: spot?.operation,
    status,
  }
  if (failure && onError) call('onError', context, facts.id, () => onError(failure.error, facts))
  if (!onAnswer) return
  const duration = performance.now() - start
  const error = status >= 400 ? seen.failure?.error : undefined
  call('onAnswer', context, facts.id, () => onAnswer({ ...facts, rows: seen.rows, duration, error }))
}

/** Calls a function of the app's that the answer does not wait for. */
function call<O, C>(name: string, context: RequestContext<O, C>, id: string | undefined, hook: () => unknown): void {
  const failed = (error: unknown) => logTo(context, `[routewright] ${name} failed${named(id, context)}:`, error)
  try {
    // Also what does nothing until it is awaited, as a call of Prisma's.
    Promise.resolve(hook()).catch(failed)
  } catch (error) {
    failed(error)
  }
}
