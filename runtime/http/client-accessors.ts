import { HTTPException } from 'hono/http-exception'

import { RequestError } from '../errors/request-error.js'
import type { AssertActive } from './active-request.js'
import type { ApiEnv, Log, RequestContext } from './handler-types.js'
import type { Style } from './telemetry.js'
import { unsafeCast } from './unsafe-cast.js'

/** Wraps the client returned by the app's `getOrm` before routes receive it. */
export type WrapClient<O, C> = (orm: O, context: C, log: Log | undefined) => O

/** The per-request values that routes can access. */
export type ClientAccessors = Pick<ApiEnv['Bindings'], 'getOrm' | 'getContext' | 'assertActive'>

/** The state that custom routes pass on when they delegate a request. */
export interface CustomRouteResult {
  readonly accessors: ClientAccessors
  /** The variables set by the middleware of custom routes and by the outer app. */
  readonly variables: Readonly<Record<string, unknown>>
  /** Returns the methods that custom routes support at this path. */
  readonly methods: () => readonly string[]
  /**
   * Returns the response if the path belongs to no model and no other endpoint: 405 if custom routes have the path, a redirect or 404 if it
   * belongs to a group of declared routes, otherwise undefined.
   */
  readonly respondToUnmatched?: () => Response | undefined
}

/**
 * Creates lazy, memoized accessors for the app's `context` and `getOrm`. Each is called at most once per request, on first access.
 * @param assertActive called before and after `getOrm`, so that no client is returned for a request that has ended
 * @param wrapClient wraps the client, for example with hooks
 * @returns accessors that return the same value, or reject with the same error, on every call
 */
export function createClientAccessors<O, C>(
  app: RequestContext<O, C>,
  assertActive: AssertActive,
  wrapClient?: WrapClient<O, C>,
): ClientAccessors {
  let context: Promise<C | undefined> | undefined
  let orm: O | Promise<O> | undefined
  const getContext = () => {
    if (context) return context
    context = resolveContext(app)
    // Callers still see the rejection when they await the promise. This only prevents an unhandled rejection until then.
    context.catch(() => {})
    return context
  }
  const getOrm = () => {
    if (orm !== undefined) return orm
    assertActive()
    // Fast path: without `context` and a wrapper, a synchronous `getOrm` needs no promise.
    orm = app.context || wrapClient ? getWrappedClient(app, getContext, wrapClient) : getClient(app)
    if (!isPromise(orm)) return orm
    orm = awaitWhileActive(orm, assertActive)
    orm.catch(() => {})
    return orm
  }
  return { getContext, getOrm, assertActive }
}

/** Awaits the client, then checks that the request has not ended in the meantime. */
async function awaitWhileActive<O>(pending: Promise<O>, assertActive: AssertActive): Promise<O> {
  const orm = await pending
  assertActive()
  return orm
}

function getClient<O, C>(app: RequestContext<O, C>): O | Promise<O> {
  let client: O | Promise<O>
  try {
    client = app.getOrm(unsafeCast(undefined))
  } catch (error) {
    return Promise.reject(toAppError('getOrm', error))
  }
  if (client === undefined || client === null) return Promise.reject(noClientError(client))
  return isPromise(client) ? awaitClient(client) : client
}

/** Reads `then` instead of checking it with `in`, because Prisma's client is a proxy on which reads are faster. */
function isPromise<O>(value: O | Promise<O>): value is Promise<O> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'then') === 'function'
}

function noClientError(value: unknown): Error {
  return new Error(`getOrm must return a Prisma client, but returned ${value}`)
}

async function resolveContext<O, C>({ context }: RequestContext<O, C>): Promise<C | undefined> {
  try {
    return await context?.()
  } catch (error) {
    throw toAppError('context', error)
  }
}

async function awaitClient<O>(pending: Promise<O>): Promise<O> {
  let orm: O
  try {
    orm = await pending
  } catch (error) {
    throw toAppError('getOrm', error)
  }
  if (orm === undefined || orm === null) throw noClientError(orm)
  return orm
}

async function getWrappedClient<O, C>(
  app: RequestContext<O, C>,
  getContext: () => Promise<C | undefined>,
  mount: WrapClient<O, C> | undefined,
): Promise<O> {
  // If the app has no `context`, the types guarantee that `C` is unknown, so `undefined` is safe.
  const context: C = unsafeCast(app.context ? await getContext() : undefined)
  const orm = await awaitClient((async () => app.getOrm(context))())
  return mount ? mount(orm, context, app.log) : orm
}

/**
 * Wraps an error thrown by the app's `context` or `getOrm`, so that it is reported as a server error even if its class or name looks like a
 * client error. Errors that already determine the response are returned unchanged: HTTPException, RequestError and errors of Prisma's
 * client, such as connection errors.
 */
function toAppError(what: string, error: unknown): unknown {
  if (error instanceof HTTPException || error instanceof RequestError) return error
  if (error instanceof Error && error.name.startsWith('PrismaClient')) return error
  return new Error(`${what} failed`, { cause: error })
}

/** The request that hooks receive. `C` is the type of the app's `context`. */
export interface HookRequest<C> {
  /** The result of the adapter option `context`. */
  readonly context: C
  readonly style: Style
  /** Receives log lines about errors after the commit. Default: `console.error`. */
  readonly log?: Log | undefined
}

/** The hooks of an app, as the emitted `defineHooks` returns them for the handler option `hooks`. */
export interface Hooks<C = unknown> {
  /**
   * Wraps the client of a request, so that hooks run for its reads and writes.
   * @param client the client of the request, with or without policies
   */
  readonly mount: (client: object, request: HookRequest<C>) => object
  /** Whether a hook may add data to new rows of a model. */
  readonly addsData: (model: string) => boolean
  /**
   * Checks the fields that identify the rows of a model in URLs. Undefined if the hooks are not the result of `defineHooks`.
   * @throws Error if a `mask` hook applies to one of them, because several rows could then have the same id
   */
  readonly assertUnmasked?: (model: string, fields: readonly { readonly name: string }[]) => void
}

/**
 * Creates a function that wraps the client of each request with hooks.
 * @param check throws if the app's client cannot serve the REST or RPC routes
 * @throws Error if the hooks were not created by `defineHooks`
 */
export function wrapClientWithHooks<O, C>(
  hooks: Hooks<C> | undefined,
  style: Style,
  check?: (client: unknown) => void,
): WrapClient<O, C> | undefined {
  if (hooks && typeof hooks.mount !== 'function') throw new Error('hooks must be created with defineHooks of hooks.ts.')
  if (!hooks && !check) return undefined
  return (orm, context, log) => {
    check?.(orm)
    // A wrapped client has the same delegates.
    return hooks ? unsafeCast(hooks.mount(unsafeCast(orm), { context, style, log })) : orm
  }
}
