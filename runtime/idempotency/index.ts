import type { Idempotency, IdempotentHandler, IdempotencyMiddleware } from '../http/idempotency-types.js'
import {
  type IdempotencyOptions,
  parseIdempotencyOptions,
  assertHidden,
  type IdempotencySettings,
  type ClaimedKey,
} from './idempotency-options.js'
import { type ClientAccessors, createClientAccessors } from '../http/client-accessors.js'
import { readBytes } from '../http/read-body.js'
import type { RequestOutcome } from '../http/telemetry.js'
import type { RouteMatch } from '../http/handler-types.js'
import { unsafeCast } from '../http/unsafe-cast.js'
import { getPrimary } from '../prisma/replicas.js'
import { isInTransaction } from '../prisma/transactions/transactions.js'
import { requestFingerprint, keyDigest, KEY_HEADER, parseIdempotencyKey } from './parse-idempotency-key.js'
import { executeIdempotent, type Outcome } from './execute-idempotent.js'

export type { Idempotency } from '../http/idempotency-types.js'
export type {
  IdempotencyOptions,
  KeyScopeEvent,
  ClaimedKey,
  IdempotencyStore,
  StoredKey,
} from './idempotency-options.js'

/**
 * Allows callers to retry writes safely with the header `Idempotency-Key`. Pass the result to the handler option of the same name. The key
 * and the response are stored in the transaction of the write.
 * @throws Error if an option is invalid, with a description of valid values
 * @example
 * ```ts
 * import { idempotency } from '@routewright/runtime/idempotency'
 * import { RPCApiHandler } from './routes/index.js'
 *
 * const keys = idempotency({
 *   model: 'idempotencyKey',
 *   scope: ({ context }: { context: { userId: string } }) => context.userId,
 * })
 * export const rpc = RPCApiHandler({ idempotency: keys })
 * ```
 * @see [Idempotency keys](docs/idempotency.md#setup)
 */
export function idempotency<C = unknown>(options: IdempotencyOptions<C>): Idempotency<C> {
  const settings = parseIdempotencyOptions(options)
  return {
    required: settings.required,
    around(handler) {
      assertHidden(options, handler)
      return idempotencyMiddleware(settings, handler)
    },
  }
}

const CLIENT_IN_TRANSACTION =
  'getOrm returned a client inside a transaction. Requests with an idempotency key need a client that can start one.'

/** The `reason` in an error response if the change was made anyway. */
const NOT_READABLE = 'RESULT_NOT_READABLE'

/** Adds idempotency keys to the routes of a handler. Reads and requests without a key are passed through. */
function idempotencyMiddleware<O, C>(
  settings: IdempotencySettings<C>,
  handler: IdempotentHandler,
): IdempotencyMiddleware<O, C> {
  const { limits } = handler
  const { provider } = handler.dialect
  return (next, { wrap, fail, matchStyleRoute }) => {
    const keyed: typeof next = async (request, context, path, assertActive, customResult) => {
      try {
        const sent = parseIdempotencyKey(request.headers.get(KEY_HEADER))
        const accessors = customResult?.accessors ?? createClientAccessors(context, assertActive, wrap)
        const body = await readBytes(request, limits.bodyBytes)
        const key = await claimedKey(sent, request, body, accessors, settings, handler)
        const client = await clientOf(accessors)
        const execute = async (tx: unknown): Promise<Outcome> => {
          const outcome: RequestOutcome = {}
          const response = await next(withBody(request, body), { ...context, outcome }, path, assertActive, {
            variables: context.variables ?? {},
            methods: () => [],
            ...customResult,
            accessors: { ...accessors, getOrm: () => tx },
          })
          const { failure, rows } = outcome
          if (context.outcome) Object.assign(context.outcome, { failure, rows })
          return { response, error: failure?.error, isDone: failure?.reason === NOT_READABLE }
        }
        return await executeIdempotent({ client, key, provider, settings, execute })
      } catch (error) {
        return fail(error, context, path.split('/', 2)[1])
      }
    }
    // Requests without a key are passed through without an additional promise.
    return (request, context, path, assertActive, customResult) => {
      const { method } = request
      const requiresKeyHandling =
        method !== 'GET' &&
        method !== 'HEAD' &&
        (request.headers.has(KEY_HEADER) || (settings.required && method !== 'DELETE')) &&
        writes(matchStyleRoute(method, path))
      return (requiresKeyHandling ? keyed : next)(request, context, path, assertActive, customResult)
    }
  }
}

/** RPC read operations. A read can be a POST if its arguments are too long for a URL. */
const RPC_READ = /^(?:find|count|aggregate|groupBy|exists|check)/

/** Whether a request may change data. Requests that match no route do not. */
function writes(routeMatch: RouteMatch | undefined): boolean {
  return routeMatch !== undefined && !RPC_READ.test(routeMatch.operation ?? '')
}

async function claimedKey<C>(
  sent: string,
  request: Request,
  body: Uint8Array,
  { getContext }: ClientAccessors,
  { scope, expiresAfter }: IdempotencySettings<C>,
  { style }: IdempotentHandler,
): Promise<ClaimedKey> {
  const context: C = unsafeCast(await getContext())
  const caller: unknown = await scope({ context, request, style })
  if (typeof caller !== 'string' || caller === '') {
    throw new Error('idempotency.scope must return a non-empty string that identifies the caller.')
  }
  const [id, fingerprint] = await Promise.all([keyDigest(caller, sent), requestFingerprint(request, body)])
  return { id, fingerprint, expiresAt: new Date(Date.now() + expiresAfter) }
}

async function clientOf({ getOrm }: ClientAccessors): Promise<object> {
  const client = getPrimary(await getOrm())
  if (typeof client === 'object' && client !== null && !isInTransaction(client)) return client
  throw new Error(CLIENT_IN_TRANSACTION)
}

/** Returns the request with a body that was already read. */
function withBody({ url, method, headers, signal }: Request, body: Uint8Array): Request {
  return new Request(url, { method, headers, signal, body: body.length > 0 ? body.slice() : null })
}
