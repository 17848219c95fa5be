import type { Limits } from '../limits.js'
import { createDispatcher, type DispatchOptions, type PathRules, type Routers } from './create-dispatcher.js'
import { createReservedCheck } from './endpoint-path.js'
import type { ApiHandler } from './handler-types.js'
import type { Idempotency, IdempotentHandler } from './idempotency-types.js'
import type { CreateLifecycle, LifecycleOptions, LifecycleStyle } from './lifecycle.js'
import type { Style } from './telemetry.js'
import { withDrain } from './with-drain.js'
import { withTelemetry } from './with-telemetry.js'
import { type Hooks, wrapClientWithHooks } from './wrap-client-with-hooks.js'

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
  readonly limits: Limits
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
  const { fetchResponse, matchRoute } = createDispatcher(routers, fail, rules, {
    wrap: wrapClientWithHooks<O, C>(options.hooks, style, checkClient),
    customRouter,
    statics,
    service,
    idempotency: options.idempotency?.around<O>({ style, limits, dialect, resources }),
  })
  const reservedPaths = [...(service ? [service.path] : []), ...(statics?.keys() ?? [])]
  const lifecycle = parts.createLifecycle?.(options, createReservedCheck(routers, reservedPaths), parts)
  const handler = withDrain(fetchResponse, fail, lifecycle)
  return withTelemetry(handler, style, lifecycle?.addHealthRoute(matchRoute) ?? matchRoute)
}
