import { type Asked, askedOnce } from '../http/asked-once.js'
import { readBytes } from '../http/body.js'
import type { Seen, Spot } from '../http/facts.js'
import { erase } from '../http/perform.js'
import type { RepeatedHandler, Repeats } from '../http/repeats.js'
import { primaryOf } from '../orm/primary.js'
import { isInTransaction } from '../orm/transactions.js'
import { fingerprintOf, idOf } from './digest.js'
import { KEY_HEADER, readKey } from './key.js'
import { once, type Outcome } from './once.js'
import type { IdempotencySettings } from './options.js'
import type { ClaimedKey } from './store.js'

const INSIDE =
  'getOrm gave a client inside a transaction. With an idempotency key, the write and the key are kept in a transaction that is begun for them.'

/** The reason of an error that stands for a change which was made. */
const NOT_READABLE = 'RESULT_NOT_READABLE'

/** Puts idempotency keys around the routes of a handler. What has no key, or changes nothing, goes past. */
export function answersOnce<O, C>(settings: IdempotencySettings<C>, handler: RepeatedHandler): Repeats<O, C> {
  const { limits } = handler
  const { provider } = handler.dialect
  return (answer, { mount, fail, spotAt }) => {
    const keyed: typeof answer = async (request, context, path, alive, tried) => {
      try {
        const sent = readKey(request.headers.get(KEY_HEADER))
        const asked = tried?.asked ?? askedOnce(context, alive, mount)
        const body = await readBytes(request, limits.bodyBytes)
        const key = await claimedKey(sent, request, body, asked, settings, handler)
        const client = await clientOf(asked)
        const carryOut = async (inside: unknown): Promise<Outcome> => {
          const seen: Seen = {}
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
        return await once({ client, key, provider, settings, carryOut })
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
function writes(spot: Spot | undefined): boolean {
  return spot !== undefined && !RPC_READ.test(spot.operation ?? '')
}

async function claimedKey<C>(
  sent: string,
  request: Request,
  body: Uint8Array,
  { getContext }: Asked,
  { scope, expiresAfter }: IdempotencySettings<C>,
  { style }: RepeatedHandler,
): Promise<ClaimedKey> {
  const context: C = erase(await getContext())
  const caller: unknown = await scope({ context, request, style })
  if (typeof caller !== 'string' || caller === '') {
    throw new Error('idempotency.scope must give a text that is not empty. It says who sends the key.')
  }
  const [id, fingerprint] = await Promise.all([idOf(caller, sent), fingerprintOf(request, body)])
  return { id, fingerprint, expiresAt: new Date(Date.now() + expiresAfter) }
}

async function clientOf({ getOrm }: Asked): Promise<object> {
  const client = primaryOf(await getOrm())
  if (typeof client === 'object' && client !== null && !isInTransaction(client)) return client
  throw new Error(INSIDE)
}

/** The same request, whose body was read. */
function withBody({ url, method, headers, signal }: Request, body: Uint8Array): Request {
  return new Request(url, { method, headers, signal, body: body.length > 0 ? body.slice() : null })
}
