import { type DatabaseErrorKind, classifyDatabaseError } from '../errors/database-error.js'
import { baseClient } from '../orm/base-client.js'
import { isRetryable, retryOnConflict } from '../orm/retry.js'
import { getIsolation, inTransaction } from '../orm/transactions.js'
import { tryLock } from '../orm/try-lock.js'
import { encodeResponse, replayResponse, toResponse } from './stored-response.js'
import type { IdempotencySettings } from './options.js'
import { responseNotStoredError, keyInUseError, keyReusedError } from './errors.js'
import type { ClaimedKey } from './store.js'

/** What a request was answered with. */
export interface Outcome {
  readonly response: Response
  /** Whether what it asked for was done, whatever the status says. */
  readonly isDone: boolean
  /** What the database failed with, or another failure. */
  readonly error: unknown
}

/** A request that is to be carried out once. */
export interface OnceRequest {
  /** The request's client: of the primary, and in no transaction. */
  readonly client: object
  readonly key: ClaimedKey
  /** Prisma's name of the database. */
  readonly provider: string
  readonly settings: Pick<IdempotencySettings<never>, 'store' | 'responseBytes'>
  /** Carries it out with a client in a transaction. */
  carryOut(inside: unknown): Promise<Outcome>
}

/** Another request has the key. It has finished, or it is still running. */
class Taken extends Error {
  constructor(readonly isRunning = false) {
    super()
  }
}

/** Ends a transaction of which nothing is to be left. */
class Undone extends Error {
  constructor(readonly response: Response) {
    super()
  }
}

/** How often a key is claimed that is neither free nor to be found: another one was undone, or expired, meanwhile. */
const CLAIMS = 5

/**
 * The claims of this process, by key. Each resolves to whether it got the key, so that its request is running. This is not a store: requests
 * with the key of a pending claim wait for it here, instead of each waiting in the database with a connection.
 */
const claims = new WeakMap<object, Map<string, Promise<boolean>>>()

/**
 * Carries a request out, unless one with the same key was: then that one's answer is given.
 * @throws RequestError where the key belongs to another request, or one with it is being carried out
 */
export async function runOnce(work: OnceRequest): Promise<Response> {
  const plain = baseClient(work.client)
  const pending = claims.get(plain) ?? new Map<string, Promise<boolean>>()
  claims.set(plain, pending)
  const { id } = work.key
  const other = pending.get(id)
  if (other) {
    const stored = (await other) ? undefined : await findStored(work, plain)
    if (stored instanceof Response) return stored
    throw keyInUseError()
  }
  let settle = (_hasKey: boolean): void => undefined
  pending.set(id, new Promise((resolve) => (settle = resolve)))
  try {
    for (let claim = 1; claim <= CLAIMS; claim++) {
      const result = await claimed(work, settle)
      if (result instanceof Response) return result
      settle(false)
      const stored = await findStored(work, plain)
      if (stored instanceof Response) return stored
      if (result.isRunning) break
      if (stored) await work.settings.store.removeExpired(plain, id, stored)
    }
    throw keyInUseError()
  } finally {
    pending.delete(id)
    settle(false)
  }
}

/**
 * Finds the response of a request that has finished.
 * @returns the response, the current time if the key has expired, or undefined if the key is not stored
 * @throws RequestError if the key belongs to another request, or its response was not stored
 */
async function findStored({ key, settings }: OnceRequest, plain: object): Promise<Response | Date | undefined> {
  const found = await settings.store.find(plain, key.id)
  if (!found) return undefined
  const now = new Date()
  if (found.expiresAt <= now) return now
  if (found.fingerprint !== key.fingerprint) throw keyReusedError()
  if (!found.answer) throw responseNotStoredError()
  return replayResponse(found.answer)
}

/**
 * Runs a request if its key is free.
 * @param settle receives `true` once the request has the key
 * @returns the reason if another request has the key
 */
async function claimed(work: OnceRequest, settle: (hasKey: boolean) => void): Promise<Response | Taken> {
  const { client } = work
  let last: Outcome | undefined
  const attempt = async (inside: unknown): Promise<Response> => {
    last = undefined
    const plain = baseClient(Object(inside))
    await claim(plain, work)
    settle(true)
    last = await work.carryOut(inside)
    // Thrown as it came, to be known as a reason to do all of it again.
    if (isRetryable(classifyDatabaseError(last.error))) throw last.error
    if (last.response.status >= 400 && !last.isDone) throw new Undone(last.response)
    return kept(last.response, plain, work)
  }
  try {
    return await retryOnConflict(client, () => inTransaction(client, attempt, getIsolation(client)))
  } catch (error) {
    if (error instanceof Taken) return error
    if (error instanceof Undone) return error.response
    if (last && error === last.error) return last.response
    throw error
  }
}

/** What it means that a claim fails: another one holds the key, and it took too long to wait for that. */
const WAITED: readonly (DatabaseErrorKind | undefined)[] = ['lock-timeout', 'statement-timeout', 'transaction-timeout']

/** Takes the key, so that nobody else can until the transaction ends. */
async function claim(plain: object, { key, provider, settings: { store } }: OnceRequest): Promise<void> {
  // Without it, the key's row is what the others wait for, each with a connection.
  if (provider === 'postgresql' && !(await tryLock(plain, key.id))) throw new Taken(true)
  let isFree: boolean
  try {
    isFree = await store.claim(plain, key)
  } catch (error) {
    throw WAITED.includes(classifyDatabaseError(error)) ? new Taken(true) : error
  }
  if (!isFree) throw new Taken()
}

/** Keeps an answer with its key, and gives the same. */
async function kept(response: Response, plain: object, { key, settings }: OnceRequest): Promise<Response> {
  const body = new Uint8Array(await response.arrayBuffer())
  const answer = encodeResponse(response, body)
  if (answer.length <= settings.responseBytes) await settings.store.complete(plain, key.id, answer)
  return toResponse(body, response)
}
