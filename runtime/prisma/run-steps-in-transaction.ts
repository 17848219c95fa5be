import { classifyDatabaseError } from '../errors/classify-database-error.js'
import type { RequestError } from '../errors/request-error.js'
import { isRetryable, retryOnConflict } from './retry-on-conflict.js'
import { getIsolation, inTransaction } from './transactions.js'

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
