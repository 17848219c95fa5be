import { classifyDatabaseError } from '../errors/database/classify-database-error.js'
import type { DatabaseErrorKind } from '../errors/database/database-error-kind.js'
import { RequestError } from '../errors/request-error.js'
import { baseClient } from '../prisma/internals.js'
import { isRetryable, retryOnConflict } from '../prisma/transactions/retry-on-conflict.js'
import { getIsolation, inTransaction } from '../prisma/transactions/transactions.js'
import { tryLock } from '../prisma/transactions/row-lock.js'
import { isObject } from '../values/is-object.js'
import type { IdempotencySettings, ClaimedKey } from './idempotency-options.js'
import { KEY_HEADER } from './parse-idempotency-key.js'

/** The result of executing a request. */
export interface Outcome {
  readonly response: Response
  /** Whether the requested change was made, regardless of the status. */
  readonly isDone: boolean
  /** The error of the database, or any other error. */
  readonly error: unknown
}

/** A request to execute at most once. */
export interface IdempotentRequest {
  /** The request's client, which uses the primary and is not in a transaction. */
  readonly client: object
  readonly key: ClaimedKey
  /** Prisma's name for the database. */
  readonly provider: string
  readonly settings: Pick<IdempotencySettings<never>, 'store' | 'responseBytes'>
  /** Executes the request with a client in a transaction. */
  execute(tx: unknown): Promise<Outcome>
}

/** Thrown if another request has the key, whether it has finished or is still running. */
class KeyTaken extends Error {
  constructor(readonly isRunning = false) {
    super()
  }
}

/** Thrown to roll back a transaction. */
class RolledBack extends Error {
  constructor(readonly response: Response) {
    super()
  }
}

/**
 * Maximum number of attempts to claim a key. A key may be taken when it is claimed but gone when it is looked up, because the other claim
 * was rolled back or has expired in the meantime.
 */
const MAX_CLAIMS = 5

/**
 * The pending claims of this process, by key. Each resolves to true if it obtained the key and its request is running. This is not a store:
 * it lets concurrent requests with the same key wait here instead of in the database, where each would hold a connection.
 */
const claims = new WeakMap<object, Map<string, Promise<boolean>>>()

/**
 * Executes a request. If a request with the same key was executed before, returns its response.
 * @throws RequestError if the key belongs to a different request, or its request is still running
 */
export async function executeIdempotent(request: IdempotentRequest): Promise<Response> {
  const base = baseClient(request.client)
  const pending = claims.get(base) ?? new Map<string, Promise<boolean>>()
  claims.set(base, pending)
  const { id } = request.key
  const pendingClaim = pending.get(id)
  if (pendingClaim) {
    const stored = (await pendingClaim) ? undefined : await findStored(request, base)
    if (stored instanceof Response) return stored
    throw keyInUseError()
  }
  let settleClaim = (_hasKey: boolean): void => undefined
  pending.set(id, new Promise((resolve) => (settleClaim = resolve)))
  try {
    for (let claim = 1; claim <= MAX_CLAIMS; claim++) {
      const result = await runIfClaimed(request, settleClaim)
      if (result instanceof Response) return result
      settleClaim(false)
      const stored = await findStored(request, base)
      if (stored instanceof Response) return stored
      if (result.isRunning) break
      if (stored) await request.settings.store.removeExpired(base, id, stored)
    }
    throw keyInUseError()
  } finally {
    pending.delete(id)
    settleClaim(false)
  }
}

/**
 * Finds the response of a request that has finished.
 * @returns the response, the current time if the key has expired, or undefined if the key is not stored
 * @throws RequestError if the key belongs to a different request, or its response was not stored
 */
async function findStored({ key, settings }: IdempotentRequest, base: object): Promise<Response | Date | undefined> {
  const found = await settings.store.find(base, key.id)
  if (!found) return undefined
  const now = new Date()
  if (found.expiresAt <= now) return now
  if (found.fingerprint !== key.fingerprint) throw keyReusedError()
  if (!found.response) throw responseNotStoredError()
  return replayResponse(found.response)
}

/**
 * Runs a request if its key is free.
 * @param settleClaim receives `true` once the request has the key
 * @returns the response, or the reason if another request has the key
 */
