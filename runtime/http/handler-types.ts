/**
 * The interface between the adapters and the REST and RPC handlers: the handler type and the context that a handler receives with each
 * request.
 */
import type { Hono } from 'hono'

import type { AssertActive } from './active-request.js'
import type { OnResponse, OnError, RequestOutcome } from './telemetry.js'

/** The context that an adapter passes to a handler with each request. `C` is the type of the app's `context`. */
export interface RequestContext<O, C = unknown> {
  /**
   * Returns the Prisma client for this request. Called once, after the request has been parsed.
   * @param context the result of {@link RequestContext.context}; undefined without it, in which case `C` is unknown
   */
  // Declared as a method, so that parameters are bivariant and a handler that ignores the context accepts any context.
  getOrm(context: C): O | Promise<O>
  /** Returns the app's own context. Called at most once. */
  readonly context?: (() => C | Promise<C>) | undefined
  /** The path under which the handler is mounted, for example `/api`. Default: the root. */
  readonly prefix?: string
  /** The prefix as a pattern, for example `/t/:tenant/api`. Default: the prefix. */
  readonly mount?: string | undefined
  /** Receives log lines about server errors. Default: `console.error`. */
  readonly log?: Log | undefined
  /** Called for every server error. */
  readonly onError?: OnError | undefined
  /** Called for every response. */
  readonly onResponse?: OnResponse | undefined
  /** Returns the framework's id of this request, or the id that the client sent. Not validated. */
  readonly requestId?: (() => unknown) | undefined
  /** Data of this request for `onError` and `onResponse`. Created if it is missing and at least one of these callbacks is set. */
  readonly outcome?: RequestOutcome | undefined
  /** The variables of an outer Hono app's context. They are copied to the contexts of the routes. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

/** Writes a line to a log. `error` is undefined if the line is complete without it. */
export type Log = (message: string, error: unknown) => void

/** The parts of the request context that are needed to log and report an error. */
export type LogContext = Pick<RequestContext<unknown>, 'log' | 'requestId' | 'outcome'>

/**
 * The whole API in REST or RPC, as created by the emitted `RestApiHandler` and `RPCApiHandler`. It is mounted through an adapter. `C` is
 * the type of the context that it needs.
 */
export interface ApiHandler<O = never, C = unknown> {
  /** Handles a request. Never rejects: every error becomes a response in the error format of REST or RPC. */
  fetch(request: Request, context: RequestContext<O, C>): Promise<Response>
  /**
   * Starts a graceful shutdown. After this call, every response closes its connection (`Connection: close`). The handler still accepts
   * requests until none is in progress, and then rejects all further requests with a 503.
   * @returns a promise that resolves when all requests have completed; every call returns the same promise
   */
  drain(): Promise<void>
  /** Phantom property: makes `C` contravariant, because methods are bivariant. Never set. */
  readonly needs?: (context: C) => void
}

/**
 * Executes a write at most once per idempotency key. Errors become responses.
 * @param execute handles the request, and is called again if the database rolls the transaction back. Its bindings contain the client in
 * the transaction of the key
 */
export type ExecuteWrite = (
  request: Request,
  execute: (request: Request, bindings: ApiEnv['Bindings']) => Response | Promise<Response>,
) => Promise<Response>

/** Hono's environment inside the emitted routers. */
export interface ApiEnv {
  Bindings: Pick<RequestContext<unknown>, 'log' | 'variables' | 'requestId' | 'outcome'> & {
    /** Returns the client of this request or a promise of it. Every call returns the same value. */
    readonly getOrm: () => unknown
    /** Returns the app's own context, or undefined if there is no `context`. Every call returns the same promise. */
    readonly getContext: () => Promise<unknown>
    /** Called before a query. Throws if the client has disconnected or the request has timed out. */
    readonly assertActive: () => void
    /** The path of the request below the model's name, still percent-encoded. In a custom route: the path below the prefix. */
    readonly path: string
    /** Returns the methods of custom routes at this path. */
    readonly customMethods?: (() => readonly string[]) | undefined
    /** Set in custom routes: delegates the request to the REST or RPC routes. */
    readonly delegate?: (request: Request, variables: Readonly<Record<string, unknown>>) => Promise<Response>
    /** Set in custom routes if the handler supports idempotency keys. */
    readonly executeWrite?: ExecuteWrite | undefined
    /** Set by the runtime before a client call whose error does not reveal its cause. Returns the error to respond with, or throws it. */
    explain?: ((error: unknown) => Promise<unknown>) | undefined
    /** Set if the response becomes part of another response. Called with the data and `meta` as JSON instead of creating the response. */
    readonly capture?: ((data: string, meta: string) => Response) | undefined
    /** The document of one operation of a bulk request, used instead of a body. It is already parsed, as part of the whole body. */
    readonly document?: Readonly<Record<string, unknown>> | undefined
    /** Whether an operation of a bulk request targets a resource that an earlier operation of the same request created. */
    readonly isLocalId?: boolean | undefined
    /** The path name of the model that the request targets. Set by the runtime if it differs from the path's first segment. */
    targetType?: string | undefined
  }
  /** Variables set by middleware, either of the outer app or of custom templates: `c.get('caller')`. */
  Variables: Record<string, unknown>
}

/** The Hono app on which the emitted code registers a model's routes. */
export type App = Hono<ApiEnv>

/**
 * Renders an error in the format of REST or RPC. Never throws.
 * @param logContext receives the error for logs and telemetry
 * @param name the first path segment, which may name a model
 */
export type RenderError = (error: unknown, logContext: LogContext, name?: string) => Response

/** Handles a request. Never rejects. */
export type FetchResponse<O, C> = (
  request: Request,
  context: RequestContext<O, C>,
  assertActive: AssertActive,
) => Promise<Response>

/**
 * Finds the route that handled a request.
 * @param path the path below the mount point
 * @param isDelegated whether custom routes delegated the request to the REST or RPC routes
 */
export type MatchRoute = (method: string, path: string, isDelegated: boolean) => RouteMatch | undefined

/** The route that handled a request. */
export interface RouteMatch {
  /** The pattern of the path below the mount point. */
  readonly route: string
  readonly model?: string | undefined
  readonly operation?: string | undefined
}
