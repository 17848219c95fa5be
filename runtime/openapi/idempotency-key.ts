import type { ErrorCode } from '../errors/error-codes.js'
import type { IdempotencyInfo } from '../http/idempotency-types.js'
import type { ComponentCollector } from './component-collector.js'
import type { HttpMethod, Reference } from './document-types.js'

/** The additional error codes of a write with an idempotency key. */
export const KEY_ERRORS: readonly ErrorCode[] = ['bad-request', 'write-conflict', 'invalid-value']

/** The custom codes of errors about a key, by status. */
export const KEY_CODES: Readonly<Record<string, readonly string[]>> = {
  409: ['idempotency-key-in-use', 'idempotency-response-lost'],
  422: ['idempotency-key-reused'],
}

/** The parts of a document context that this module needs. */
interface Keyed {
  readonly components: ComponentCollector
  /** Undefined if the handler does not support keys. */
  readonly keys: IdempotencyInfo | undefined
}

const PATTERN = String.raw`^"([ !#-\[\]-~]|\\["\\]){1,255}"$`

const DESCRIPTION =
  'A quoted string of 1 to 255 characters. Use a new key for each change. A retry with the same key and request returns the first ' +
  'response, with the header `Idempotent-Replayed: true`. Failed requests are executed again.'

/** Returns the header parameter for the key of a write, or an empty list if the handler does not support keys. */
export function keyParameters({ components, keys }: Keyed, method: HttpMethod): readonly Reference[] {
  if (!keys) return []
  const required = keys.required && method !== 'delete'
  return [
    components.parameter(required ? 'requiredIdempotencyKey' : 'idempotencyKey', () => ({
      name: 'Idempotency-Key',
      in: 'header',
      ...(required && { required }),
      description: DESCRIPTION,
      schema: { type: 'string', pattern: PATTERN, examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'] },
    })),
  ]
}
