import type { Idempotency } from '../http/idempotency-middleware.js'
import { idempotencyMiddleware } from './middleware.js'
import { type IdempotencyOptions, parseIdempotencyOptions, assertHidden } from './options.js'

export type { Idempotency } from '../http/idempotency-middleware.js'
export type { IdempotencyOptions, KeyScopeEvent } from './options.js'
export type { ClaimedKey, IdempotencyStore, StoredKey } from './store.js'

/**
 * Lets callers send a request that writes again without its being done twice, by the header `Idempotency-Key`: for the option of the same
 * name of a handler. The key is kept in the transaction of the write, with the answer.
 * @throws Error that says what is wrong, and what would be right
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
