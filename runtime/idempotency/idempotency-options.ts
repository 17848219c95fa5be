import type { Style } from '../http/telemetry.js'
import type { IdempotentHandler } from '../http/idempotency-types.js'
import { parsePositive, assertAllowedKeys } from '../option-checks.js'
import { modelStore } from './model-store.js'
import type { IdempotencyStore } from './idempotency-store.js'

/** The arguments of `scope`. `C` is the type of the app's `context`. */
export interface KeyScopeEvent<C> {
  /** The result of the adapter option `context`. */
  readonly context: C
  /** The request. Its body is already consumed. */
  readonly request: Request
  readonly style: Style
}

/** Options of `idempotency`. Either `model` or `store` is required. `C` is the type of the app's `context`. */
export interface IdempotencyOptions<C = unknown> {
  /**
   * The delegate of the model that stores keys, for example `idempotencyKey`. It needs `id String @id`, `fingerprint String`, `response
   * Bytes?` and `expiresAt DateTime`, and must be `@api.hidden`.
   */
  readonly model?: string
  /** A custom store for keys. */
  readonly store?: IdempotencyStore
  /**
   * Returns a string that identifies the caller. It must be the same for all requests of one caller, and differ between callers: an
   * identical request with the same scope and key receives the stored response.
   */
  readonly scope: (event: KeyScopeEvent<C>) => string | Promise<string>
  /** Whether POST, PATCH and PUT requests that write must have a key. Without one, they are rejected with a 400. Default: false. */
  readonly required?: boolean
  /** Lifetime of a key in milliseconds. Afterwards it can be used again. Default: 24 hours. */
  readonly expiresAfter?: number
  /**
   * Maximum size of a stored response in bytes, including its headers. A larger response is returned once. If the request is repeated, it
   * is rejected with a 409 and not executed again. Default: 1 MiB.
   */
  readonly responseBytes?: number
}

/** Checked {@link IdempotencyOptions} with defaults. */
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

/** Some databases cannot store later times. */
const LONGEST = 10 * 365 * DAY

const MODEL_NEEDED =
  'idempotency requires either model (the delegate of a model that stores keys, such as "idempotencyKey") or store.'

/**
 * Checks the options.
 * @throws Error if an option is invalid, with a description of valid values
 */
export function parseIdempotencyOptions<C>(options: IdempotencyOptions<C>): IdempotencySettings<C> {
  assertAllowedKeys('option of idempotency', options, OPTIONS)
  const { model, store, scope, required = false, expiresAfter = DAY, responseBytes = 1024 * 1024 } = options
  if ((model === undefined) === (store === undefined)) throw new Error(MODEL_NEEDED)
  if (model !== undefined && (typeof model !== 'string' || model === '')) throw new Error(MODEL_NEEDED)
  if (typeof scope !== 'function') {
    const why = "Callers with the same scope get each other's responses."
    throw new Error(`idempotency.scope must identify the caller: scope: ({ context }) => context.userId. ${why}`)
  }
  if (typeof required !== 'boolean') throw new Error('idempotency.required must be true or false.')
  if (parsePositive('idempotency.expiresAfter', expiresAfter) > LONGEST) {
    throw new Error('idempotency.expiresAfter must be at most ten years, in milliseconds.')
  }
  parsePositive('idempotency.responseBytes', responseBytes)
  return { store: store ?? modelStore(model ?? ''), scope, required, expiresAfter, responseBytes }
}

/**
 * Checks that the model that stores the keys is not exposed.
 * @throws Error that explains how to hide it
 */
export function assertHidden({ model }: Pick<IdempotencyOptions, 'model'>, { resources }: IdempotentHandler): void {
  if (model === undefined || resources.every(({ delegate }) => delegate !== model)) return
  throw new Error(
    `idempotency.model: "${model}" is exposed, so callers could read the responses of others. Add "/// @api.hidden" to the model.`,
  )
}
