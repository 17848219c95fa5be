/** HTTP options of all clients. */
export interface HttpOptions {
  /**
   * The URL of the mounted handler: `https://example.com/api/rpc`. A path is enough in a browser, and with a `fetch` that ignores the host,
   * such as `app.fetch`.
   */
  readonly url: string
  /** Headers for every request. A function is called once per attempt and can be asynchronous. */
  readonly headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>) | undefined
  /** Replaces the global `fetch`. With `app.fetch`, the client calls a Hono app without a network. */
  readonly fetch?: Fetch | undefined
  /** When to send cookies. `include` also sends them to other origins. Default: the platform's default, `same-origin`. */
  readonly credentials?: RequestCredentials | undefined
  /**
   * Maximum number of times that a read is retried if there is no response, or if the response is a 409, 429 or 503 whose `Retry-After` is
   * at most 30 s. Writes are retried only if they have an idempotency key: see `idempotency`. Default: 2.
   */
  readonly retries?: number | undefined
  /**
   * Sends an `Idempotency-Key` header with each write, so that writes can be retried like reads and take effect only once. Requires the
   * server option of the same name. Default: false.
   */
  readonly idempotency?: boolean | undefined
}

/** Sends a request, like the global `fetch` or the `app.fetch` of a Hono app. */
export type Fetch = (request: Request) => Response | Promise<Response>

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the request. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Headers for this request. They override the client's headers with the same names. */
  readonly headers?: HeadersInit | undefined
  /** The idempotency key of this write, instead of a generated one. All attempts send the same key. */
  readonly idempotencyKey?: string | undefined
}
