import { writeLog, logLabel, safeRequestId } from '../errors/logging.js'
import {
  createDispatcher,
  createReservedCheck,
  type DispatchOptions,
  type PathRules,
  type Routers,
} from './routing/create-dispatcher.js'
import type { ApiHandler, RequestContext, MatchRoute, FetchResponse, RenderError } from './handler-types.js'
import type { Idempotency, IdempotentHandler } from './idempotency-types.js'
import type { CreateLifecycle, LifecycleOptions, LifecycleStyle, Lifecycle } from './lifecycle.js'
import { pathAfterPrefix } from './routing/mount-path.js'
import type { Style, RequestTelemetry, RequestOutcome } from './telemetry.js'
import { type Hooks, wrapClientWithHooks } from './client-accessors.js'
import { shuttingDownError, activeUntilAborted } from './active-request.js'

/** The parts of a handler that differ between REST and RPC. */
interface HandlerParts<O, C>
  extends
    LifecycleStyle,
    Omit<IdempotentHandler, 'style'>,
    Pick<DispatchOptions<O, C>, 'customRouter' | 'statics' | 'service'> {
  readonly routers: Routers
  readonly rules: PathRules
  readonly options: LifecycleOptions & {
    readonly hooks?: Hooks<C> | undefined
    readonly idempotency?: Idempotency<C> | undefined
  }
  /** Throws if the app's client cannot serve the routes. */
  readonly checkClient?: ((client: unknown) => void) | undefined
  /** Undefined without the feature `lifecycle`. */
  readonly createLifecycle?: CreateLifecycle | undefined
}

/**
 * Creates the handler of the REST or RPC API from its routers. Adds hooks, idempotency keys, the feature `lifecycle` and telemetry.
 * @throws Error if an option is invalid, with a message that describes the fix
 */
export function createHandler<O, C>(style: Style, parts: HandlerParts<O, C>): ApiHandler<O, C> {
  const { routers, rules, options, limits, dialect, resources, checkClient, customRouter, statics, service, fail } =
    parts
  const reservedPaths = [...(service ? [service.path] : []), ...(statics?.keys() ?? [])]
  const lifecycle = parts.createLifecycle?.(options, createReservedCheck(routers, reservedPaths), parts)
  const { fetchResponse, matchRoute } = createDispatcher(routers, fail, rules, {
    wrap: wrapClientWithHooks<O, C>(options.hooks, style, checkClient),
    customRouter,
    statics,
    endpointPaths: [...reservedPaths, lifecycle?.healthPath],
    service,
    idempotency: options.idempotency?.around<O>({ style, limits, dialect, resources }),
  })
  const handler = withDrain(fetchResponse, fail, lifecycle)
  return withTelemetry(handler, style, lifecycle?.addHealthRoute(matchRoute) ?? matchRoute)
}

/**
 * Wraps a handler, so that it calls `onError` and `onResponse`. Has no overhead if the app sets neither.
 * @param handler records the errors and row counts of a request in `outcome`
 */
function withTelemetry<O, C>(handler: ApiHandler<O, C>, style: Style, matchRoute: MatchRoute): ApiHandler<O, C> {
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

/**
 * Creates a handler that counts requests and can be drained.
 * @param fetchResponse must not reject
 * @param lifecycle limits the duration and the number of requests, and serves the health check
 */
function withDrain<O, C>(
  fetchResponse: FetchResponse<O, C>,
  fail: RenderError,
  lifecycle?: Lifecycle,
): ApiHandler<O, C> {
  let inFlight = 0
  let isClosed = false
  /** Set when draining has started. */
  let drained: Promise<void> | undefined
  let close = () => {}
  const releaseSlot = () => {
    inFlight--
    if (drained && inFlight === 0) close()
  }
  const closeIfDraining = (response: Response): Response => (drained ? withConnectionClose(response) : response)
  const finish = (response: Response): Response => {
    releaseSlot()
    return closeIfDraining(response)
  }
  const rethrow = (error: unknown): never => {
    releaseSlot()
    throw error
  }
  return {
    fetch(request, context) {
      const health = lifecycle?.checkHealth(request, context, drained !== undefined)
      if (health) return health.then(closeIfDraining)
      if (isClosed) return Promise.resolve(withConnectionClose(fail(shuttingDownError(), context)))
      const rejection = lifecycle?.rejectOverload(context, inFlight)
      if (rejection) return Promise.resolve(closeIfDraining(rejection))
      inFlight++
      const timed = lifecycle?.startTimed(request, context, fetchResponse)
      if (!timed) return fetchResponse(request, context, activeUntilAborted(request)).then(finish, rethrow)
      // The request counts until its work has ended, not only until its response is sent. Otherwise early responses would increase the load
      // on the database.
      timed.work.then(releaseSlot, releaseSlot)
      return timed.response.then(closeIfDraining)
    },
    drain() {
      if (drained) return drained
      drained = new Promise((resolve) => {
        close = () => {
          isClosed = true
          resolve()
        }
      })
      if (inFlight === 0) close()
      return drained
    },
  }
}

/** Adds `Connection: close` to a response. In HTTP/2, which does not have the header, servers omit it. */
function withConnectionClose(response: Response): Response {
  try {
    response.headers.set('Connection', 'close')
    return response
  } catch {
    // The headers of a response that a custom route has fetched are immutable.
    const copy = new Response(response.body, response)
    copy.headers.set('Connection', 'close')
    return copy
  }
}
