import { classifyDatabaseError } from '../errors/database-error.js'
import type { RequestError } from '../errors/request-error.js'
import { isRetryable, retryOnConflict } from './retry.js'
import { getIsolation, inTransaction } from './transactions.js'

/** One of several things that are done in one transaction, or not at all. */
export interface Step<R> {
  /**
   * Does it.
   * @param orm the client inside the transaction
   * @param before what those before it gave
   */
  run(orm: unknown, before: readonly R[]): Promise<R>
  /** What is known of its failure, as long as the transaction is open. */
  explain(error: unknown): Promise<unknown>
  /** Says which of them it was that failed. */
  locate(error: unknown): RequestError
}

/**
 * Does some things one after the other in one transaction: all of them, or nothing. Where other requests made the database undo it, all is
 * done again, as {@link retryConflicts} says.
 * @param orm the client; where it is inside a transaction already, they are a part of that one
 * @param end makes something of what each of them gave; where that fails, nothing is done
 * @throws what one of them is answered with, and what the transaction itself failed with
 */
export async function runInTransaction<R, A>(
  orm: unknown,
  steps: readonly Step<R>[],
  end: (results: readonly R[]) => A,
): Promise<A> {
  const progress: Progress<R> = { at: undefined }
  const attempt = async (inside: unknown) => end(await inOrder(inside, steps, progress))
  try {
    return await retryOnConflict(orm, () => {
      progress.at = undefined
      return inTransaction(orm, attempt, getIsolation(Object(orm)))
    })
  } catch (error) {
    throw progress.at ? progress.at.locate(error) : error
  }
}

/** What is being done; undefined before the first step and after the last. */
interface Progress<R> {
  at: Step<R> | undefined
}

async function inOrder<R>(orm: unknown, steps: readonly Step<R>[], progress: Progress<R>): Promise<R[]> {
  const results: R[] = []
  for (const step of steps) {
    progress.at = step
    try {
      results.push(await step.run(orm, results))
    } catch (error) {
      // Another error in its place would not be known as a reason to do all of it again.
      throw isRetryable(classifyDatabaseError(error)) ? error : await step.explain(error)
    }
  }
  // What fails now is the end.
  progress.at = undefined
  return results
}
