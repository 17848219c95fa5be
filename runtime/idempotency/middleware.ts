import { type RequestAccessors, createRequestAccessors } from '../http/request-accessors.js'
import { readBytes } from '../http/body.js'
import type { RequestOutcome, RouteMatch } from '../http/telemetry.js'
import { unsafeCast } from '../http/execute-route.js'
import type { IdempotentHandler, IdempotencyMiddleware } from '../http/idempotency-middleware.js'
import { getPrimary } from '../orm/primary.js'
import { isInTransaction } from '../orm/transactions.js'
import { requestFingerprint, keyDigest } from './digest.js'
import { KEY_HEADER, parseIdempotencyKey } from './key.js'
import { runOnce, type Outcome } from './run-once.js'
import type { IdempotencySettings } from './options.js'
import type { ClaimedKey } from './store.js'

const INSIDE =
  'getOrm gave a client inside a transaction. With an idempotency key, the write and the key are kept in a transaction that is begun for them.'

/** The reason of an error that stands for a change which was made. */
const NOT_READABLE = 'RESULT_NOT_READABLE'

/** Puts idempotency keys around the routes of a handler. What has no key, or changes nothing, goes past. */
export function idempotencyMiddleware<O, C>(
  settings: IdempotencySettings<C>,
  handler: IdempotentHandler,
): IdempotencyMiddleware<O, C> {
  const { limits } = handler
  const { provider } = handler.dialect
  return (answer, { mount, fail, spotAt }) => {
    const keyed: typeof answer = async (request, context, path, alive, tried) => {
      try {
        const sent = parseIdempotencyKey(request.headers.get(KEY_HEADER))
        const asked = tried?.asked ?? createRequestAccessors(context, alive, mount)
        const body = await readBytes(request, limits.bodyBytes)
        const key = await claimedKey(sent, request, body, asked, settings, handler)
        const client = await clientOf(asked)
        const carryOut = async (inside: unknown): Promise<Outcome> => {
          const seen: RequestOutcome = {}
          const response = await answer(withBody(request, body), { ...context, seen }, path, alive, {
            variables: context.variables ?? {},
            methods: () => [],
            ...tried,
            asked: { ...asked, getOrm: () => inside },
          })
          const { failure, rows } = seen
          if (context.seen) Object.assign(context.seen, { failure, rows })
          return { response, error: failure?.error, isDone: failure?.reason === NOT_READABLE }
        }
        return await runOnce({ client, key, provider, settings, carryOut })
      } catch (error) {
        return fail(error, context, path.split('/', 2)[1])
      }
    }
    // What has no key goes past at once, without a promise more.
    return (request, context, path, alive, tried) => {
      const { method } = request
      const isMeant =
        method !== 'GET' &&
        method !== 'HEAD' &&
        (request.headers.has(KEY_HEADER) || (settings.required && method !== 'DELETE')) &&
        writes(spotAt(method, path))
      return (isMeant ? keyed : answer)(request, context, path, alive, tried)
    }
  }
}

/** The operations of the RPC style that change nothing: a POST of theirs has arguments that are too long for a URL. */
const RPC_READ = /^(?:find|count|aggregate|groupBy|exists|check)/

/** Whether a request may change anything. What no route answers does not. */
function writes(spot: RouteMatch | undefined): boolean {
  return spot !== undefined && !RPC_READ.test(spot.operation ?? '')
}

async function claimedKey<C>(
  sent: string,
  request: Request,
  body: Uint8Array,
  { getContext }: RequestAccessors,
  { scope, expiresAfter }: IdempotencySettings<C>,
  { style }: IdempotentHandler,
): Promise<ClaimedKey> {
  const context: C = unsafeCast(await getContext())
  const caller: unknown = await scope({ context, request, style })
  if (typeof caller !== 'string' || caller === '') {
    throw new Error('idempotency.scope must give a text that is not empty. It says who sends the key.')
  }
  const [id, fingerprint] = await Promise.all([keyDigest(caller, sent), requestFingerprint(request, body)])
  return { id, fingerprint, expiresAt: new Date(Date.now() + expiresAfter) }
}

async function clientOf({ getOrm }: RequestAccessors): Promise<object> {
  const client = getPrimary(await getOrm())
  if (typeof client === 'object' && client !== null && !isInTransaction(client)) return client
  throw new Error(INSIDE)
}

/** The same request, whose body was read. */
function withBody({ url, method, headers, signal }: Request, body: Uint8Array): Request {
  return new Request(url, { method, headers, signal, body: body.length > 0 ? body.slice() : null })
}
