import type { Tree } from './tree.js'

/** A model's delegate, as far as the layer calls it. */
export interface Delegate {
  findFirst(args: Tree): Promise<Record<string, unknown> | null>
  findMany(args: Tree): Promise<Record<string, unknown>[]>
  count(args: Tree): Promise<number>
  create(args: Tree): Promise<Record<string, unknown>>
  update(args: Tree): Promise<Record<string, unknown>>
  updateMany(args: Tree): Promise<{ count: number }>
  delete(args: Tree): Promise<unknown>
  deleteMany(args: Tree): Promise<{ count: number }>
  /** Not on every database. */
  readonly createManyAndReturn?: (args: Tree) => Promise<Record<string, unknown>[]>
}

/** A client below the policy layer: it sees every row. */
export interface BaseClient {
  delegate(name: string): Delegate
}

/** Calls an operation by its name. */
export function callOperation(client: BaseClient, delegate: string, operation: string, args: Tree): Promise<unknown> {
  const operations = client.delegate(delegate) as unknown as Readonly<
    Record<string, ((args: Tree) => Promise<unknown>) | undefined>
  >
  const run = operations[operation]
  if (!run) throw new Error(`The client has no "${operation}".`)
  return run(args)
}

/** What Prisma tells an extension of the transaction that a call belongs to. */
export interface Transaction {
  readonly kind: 'itx' | 'batch'
  readonly id: unknown
}

/** A client below the policy layer that is in no transaction yet. */
export interface RootClient extends BaseClient {
  /** The same client inside a transaction that is open already. */
  inside(transaction: Transaction): BaseClient
  /**
   * Runs work in a transaction of its own, or in a part of one that is open already: where the work fails, nothing of it is left.
   * Not every driver adapter has savepoints; without them, it is the whole transaction that has to be rolled back.
   */
  transaction<R>(work: (client: BaseClient) => Promise<R>, open?: Transaction): Promise<R>
  /** Runs what writes in an open transaction, after whatever writes there already: a savepoint holds what came between. */
  inTurn<R>(open: Transaction, write: () => Promise<R>): Promise<R>
}

type Callback = (client: object) => Promise<unknown>

/** What the layer needs of a client, beside its delegates. The second is none of Prisma's documented members. */
interface PrismaLike {
  $transaction?(work: Callback): Promise<unknown>
  _createItxClient?(transaction: Transaction, scope: string, state: { readonly stack: string[] }): PrismaLike
}

const known = new WeakMap<object, RootClient>()

/** Reads the client that an extension is given: once, for the same one is extended for each request. */
export function rootClient(prisma: object): RootClient {
  const client = known.get(prisma) ?? readClient(prisma)
  known.set(prisma, client)
  return client
}

function readClient(prisma: object): RootClient {
  const client = prisma as PrismaLike
  const turns = new Map<unknown, Promise<unknown>>()
  const inside = (transaction: Transaction): PrismaLike => {
    if (typeof client._createItxClient !== 'function') {
      throw new Error('This version of Prisma does not let access policies be enforced inside an open transaction.')
    }
    const scope = crypto.randomUUID()
    return client._createItxClient(transaction, scope, { stack: [scope] })
  }
  const inTurn = async <R>(open: Transaction, write: () => Promise<R>): Promise<R> => {
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
    ...baseClient(prisma),
    inside: (transaction) => baseClient(inside(transaction)),
    inTurn,
    transaction(work, open) {
      if (!open) return transact(client, work)
      return inTurn(open, () => {
        const nested = inside(open)
        return transact(nested, work, () => work(baseClient(nested)))
      })
    },
  }
}

/**
 * Runs work in a transaction.
 * @param otherwise what to do where none can be begun
 */
async function transact<R>(
  client: PrismaLike,
  work: (client: BaseClient) => Promise<R>,
  otherwise?: () => Promise<R>,
): Promise<R> {
  const done: { work?: Promise<R> } = {}
  try {
    await client.$transaction?.((open) => (done.work = work(baseClient(open))))
  } catch (error) {
    if (done.work || !otherwise) throw error
  }
  if (done.work) return done.work
  if (otherwise) return otherwise()
  throw new Error('The client has no "$transaction".')
}

function baseClient(prisma: object): BaseClient {
  const delegates = prisma as Readonly<Record<string, Delegate | undefined>>
  return {
    delegate(name) {
      const delegate = delegates[name]
      if (!delegate) throw new Error(`The client has no "${name}": it was generated from another schema.`)
      return delegate
    },
  }
}
