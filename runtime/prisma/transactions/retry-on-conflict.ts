import { classifyDatabaseError } from '../../errors/database/classify-database-error.js'
import type { DatabaseErrorKind } from '../../errors/database/database-error-kind.js'
import type { RequestError } from '../../errors/request-error.js'
import { violatesUnique } from '../../errors/database/violated-fields.js'
import type { Model } from '../../schema/model.js'
import { hasQueryExtensions } from '../internals.js'
import { isInTransaction, getIsolation, inTransaction } from './transactions.js'

type Attempts = ReadonlyMap<DatabaseErrorKind | undefined, number>

/**
 * Errors after which the database has rolled back everything, with the maximum number of attempts. They can occur again in each attempt.
 */
const CONFLICTS: Attempts = new Map<DatabaseErrorKind, number>([
  ['write-conflict', 8],
  ['busy', 8],
])

/**
 * Errors that concurrent requests can cause between a read and a write. The next read sees that the row was created or deleted. If the
 * error occurs again, it has a different cause.
 */
const ATTEMPTS: Attempts = new Map<DatabaseErrorKind | undefined, number>([
  ['unique-violation', 3],
  ['not-found', 3],
  ...CONFLICTS,
])

/** Whether an error is a conflict with concurrent requests after which the database has rolled back everything. */
export function isRetryable(kind: DatabaseErrorKind | undefined): boolean {
  return CONFLICTS.has(kind)
}

/**
 * Maximum duration in milliseconds of a call that is retried because the database was busy. A longer call is not retried, because the
 * driver itself has already waited for the lock.
 */
const MAX_BUSY_TIME = 250

/** Maximum pause before the second attempt in milliseconds. It doubles with each attempt, up to `MAX_PAUSE`. */
const FIRST_PAUSE = 20
const MAX_PAUSE = 500

/** Conflicts that must not be retried by an enclosing retry. Otherwise nested retries would multiply the attempts. */
const final = new WeakSet<object>()

/**
 * Retries an upsert if a concurrent request created or deleted its row in between. An error with a different cause occurs again in each
 * attempt and is finally thrown. Calls inside a transaction of the app are not retried: a failed write may have left changes there, or
 * ended the transaction. With query extensions of the app, an upsert is only retried if its create violated the unique criterion of its
 * `where`. It has then written nothing, and the next attempt is an update.
 * @param orm the client of the write
 * @param write one whole attempt
 */
export async function retryOnRace<R>(
  orm: unknown,
  model: Model,
  { where }: { readonly where: object },
  write: () => PromiseLike<R>,
): Promise<R> {
  if (isInTransaction(orm)) return write()
  const isFinal = (error: unknown) => hasQueryExtensions(orm) && !violatesUnique(error, model, where)
  return runWithRetries(write, { attempts: ATTEMPTS, start: Date.now(), isFinal })
}

/**
 * Like {@link retryOnRace}, for a write in a transaction of the runtime that locks the rows it reads. No other write can interfere, but two
 * such writes may deadlock.
 * @param isFinal whether an attempt may have effects that the database does not roll back. Default: whether the client has query extensions
 * of the app
 */
export async function retryOnConflict<R>(
  orm: unknown,
  write: () => PromiseLike<R>,
  isFinal = () => hasQueryExtensions(orm),
): Promise<R> {
  return isInTransaction(orm) ? write() : runWithRetries(write, { attempts: CONFLICTS, start: Date.now(), isFinal })
}

/**
 * Retries a failed call if the cause is a deadlock or a serialization failure, after which the database has rolled back everything. A
 * successful call has no overhead. With query extensions of the app, the call is not retried, because an extension may have failed after
 * the call itself had succeeded.
 * @param error the error that the call threw
 * @param orm the client of the call
 * @param call runs the call again
 * @param start the time of the first call, as returned by `Date.now()`
 * @throws the error if it has a different cause or if the call may have had effects
 */
export async function retryCallOnConflict<R>(
  error: unknown,
  orm: unknown,
  call: () => PromiseLike<R>,
  start: number,
): Promise<R> {
  if (isInTransaction(orm)) throw error
  const rules: RetryRules = { attempts: CONFLICTS, start, isFinal: () => hasQueryExtensions(orm) }
  if (!(await shouldRetry(error, 1, rules))) throw error
  return runWithRetries(call, rules, 2)
}

/** The conditions of a retry. */
interface RetryRules {
  readonly attempts: Attempts
  /** The start time of the first attempt. */
  readonly start: number
  /** Whether a failed attempt may have effects that the database does not roll back. */
  readonly isFinal: (error: unknown) => boolean
}

async function runWithRetries<R>(write: () => PromiseLike<R>, rules: RetryRules, first = 1): Promise<R> {
  for (let attempt = first; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (!(await shouldRetry(error, attempt, rules))) throw error
    }
  }
}

/** Whether to retry a failed write. Pauses for a random time before it returns true, so that conflicting writes do not collide again. */
async function shouldRetry(
  error: unknown,
  attempt: number,
  { attempts, start, isFinal }: RetryRules,
): Promise<boolean> {
  const kind = classifyDatabaseError(error)
  const hasAttempts = attempt < (attempts.get(kind) ?? 1)
  if (!CONFLICTS.has(kind) || typeof error !== 'object' || error === null) return hasAttempts && !isFinal(error)
  const isTooLate = kind === 'busy' && Date.now() - start > MAX_BUSY_TIME
  if (!hasAttempts || isTooLate || final.has(error) || isFinal(error)) {
    final.add(error)
    return false
  }
  const maxPause = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), MAX_PAUSE)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * maxPause))
  return true
}

/** One of several operations that run in one transaction. */
export interface Step<R> {
  /**
   * Runs the operation.
   * @param orm the client inside the transaction
   * @param before the results of the previous steps
   */
  run(orm: unknown, before: readonly R[]): Promise<R>
  /** Finds a more specific error for a failure, while the transaction is still open. */
  explain(error: unknown): Promise<unknown>
  /** Adds the position of the step to its error. */
  locate(error: unknown): RequestError
}

/**
 * Runs steps one after the other in one transaction. If concurrent requests cause the database to roll it back, all steps are retried. See
 * {@link retryOnConflict}.
 * @param orm the client; if it is inside a transaction, the steps run in that transaction
 * @param combine converts the results of the steps; if it fails, the transaction is rolled back
 * @throws the located error of a step, or the error of the transaction itself
 */
export async function runStepsInTransaction<R, A>(
  orm: unknown,
  steps: readonly Step<R>[],
  combine: (results: readonly R[]) => A,
): Promise<A> {
  const progress: Progress<R> = { step: undefined }
  const attempt = async (tx: unknown) => combine(await runSteps(tx, steps, progress))
  try {
    return await retryOnConflict(orm, () => {
      progress.step = undefined
      return inTransaction(orm, attempt, getIsolation(Object(orm)))
    })
  } catch (error) {
    throw progress.step ? progress.step.locate(error) : error
  }
}

/** The current step. Undefined before the first step and after the last. */
interface Progress<R> {
  step: Step<R> | undefined
}

async function runSteps<R>(orm: unknown, steps: readonly Step<R>[], progress: Progress<R>): Promise<R[]> {
  const results: R[] = []
  for (const step of steps) {
    progress.step = step
    try {
      results.push(await step.run(orm, results))
    } catch (error) {
      // A retryable error must not be replaced, because it would no longer be recognized.
      throw isRetryable(classifyDatabaseError(error)) ? error : await step.explain(error)
    }
  }
  // Errors from here on do not belong to a step.
  progress.step = undefined
  return results
}
