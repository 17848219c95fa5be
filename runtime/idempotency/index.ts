import type { Idempotency } from '../http/repeats.js'
import { answersOnce } from './answers-once.js'
import { type IdempotencyOptions, readIdempotency, requireHidden } from './options.js'

export type { Idempotency } from '../http/repeats.js'
export type { IdempotencyOptions, ScopeEvent } from './options.js'
export type { ClaimedKey, IdempotencyStore, KeptKey } from './store.js'

/**
 * Lets callers send a request that writes again without its being done twice, by the header `Idempotency-Key`: for the option of the same
 * name of a handler. The key is kept in the transaction of the write, with the answer.
 * @throws Error that says what is wrong, and what would be right
 */
export function idempotency<C = unknown>(options: IdempotencyOptions<C>): Idempotency<C> {
  const settings = readIdempotency(options)
  return {
    required: settings.required,
    around(handler) {
      requireHidden(options, handler)
      return answersOnce(settings, handler)
    },
  }
}
