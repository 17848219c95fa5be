import type { Idempotency } from '../http/idempotency-types.js'
import { idempotencyMiddleware } from './idempotency-middleware.js'
import { type IdempotencyOptions, parseIdempotencyOptions, assertHidden } from './idempotency-options.js'

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
