import type { ErrorCode } from '../errors/codes.js'
import type { IdempotencyInfo } from '../http/idempotency-middleware.js'
import type { ComponentCollector } from './components.js'
import type { HttpMethod, Reference } from './document.js'

/** What a write with an idempotency key may be refused with, whatever it is refused with alone. */
export const KEY_ERRORS: readonly ErrorCode[] = ['bad-request', 'write-conflict', 'invalid-value']

/** The codes that refusals because of a key have, by status. */
export const KEY_CODES: Readonly<Record<string, readonly string[]>> = {
  409: ['idempotency-key-in-use', 'idempotency-answer-lost'],
  422: ['idempotency-key-reused'],
}

/** What parts of a document are written with that know of keys. */
interface Keyed {
  readonly components: ComponentCollector
  /** Undefined where the handler takes no keys. */
  readonly keys: IdempotencyInfo | undefined
}

const PATTERN = String.raw`^"([ !#-\[\]-~]|\\["\\]){1,255}"$`

const DESCRIPTION =
  'A text in double quotes, of 1 to 255 characters, another one for each new change. Sent again with the same request, it gives the first ' +
  'answer again, with the header `Idempotent-Replayed: true`; what failed is tried anew.'

/** The header with the key of a write; none where the handler takes no keys. */
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
