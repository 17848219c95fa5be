import type { MakeError } from './api-error.js'
import type { CallOptions, HttpOptions } from './options.js'
import { parseRetryAfter } from './retry-after.js'

/** An HTTP request to the REST or RPC API. */
export interface HttpRequest {
  readonly method: string
  /** The part after the client's `url`: `/post/findMany?q=…` */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Whether the request has no side effects and can be retried. */
  readonly safe: boolean
}

/** Sends requests with a client's options. */
export interface Transport {
  /** The client's `url` without a trailing slash. */
  readonly url: string
  /**
   * Sends a request, with retries if it is safe or has an idempotency key.
   * @throws ApiError `network-error` if there is no response
   * @throws the signal's reason if the signal aborts
   */
  send(request: HttpRequest, options?: CallOptions): Promise<Response>
}

/** Maximum `Retry-After` that the client waits for, in seconds. */
const MAX_RETRY_AFTER = 30
/** Delay before the first retry if there was no response, in milliseconds. Doubles with each retry. */
const FIRST_RETRY_DELAY = 200

/**
 * Creates the transport of a client.
 * @param makeError creates a `RestError` or an `RpcError`
 * @throws TypeError if the options have no `url`
 */
export function createTransport(options: HttpOptions, makeError: MakeError): Transport {
  const { headers, credentials, retries = 2, idempotency } = options
  if (typeof options.url !== 'string')
    throw new TypeError('url must be the URL of the API: "https://example.com/api/rpc".')
  const url = toAbsoluteUrl(options.url)
  return {
    url,
    async send(
      { method, path, headers: styleHeaders, body, safe },
      { signal, headers: callHeaders, idempotencyKey } = {},
    ) {
      const key = !safe && (idempotencyKey ?? (idempotency && crypto.randomUUID()))
      for (let attempt = 0; ; attempt++) {
        signal?.throwIfAborted()
        const all = new Headers(typeof headers === 'function' ? await headers() : headers)
        for (const source of [styleHeaders, callHeaders])
          new Headers(source).forEach((value, name) => all.set(name, value))
        if (key) all.set('Idempotency-Key', JSON.stringify(key))
        const request = new Request(url + path, {
          method,
          headers: all,
          body: body ?? null,
          signal: signal ?? null,
          ...(credentials && { credentials }),
        })
        const canRetry = (safe || key) && attempt < retries
        let pause: number | undefined
        try {
          const response = await raceWithAbort((options.fetch ?? fetch)(request), signal)
          const after = parseRetryAfter(response) ?? Infinity
          if (!canRetry || after > MAX_RETRY_AFTER || ![409, 429, 503].includes(response.status)) return response
          await response.body?.cancel()
          pause = after * 1000
        } catch (cause) {
          signal?.throwIfAborted()
          if (!canRetry) {
            const reason = cause instanceof Error ? `: ${cause.message}` : ''
            throw makeError(`No response to ${method} ${url}${path.split('?')[0]}${reason}`, {
              status: 0,
              code: 'network-error',
              cause,
            })
          }
          // Random jitter, so that not all clients retry at the same moment when a server recovers.
          pause = FIRST_RETRY_DELAY * 2 ** attempt * (0.5 + Math.random())
        }
        await raceWithAbort(new Promise((resolve) => setTimeout(resolve, pause)), signal)
      }
    },
  }
}

/** Resolves a path to an absolute URL, which `Request` requires: against the current page, or `http://localhost` outside a browser. */
function toAbsoluteUrl(url: string): string {
  const trimmed = url.replace(/\/+$/, '')
  if (/^[a-z][a-z\d+.-]*:/i.test(trimmed)) return trimmed
  const origin = globalThis.location?.href ?? 'http://localhost'
  return new URL(trimmed || '/', origin).href.replace(/\/+$/, '')
}

/** Settles like `work`, or rejects with the signal's reason as soon as the signal aborts. Not every `fetch` implementation supports signals. */
function raceWithAbort<T>(work: T | Promise<T>, signal: AbortSignal | undefined): T | Promise<T> {
  if (!signal) return work
  return new Promise<T>((resolve, reject) => {
    const end = () => reject(signal.reason as Error)
    signal.addEventListener('abort', end, { once: true })
    void Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', end))
    if (signal.aborted) end()
  })
}