async function runIfClaimed(
  request: IdempotentRequest,
  settleClaim: (hasKey: boolean) => void,
): Promise<Response | KeyTaken> {
  const { client } = request
  let outcome: Outcome | undefined
  const attempt = async (tx: unknown): Promise<Response> => {
    outcome = undefined
    const base = baseClient(Object(tx))
    await claim(base, request)
    settleClaim(true)
    outcome = await request.execute(tx)
    // Thrown unchanged, so that it is recognized as retryable.
    if (isRetryable(classifyDatabaseError(outcome.error))) throw outcome.error
    if (outcome.response.status >= 400 && !outcome.isDone) throw new RolledBack(outcome.response)
    return storeResponse(outcome.response, base, request)
  }
  try {
    return await retryOnConflict(client, () => inTransaction(client, attempt, getIsolation(client)))
  } catch (error) {
    if (error instanceof KeyTaken) return error
    if (error instanceof RolledBack) return error.response
    if (outcome && error === outcome.error) return outcome.response
    throw error
  }
}

/** Errors that mean that a claim timed out while it waited for another transaction that has the key. */
const WAIT_ERRORS: readonly (DatabaseErrorKind | undefined)[] = [
  'lock-timeout',
  'statement-timeout',
  'transaction-timeout',
]

/** Claims the key until the transaction ends. */
async function claim(base: object, { key, provider, settings: { store } }: IdempotentRequest): Promise<void> {
  // Without this lock, concurrent requests would wait for the key's row, each holding a connection.
  if (provider === 'postgresql' && !(await tryLock(base, key.id))) throw new KeyTaken(true)
  let isClaimed: boolean
  try {
    isClaimed = await store.claim(base, key)
  } catch (error) {
    throw WAIT_ERRORS.includes(classifyDatabaseError(error)) ? new KeyTaken(true) : error
  }
  if (!isClaimed) throw new KeyTaken()
}

/** Stores a response with its key, and returns an equal response. */
async function storeResponse(
  response: Response,
  base: object,
  { key, settings }: IdempotentRequest,
): Promise<Response> {
  const body = new Uint8Array(await response.arrayBuffer())
  const encoded = encodeResponse(response, body)
  if (encoded.length <= settings.responseBytes) await settings.store.complete(base, key.id, encoded)
  return toResponse(body, response)
}

const source = { header: KEY_HEADER }

/** Creates the error for a key whose request is still running. */
function keyInUseError(): RequestError {
  const detail = 'A request with this key is still running. Retry later to get its response.'
  return new RequestError(
    { code: 'conflict', appCode: 'idempotency-key-in-use', detail, source },
    { 'Retry-After': '1' },
  )
}

/** Creates the error for a key that was sent with a different request. */
function keyReusedError(): RequestError {
  const detail = 'This key was sent with a different request. Use a new key for each change.'
  return new RequestError({ code: 'invalid-value', appCode: 'idempotency-key-reused', detail, source })
}

/** Creates the error for a request that was executed, but whose response was not stored. */
function responseNotStoredError(): RequestError {
  const detail = 'The request with this key succeeded, but its response was too long to store. Read the changed data.'
  return new RequestError({ code: 'conflict', appCode: 'idempotency-response-lost', detail, source })
}

/** The header that marks a repeated response. */
const REPLAYED = 'Idempotent-Replayed'

const LINE_END = 10

/** Encodes a response: a line of JSON with the status and headers, followed by the body. */
function encodeResponse({ status, headers }: Response, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${JSON.stringify({ status, headers: [...headers] })}\n`)
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}

/** Decodes a stored response and adds a header that marks it as repeated. */
function replayResponse(stored: Uint8Array): Response {
  const end = stored.indexOf(LINE_END)
  const head: unknown = JSON.parse(new TextDecoder().decode(stored.subarray(0, end)))
  if (!isObject(head) || typeof head['status'] !== 'number' || !Array.isArray(head['headers'])) {
    throw new Error('The value stored with an idempotency key is not a response.')
  }
  const { status, headers: sent } = head
  const headers = new Headers()
  for (const [name, value] of sent) headers.append(String(name), String(value))
  headers.set(REPLAYED, 'true')
  return toResponse(stored.slice(end + 1), { status, headers })
}

/** Creates a response from bytes. Without bytes it has no body, because some statuses do not allow one. */
function toResponse(body: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  return new Response(body.length > 0 ? body : null, init)
}
