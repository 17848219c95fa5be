import { classifyDatabaseError } from '../errors/database/classify-database-error.js'
import type { DatabaseErrorKind } from '../errors/database/database-error-kind.js'
import type { IdempotentHandler } from '../http/idempotency-types.js'
import type { Style } from '../http/telemetry.js'
import { parsePositive, assertAllowedKeys } from '../option-checks.js'
import { callClient, type PortRow } from '../prisma/call-client.js'

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

/**
 * Creates a store for keys in a model of the schema with the fields `id`, `fingerprint`, `response` and `expiresAt`.
 * @param delegate the name of the model's delegate: `idempotencyKey`
 */
function modelStore(delegate: string): IdempotencyStore {
  const model = { delegate }
  return {
    async claim(tx, { id, fingerprint, expiresAt }) {
      try {
        await callClient(tx, model, 'create', { data: { id, fingerprint, expiresAt }, select: { id: true } })
        return true
      } catch (error) {
        const kind = classifyDatabaseError(error)
        if (kind === 'unique-violation') return false
        // The caller cannot fix this, so it is a server error.
        throw UNFIT.includes(kind) ? new Error(needed(delegate), { cause: error }) : error
      }
    },
    async complete(tx, id, response) {
      const { count } = await callClient(tx, model, 'updateMany', { where: { id }, data: { response } })
      if (count !== 1) throw new Error(`The row of ${delegate} that was claimed no longer exists.`)
    },
    async find(client, id) {
      const row = await callClient(client, model, 'findUnique', { where: { id } })
      return row ? toStoredKey(row, delegate) : undefined
    },
    async removeExpired(client, id, now) {
      await callClient(client, model, 'deleteMany', { where: { id, expiresAt: { lte: now } } })
    },
  }
}

function toStoredKey({ id, fingerprint, expiresAt, response }: PortRow, delegate: string): StoredKey {
  const isKey = typeof id === 'string' && typeof fingerprint === 'string' && expiresAt instanceof Date
  if (isKey && (response === null || response instanceof Uint8Array)) return { id, fingerprint, expiresAt, response }
  throw new Error(needed(delegate))
}

/** Errors that occur if the model lacks one of these fields or has additional required fields. */
const UNFIT: readonly (DatabaseErrorKind | undefined)[] = ['bad-arguments', 'missing-argument', 'not-null-violation']

function needed(delegate: string): string {
  return `${delegate} cannot store keys. It needs: id String @id, fingerprint String, response Bytes?, expiresAt DateTime.`
}

/** A claimed key, as a store saves it. */
export interface ClaimedKey {
  /** A hash of the caller's scope and the key: 64 hexadecimal digits in lower case. */
  readonly id: string
  /** A hash of the request in the same format. */
  readonly fingerprint: string
  /** The time after which the key may be claimed again. */
  readonly expiresAt: Date
}

/** A key with the response of its request. */
export interface StoredKey extends ClaimedKey {
  /** Null if the response was too large to store. */
  readonly response: Uint8Array | null
}

/**
 * The storage of keys. The option `model` uses a model of the schema; an app can provide a custom store. Each method receives the request's
 * client without policies, hooks and other extensions. It must write with that client, because other writes are not rolled back if the
 * request fails.
 */
export interface IdempotencyStore {
  /**
   * Inserts a key if it does not exist. Called first in the transaction of the write, with the client of that transaction, so that the key
   * is removed if the write is rolled back.
   * @returns false if the key exists
   */
  claim(tx: unknown, key: ClaimedKey): Promise<boolean>
  /** Stores the response with a claimed key. Called last in the same transaction. */
  complete(tx: unknown, id: string, response: Uint8Array): Promise<void>
  /** Finds a key that was claimed by another transaction. */
  find(client: unknown, id: string): Promise<StoredKey | undefined>
  /** Removes a key if it has expired at the given time. */
  removeExpired(client: unknown, id: string, now: Date): Promise<void>
}
