import { clientInTransaction, type OpenTransaction, parentOf, providerOf, transactionOptionsOf } from '../internals.js'

/** Transactions on a client that is not in a transaction. Their clients see all rows, because policies do not apply to them. */
export interface Transactions {
  /** The client itself. */
  readonly client: object
  /** Returns the client inside an existing transaction. */
  clientIn(transaction: OpenTransaction): object
  /**
   * Runs work in a new transaction, or in a savepoint of an existing one, and rolls it back if the work fails. Not every driver adapter
   * supports savepoints. Without them, the whole transaction must be rolled back.
   */
  transaction<R>(work: (client: object) => Promise<R>, open?: OpenTransaction): Promise<R>
  /** Runs a write in an open transaction after all writes that already run in it, because a savepoint includes all concurrent changes. */
  enqueue<R>(open: OpenTransaction, write: () => Promise<R>): Promise<R>
}

/** The last write in each open transaction, by transaction id. */
export type WriteQueue = Map<unknown, Promise<unknown>>

type Callback = (client: object) => Promise<unknown>

/** A client that may be able to start transactions. */
interface PrismaLike {
  $transaction?(work: Callback, options?: object): Promise<unknown>
}

/**
 * Whether a client is inside a transaction of the app, like `Prisma.TransactionClient`: a client without `$connect`. Also true for values
 * that are not a client.
 */
export function isInTransaction(client: unknown): boolean {
  return typeof client !== 'object' || client === null || !('$connect' in client) || !client.$connect
}

const transactionsCache = new WeakMap<object, Transactions>()

/** Returns the transactions of a client. Cached per client, because the same client is extended for each request. */
export function getTransactions(client: object): Transactions {
  const transactions = transactionsCache.get(client) ?? readClient(client)
  transactionsCache.set(client, transactions)
  return transactions
}

/** Creates the transactions of a client. Writes with the same queue and in the same open transaction wait for each other. */
export function serializedTransactions(client: object, queue: WriteQueue): Transactions {
  return readClient(client, queue)
}

function readClient(client: PrismaLike, queue: WriteQueue = new Map()): Transactions {
  const clientIn = (transaction: OpenTransaction) => clientInTransaction(client, transaction)
  const enqueue = async <R>(open: OpenTransaction, write: () => Promise<R>): Promise<R> => {
    const before = queue.get(open.id)
    const queued = before ? before.then(write, write) : write()
    queue.set(open.id, queued)
    try {
      return await queued
    } finally {
      if (queue.get(open.id) === queued) queue.delete(open.id)
    }
  }
  return {
    client,
    clientIn,
    enqueue,
    transaction(work, open) {
      if (!open) return transact(client, work, undefined, getIsolation(client))
      return enqueue(open, () => {
        const nested = clientIn(open)
        return transact(nested, work, () => work(nested))
      })
    },
  }
}

/**
 * Returns the isolation level of the runtime's transactions. A read must see the rows that the transaction has locked. This needs READ
 * COMMITTED on MySQL, which otherwise returns the rows as of the transaction's first query.
 * @returns undefined if the database's default is sufficient, or if the client is set to a stricter level
 */
export function getIsolation(client: object): string | undefined {
  const isStricter = transactionOptionsOf(client).isolationLevel === 'Serializable'
  return providerOf(client) === 'mysql' && !isStricter ? 'ReadCommitted' : undefined
}

/**
 * Runs work in the client's transaction, or in a new one if the client is not in a transaction.
 * @param isolationLevel the level of a new transaction, in Prisma's terms. Default: the client's
 */
export async function inTransaction<R>(
  client: unknown,
  work: (tx: unknown) => Promise<R>,
  isolationLevel?: string,
): Promise<R> {
  if (typeof client !== 'object' || client === null || isInTransaction(client)) return work(client)
  return transact(client, work, undefined, isolationLevel)
}

/**
 * Runs work in a transaction.
 * @param otherwise runs instead if no transaction can be started
 */
async function transact<R>(
  client: PrismaLike,
  work: (client: object) => Promise<R>,
  otherwise?: () => Promise<R>,
  isolationLevel?: string,
): Promise<R> {
  const done: { work?: Promise<R> } = {}
  try {
    const callback: Callback = (open) => (done.work = work(open))
    await (isolationLevel ? client.$transaction?.(callback, { isolationLevel }) : client.$transaction?.(callback))
  } catch (error) {
    if (done.work || !otherwise) throw error
  }
  if (done.work) return done.work
  if (otherwise) return otherwise()
  throw new Error('The client has no "$transaction".')
}

/**
 * Returns the client without its last extension, in the same transaction.
 * @throws Error if the version of Prisma does not support it
 */
export function parentClient(client: object): object {
  const parent = parentOf(client)
  if (parent) return parent
  throw new Error('This version of Prisma does not support hooks around writes.')
}
