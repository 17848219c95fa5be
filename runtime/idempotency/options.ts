import type { Style } from '../http/hooks-mount.js'
import type { IdempotentHandler } from '../http/idempotency-middleware.js'
import { parsePositive, assertKnownKeys } from '../limits.js'
import { modelStore } from './model-store.js'
import type { IdempotencyStore } from './store.js'

/** What a scope is made of. `C` is what the app says of a request. */
export interface KeyScopeEvent<C> {
  /** What the adapter's option `context` gave. */
  readonly context: C
  /** Its body was read. */
  readonly request: Request
  readonly style: Style
}

/** The options of `idempotency`. Exactly one of `model` and `store` is given. `C` is what the app says of a request. */
export interface IdempotencyOptions<C = unknown> {
  /**
   * The delegate of the model that keeps keys, as `idempotencyKey`. It needs `id String @id`, `fingerprint String`, `answer Bytes?` and
   * `expiresAt DateTime`, and must be `@api.hidden`.
   */
  readonly model?: string
  /** Keeps keys in another way. */
  readonly store?: IdempotencyStore
  /**
   * Says who sends a key: as text, the same for each request of one caller, and of nobody else. Whoever has the same scope and sends the
   * same request with the same key is given the stored answer.
   */
  readonly scope: (event: KeyScopeEvent<C>) => string | Promise<string>
  /**
   * Whether requests that may do their work twice must have a key: POST, PATCH and PUT that write are answered with 400 without one. Default
   * false.
   */
  readonly required?: boolean
  /** How long a key is kept, in milliseconds. After that it may be used anew. Default: 24 hours. */
  readonly expiresAfter?: number
  /**
   * How many bytes of an answer are kept at most, with its headers. A longer one is given once; when its request comes again, that is
   * answered with 409 and not carried out. Default 1 MiB.
   */
  readonly responseBytes?: number
}

/** {@link IdempotencyOptions}, checked, with the defaults. */
export interface IdempotencySettings<C> {
  readonly store: IdempotencyStore
  readonly scope: IdempotencyOptions<C>['scope']
  readonly required: boolean
  readonly expiresAfter: number
  readonly responseBytes: number
}

const OPTIONS = [
  'model',
  'store',
  'scope',
  'required',
  'expiresAfter',
  'responseBytes',
] satisfies readonly (keyof IdempotencyOptions)[]

const DAY = 24 * 60 * 60 * 1000

/** Beyond it, some databases cannot hold the time. */
const LONGEST = 10 * 365 * DAY

const MODEL_NEEDED =
  'idempotency needs model, the delegate of a model that keeps keys ("idempotencyKey"), or store; not both.'

/**
 * Checks the options.
 * @throws Error that says what is wrong, and what would be right
 */
export function parseIdempotencyOptions<C>(options: IdempotencyOptions<C>): IdempotencySettings<C> {
  assertKnownKeys('option of idempotency', options, OPTIONS)
  const { model, store, scope, required = false, expiresAfter = DAY, responseBytes = 1024 * 1024 } = options
  if ((model === undefined) === (store === undefined)) throw new Error(MODEL_NEEDED)
  if (model !== undefined && (typeof model !== 'string' || model === '')) throw new Error(MODEL_NEEDED)
  if (typeof scope !== 'function') {
    const why = "Callers with one scope are given each other's answers."
    throw new Error(`idempotency.scope must say who sends a key: scope: ({ context }) => context.userId. ${why}`)
  }
  if (typeof required !== 'boolean') throw new Error('idempotency.required must be true or false.')
  if (parsePositive('idempotency.expiresAfter', expiresAfter) > LONGEST) {
    throw new Error('idempotency.expiresAfter must be at most ten years, in milliseconds.')
  }
  parsePositive('idempotency.responseBytes', responseBytes)
  return { store: store ?? modelStore(model ?? ''), scope, required, expiresAfter, responseBytes }
}

/**
 * Refuses a model of keys that anybody can reach.
 * @throws Error that says how to hide it
 */
export function assertHidden({ model }: Pick<IdempotencyOptions, 'model'>, { resources }: IdempotentHandler): void {
  if (model === undefined || resources.every(({ delegate }) => delegate !== model)) return
  throw new Error(
    `idempotency.model: "${model}" is on the wire, so callers could read answers that were given to others. Write "/// @api.hidden" above the model.`,
  )
}
