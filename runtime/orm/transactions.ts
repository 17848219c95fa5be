/** What a client tells of the transaction that a call belongs to. */
export interface OpenTransaction {
  /** One that the app holds open, or one that a list of calls was given to. */
  readonly kind: 'itx' | 'batch'
  readonly id: unknown
}

/** Transactions on a client that is in none yet. The clients that it gives see every row: policies are not on them. */
export interface Transactions {
  /** The client itself. */
  readonly client: object
  /** The same client inside a transaction that is open already. */
  inside(transaction: OpenTransaction): object
  /**
   * Runs work in a transaction of its own, or in a part of one that is open already: where the work fails, nothing of it is left.
   * Not every driver adapter has savepoints; without them, it is the whole transaction that has to be rolled back.
   */
  transaction<R>(work: (client: object) => Promise<R>, open?: OpenTransaction): Promise<R>
  /** Runs what writes in an open transaction, after whatever writes there already: a savepoint holds what came between. */
  inTurn<R>(open: OpenTransaction, write: () => Promise<R>): Promise<R>
}

/** The last of those that write in each open transaction, by its id. */
export type WriteQueue = Map<unknown, Promise<unknown>>

type Callback = (client: object) => Promise<unknown>

/** What of a client makes transactions. All but the first are none of Prisma's documented members. */
interface PrismaLike {
  $transaction?(work: Callback, options?: object): Promise<unknown>
  _createItxClient?(transaction: OpenTransaction, scope: string, state: { readonly stack: string[] }): PrismaLike
  readonly _appliedParent?: PrismaLike
  readonly _activeProvider?: string
  readonly _engineConfig?: { readonly transactionOptions?: { readonly isolationLevel?: string } }
}

/**
 * Whether a client is one inside a transaction of the app's own, as `Prisma.TransactionClient` is: a client without `$connect`.
 * True of what is no client too: nothing is known of it.
 */
export function isInTransaction(client: unknown): boolean {
  return typeof client !== 'object' || client === null || !('$connect' in client) || !client.$connect
}

const known = new WeakMap<object, Transactions>()

/** The transactions of a client. The same for the same one: a client is extended for each request. */
export function getTransactions(client: object): Transactions {
  const transactions = known.get(client) ?? readClient(client)
  known.set(client, transactions)
  return transactions
}

/** Creates the transactions of a client whose writes wait for each other in the same open transaction. */
export function serializedTransactions(client: object, turns: WriteQueue): Transactions {
  return readClient(client, turns)
}

function readClient(client: PrismaLike, turns: WriteQueue = new Map()): Transactions {
  const inside = (transaction: OpenTransaction): PrismaLike => {
    if (typeof client._createItxClient !== 'function') {
      throw new Error('This version of Prisma does not let access policies be enforced inside an open transaction.')
    }
    const scope = crypto.randomUUID()
    return client._createItxClient(transaction, scope, { stack: [scope] })
  }
  const inTurn = async <R>(open: OpenTransaction, write: () => Promise<R>): Promise<R> => {
    const before = turns.get(open.id)
    const turn = before ? before.then(write, write) : write()
    turns.set(open.id, turn)
    try {
      return await turn
    } finally {
      if (turns.get(open.id) === turn) turns.delete(open.id)
    }
  }
  return {
    client,
    inside,
    inTurn,
    transaction(work, open) {
      if (!open) return transact(client, work, undefined, getIsolation(client))
      return inTurn(open, () => {
        const nested = inside(open)
        return transact(nested, work, () => work(nested))
      })
    },
  }
}

/**
 * The isolation level of the runtime's transactions, in which a read sees the rows that the transaction has locked: READ COMMITTED on MySQL,
 * which otherwise shows the rows as they were at the first query.
 * @returns undefined if the database's default is enough, or the client is set to a stricter one
 */
export function getIsolation({ _activeProvider, _engineConfig }: PrismaLike): string | undefined {
  const isStricter = _engineConfig?.transactionOptions?.isolationLevel === 'Serializable'
  return _activeProvider === 'mysql' && !isStricter ? 'ReadCommitted' : undefined
}

/**
 * Runs work in a transaction: in the one that the client is in, or in one of its own.
 * @param isolationLevel of one of its own, in Prisma's words. Default: the client's
 */
export async function inTransaction<R>(
  client: unknown,
  work: (inside: unknown) => Promise<R>,
  isolationLevel?: string,
): Promise<R> {
  if (typeof client !== 'object' || client === null || isInTransaction(client)) return work(client)
  return transact(client, work, undefined, isolationLevel)
}

/**
 * Runs work in a transaction.
 * @param otherwise what to do where none can be begun
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
 * The client that an extension was put on, in the same transaction.
 * @throws Error where the client does not tell
 */
export function parentClient(client: PrismaLike): object {
  const parent = client._appliedParent
  if (parent) return parent
  throw new Error('This version of Prisma does not let hooks be called around writes.')
}
