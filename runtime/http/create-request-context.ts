import type { OnResponse } from './telemetry.js'
import type { Log, RequestContext } from './handler-types.js'
import type { BaseAdapterOptions } from './adapter-options.js'

/** The request data that an adapter passes to {@link createRequestContext}. */
export interface AdapterRequest {
  readonly prefix: string
  /** See {@link RequestContext.mount}. */
  readonly mount: string
  readonly requestId: () => unknown
  readonly variables?: Readonly<Record<string, unknown>>
  /** The framework's logger, used if the app sets no `log`. */
  readonly log?: Log | undefined
  /** Replaces the app's `onResponse`. */
  readonly onResponse?: OnResponse | undefined
}

/**
 * Creates the context that a handler receives with a request. The properties are listed explicitly, because spreading an object takes
 * longer than the rest of an adapter's work.
 * @param framework the arguments that the framework passed with the request
 */
export function createRequestContext<O, A extends readonly unknown[], C>(
  options: ObserverOptions & Pick<BaseAdapterOptions<O, A, C>, 'getOrm' | 'context'>,
  received: AdapterRequest,
  ...framework: A
): RequestContext<O, C> {
  const { getOrm, context, onError } = options
  const onResponse = received.onResponse ?? options.onResponse
  return {
    getOrm: (appContext) => getOrm(...framework, appContext),
    context: context && (() => context(...framework)),
    prefix: received.prefix,
    mount: received.mount,
    requestId: received.requestId,
    variables: received.variables,
    log: options.log ?? received.log,
    onError,
    onResponse,
    outcome: onError || onResponse ? {} : undefined,
  }
}

/** The options for logging and telemetry. */
type ObserverOptions = Pick<BaseAdapterOptions<never, readonly []>, 'log' | 'onError' | 'onResponse'>

/** Returns the value of the header `X-Request-Id`, for frameworks that do not create request ids. */
export function requestIdFromHeader({ headers }: Pick<Request, 'headers'>): unknown {
  return headers.get('X-Request-Id')
}
