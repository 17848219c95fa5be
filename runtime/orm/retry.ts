import { type DatabaseErrorKind, classifyDatabaseError } from '../errors/database-error.js'
import { violatesUnique } from '../errors/violated-unique.js'
import type { Model } from '../schema/schema.js'
import { hasQueryExtensions } from './query-extensions.js'
import { isInTransaction } from './transactions.js'

type Attempts = ReadonlyMap<DatabaseErrorKind | undefined, number>

/** Errors after which the database has rolled back everything, with the number of attempts. They can occur again in each attempt. */
const CONFLICTS: Attempts = new Map<DatabaseErrorKind, number>([
  ['write-conflict', 8],
  ['busy', 8],
])

/**
 * Errors that concurrent requests can cause between a read and a write. The row was created or deleted, which the next read sees, so an error
 * that occurs again has another cause.
 */
const ATTEMPTS: Attempts = new Map<DatabaseErrorKind | undefined, number>([
  ['unique-violation', 3],
  ['not-found', 3],
  ...CONFLICTS,
])

/** Whether a fault is one of those that pass: the database has undone all, because of what others did at the same time. */
export function isRetryable(fault: DatabaseErrorKind | undefined): boolean {
  return CONFLICTS.has(fault)
}

/** How long a database may have been busy, in milliseconds: a driver that waits by itself is not made to wait again. */
const LONGEST_BUSY = 250

/** The longest pause before the second attempt, and before any, in milliseconds. */
const FIRST_PAUSE = 20
const LONGEST_PAUSE = 500

/** Conflicts that are thrown for good: calls that make each other again must not multiply their attempts. */
const final = new WeakSet<object>()

/**
 * Retries an upsert if a concurrent request created or deleted its row in between. An error with another cause occurs again in each attempt,
 * and is thrown in the end. Calls inside a transaction of the app are not retried: a failed write may have left changes there, or ended the
 * transaction. With query extensions of the app, an upsert is only retried if its create violated the unique criterion of its `where`: it has
 * written nothing, and the next attempt is an update.
 * @param orm the client that the write is made with
 * @param args the upsert's arguments
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
  return again(write, { attempts: ATTEMPTS, began: Date.now(), isFinal })
}

/**
 * As {@link retryOnRace}, for a write in a transaction of the runtime that locks the rows it reads. No other write comes in between, but
 * two such writes may wait for each other.
 * @param isFinal whether an attempt may have done more than the database undoes. Default: where code of the app's own stands around it
 */
export async function retryOnConflict<R>(
  orm: unknown,
  write: () => PromiseLike<R>,
  isFinal = () => hasQueryExtensions(orm),
): Promise<R> {
  return isInTransaction(orm) ? write() : again(write, { attempts: CONFLICTS, began: Date.now(), isFinal })
}

/**
 * Makes a call again that has failed, if a deadlock or a failure of serialization is why: the database has undone all of it. A call
 * that succeeds costs nothing this way. Code of the app's own around the call may have failed so after the call was done: where there
 * is some, nothing is made again.
 * @param error what the call threw
 * @param orm the client that it was made with
 * @param call makes it again
 * @param began when it was made first, as `Date.now()` tells
 * @throws the error, where it is another one, and where it is not known that nothing was done
 */
export async function retryCallOnConflict<R>(
  error: unknown,
  orm: unknown,
  call: () => PromiseLike<R>,
  began: number,
): Promise<R> {
  if (isInTransaction(orm)) throw error
  const tries: Tries = { attempts: CONFLICTS, began, isFinal: () => hasQueryExtensions(orm) }
  if (!(await isWorthIt(error, 1, tries))) throw error
  return again(call, tries, 2)
}

/** How often something is tried. */
interface Tries {
  readonly attempts: Attempts
  /** When the first attempt began. */
  readonly began: number
  /** Whether a failed attempt may have effects that the database does not roll back. */
  readonly isFinal: (error: unknown) => boolean
}

async function again<R>(write: () => PromiseLike<R>, tries: Tries, first = 1): Promise<R> {
  for (let attempt = first; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (!(await isWorthIt(error, attempt, tries))) throw error
    }
  }
}

/** Whether a write that has failed is to be made again. Waits until then: those that met are not to meet again. */
async function isWorthIt(error: unknown, attempt: number, { attempts, began, isFinal }: Tries): Promise<boolean> {
  const fault = classifyDatabaseError(error)
  const isMore = attempt < (attempts.get(fault) ?? 1)
  if (!CONFLICTS.has(fault) || typeof error !== 'object' || error === null) return isMore && !isFinal(error)
  const isLate = fault === 'busy' && Date.now() - began > LONGEST_BUSY
  if (!isMore || isLate || final.has(error) || isFinal(error)) {
    final.add(error)
    return false
  }
  const longest = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * longest))
  return true
}
