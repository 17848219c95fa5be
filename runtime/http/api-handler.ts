/** What a handler answers, and what it is told about each request: the seam between the two styles and the adapters. */
import type { OnResponse, OnError, RequestOutcome } from './telemetry.js'

/** What an adapter tells a handler about one request. `C` is what the app says of it. */
export interface RequestContext<O, C = unknown> {
  /**
   * Gives the Prisma client for this request. Called once, and only after the request was understood.
   * @param context what {@link RequestContext.context} gave; undefined without it, where the types say that nothing is known of it
   */
  // A method, so that what knows nothing of the context may be told any.
  getOrm(context: C): O | Promise<O>
  /** What the app says of this request. Called at most once. */
  readonly context?: (() => C | Promise<C>) | undefined
  /** The path below which the handler is mounted, as `/api`. The root where absent. */
  readonly prefix?: string
  /** The same as a pattern, as `/t/:tenant/api`. Default: the prefix. */
  readonly mount?: string | undefined
  /** Where a failure of the server's own is written. Default: `console.error`. */
  readonly log?: Log | undefined
  /** Is told of every failure of the server's own. */
  readonly onError?: OnError | undefined
  /** Is told of every answer. */
  readonly onResponse?: OnResponse | undefined
  /** Gives the id that the framework has for this request, or the one that it came with. Anybody may have chosen it. */
  readonly requestId?: (() => unknown) | undefined
  /** Data of this request for `onError` and `onResponse`. Created if it is missing and one of them is set. */
  readonly seen?: RequestOutcome | undefined
  /** What an outer Hono app has set on its context: the routes' own contexts have it too. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

/** Writes a line to a log, with what was thrown; undefined where the line says it all. */
export type Log = (message: string, error: unknown) => void

/** What is said of a failure goes there. */
export type LogContext = Pick<RequestContext<unknown>, 'log' | 'requestId' | 'seen'>

/**
 * One style's whole API, as made by the emitted `RestApiHandler` and `RPCApiHandler`. Mounted through an adapter. `C` is what it needs
 * to know of a request.
 */
export interface ApiHandler<O = never, C = unknown> {
  /** Answers a request. Never rejects: every failure is a response in the style's own error format. */
  fetch(request: Request, context: RequestContext<O, C>): Promise<Response>
  /**
   * Begins the end: requests that are here are answered, and every answer asks the client to close its connection (`Connection: close`).
   * Once nothing is left to do, what still comes is answered with 503.
   * @returns resolves when the work on every request has ended; the same however often it is called
   */
  drain(): Promise<void>
  /** Never there. It has the compiler hold `C` strictly, which it does not with a method. */
  readonly needs?: (context: C) => void
}

/** Hono's environment inside the emitted routers. */
export interface ApiEnv {
  Bindings: Pick<RequestContext<unknown>, 'log' | 'variables' | 'requestId' | 'seen'> & {
    /** The client of this request, or a promise of it: the same one, however often it is asked for. */
    readonly getOrm: () => unknown
    /** What the app says of this request, undefined where it says nothing: the same, however often it is asked for. */
    readonly getContext: () => Promise<unknown>
    /** Called before a query. Throws where the client has gone, or the time of the request is over. */
    readonly alive: () => void
    /** The request's path below the model's name, still percent-encoded; in a route of the user's own, below the prefix. */
    readonly path: string
    /** The methods of routes of the user's own at this path. */
    readonly alsoAllowed?: (() => readonly string[]) | undefined
    /** In routes of the user's own: answers with ours. */
    readonly passOn?: (request: Request, variables: Readonly<Record<string, unknown>>) => Promise<Response>
    /**
     * Set by the runtime before a call of the client that may fail for a reason which the error alone does not tell: gives what
     * to answer with instead, or throws it.
     */
    explain?: ((error: unknown) => Promise<unknown>) | undefined
    /** Takes the data and the `meta` of an answer, as JSON, where it is a part of another one: in place of a response. */
    readonly keep?: ((data: string, meta: string) => Response) | undefined
    /** What stands for a body where one operation of several is done: it was read with them. */
    readonly document?: Readonly<Record<string, unknown>> | undefined
    /** Whether one operation of several is about what an earlier one of the same request has added. */
    readonly isNew?: boolean | undefined
    /** Set by the runtime where a request is about another model than its path begins with: what paths of that one begin with. */
    about?: string | undefined
  }
  /** What middleware has set, of the app that the routes are mounted in and of your own templates: `c.get('caller')`. */
  Variables: Record<string, unknown>
}
