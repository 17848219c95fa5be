/** How every client reaches its API. */
export interface HttpOptions {
  /**
   * Where the handler is mounted: `https://example.com/api/rpc`. A path is enough in a browser, and with a `fetch` that needs no host,
   * as `app.fetch`.
   */
  readonly url: string
  /** Headers of every request. A function is called for each request, and may be asynchronous. */
  readonly headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>) | undefined
  /** What sends requests, in place of the global `fetch`: `app.fetch` asks an app without a network. */
  readonly fetch?: Fetch | undefined
  /** Whether cookies go along to another origin. Default: the platform's own, `same-origin`. */
  readonly credentials?: RequestCredentials | undefined
  /**
   * How often a read is repeated that had no answer, or was answered with 429 or 503 and a `Retry-After` of at most half a minute.
   * Writes are repeated where they have a key: see `idempotency`. Default: 2
   */
  readonly retries?: number | undefined
  /**
   * Sends a key with each write (`Idempotency-Key`), so that it may be repeated as reads are, and is done once. Where the server has the
   * option of the same name. Default: false
   */
  readonly idempotency?: boolean | undefined
}

/** Sends a request: the global `fetch` does, and `app.fetch` of a Hono app. */
export type Fetch = (request: Request) => Response | Promise<Response>

/** What one call may say beside its arguments. */
export interface CallOptions {
  /** Ends the request. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Headers of this request, in place of those of the client with the same names. */
  readonly headers?: HeadersInit | undefined
  /** The key of this write, in place of one that the client makes: the same each time that it is sent. */
  readonly idempotencyKey?: string | undefined
}
