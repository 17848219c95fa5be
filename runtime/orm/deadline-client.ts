import { INNER_EXTENSION, PROVIDER } from './client-port.js'
import { getPrimary, withReplicas } from './primary.js'
import { INTERNAL_EXTENSION } from './query-extensions.js'
import { isInTransaction } from './transactions.js'

/** What the queries of a request have to know of its time. */
export interface QueryDeadline {
  /**
   * Called before each query.
   * @param writes whether it may change anything
   * @throws where the request is over
   */
  begin(writes: boolean): void
  /** How many milliseconds are left; at least 1. */
  left(): number
}

/** How long a transaction may take, as Prisma takes it. */
interface TransactionOptions {
  readonly maxWait?: number
  readonly timeout?: number
}

/** What of a client tells how long transactions may take. None of Prisma's documented members. */
interface Configured {
  readonly _engineConfig?: { readonly transactionOptions?: TransactionOptions }
}

type Transact = (work: unknown, options?: TransactionOptions) => Promise<unknown>

const READS: readonly unknown[] = [
  'findUnique',
  'findUniqueOrThrow',
  'findFirst',
  'findFirstOrThrow',
  'findMany',
  'count',
  'aggregate',
  'groupBy',
]

/** Prisma's own, where an app says nothing. */
const DEFAULTS = { maxWait: 2000, timeout: 5000 }

/**
 * The client of a request whose time is limited: no query begins when it is over, those of policies and hooks included, and
 * transactions end by then. A client that cannot be extended, as one inside a transaction of the app's own, is given as it is.
 */
export function withDeadline(client: unknown, life: QueryDeadline): unknown {
  const primary = getPrimary(client)
  const extend = memberOf(primary, INNER_EXTENSION) ?? memberOf(primary, '$extends')
  if (typeof client === 'object' && client !== null && typeof extend === 'function') {
    // Beneath replicas: what is put on after them is asked about no read that goes to one.
    return withReplicas(
      client,
      extend.call(primary, (base: object) => watching(base, life)),
    )
  }
  // What it does is not seen.
  life.begin(true)
  return client
}

function watching(base: object, life: QueryDeadline): object {
  const { $extends } = base as { $extends(extension: object): object }
  return $extends.call(base, {
    name: INTERNAL_EXTENSION,
    query: {
      $allOperations({ operation, args, query }: Query) {
        life.begin(!READS.includes(operation))
        return query(args)
      },
    },
    client: {
      async $transaction(this: object, work: unknown, options?: TransactionOptions) {
        const transact = (given?: TransactionOptions, limited: unknown = work): Promise<unknown> =>
          (Reflect.get(base, '$transaction') as Transact).call(this, limited, given)
        // A part of one has no time of its own.
        if (typeof work !== 'function' || isInTransaction(this)) return transact(options)
        life.begin(true)
        const configured = (base as Configured)._engineConfig?.transactionOptions
        const left = life.left()
        // What is undefined is not there, to Prisma.
        const least = (name: keyof typeof DEFAULTS) =>
          Math.min(options?.[name] ?? configured?.[name] ?? DEFAULTS[name], left)
        const limits = { maxWait: least('maxWait'), timeout: least('timeout') }
        return transact({ ...options, ...limits }, async (inside: object) => {
          await limitStatements(inside, life)
          return work(inside)
        })
      },
    },
  })
}

/** A call, as Prisma tells an extension of it. */
interface Query {
  readonly operation: string
  readonly args: unknown
  query(args: unknown): Promise<unknown>
}

/**
 * Has the database end a statement itself by the time of the request: otherwise it would go on, and hold the transaction open. A little
 * before, so that there is time to answer that nothing is stored. A limit of the connection's that is smaller stays.
 */
async function limitStatements(inside: object, life: QueryDeadline): Promise<void> {
  if (memberOf(inside, PROVIDER) !== 'postgresql') return
  const left = life.left()
  const most = Math.max(1, Math.floor(left - Math.min(250, left / 5)))
  const own = "nullif(extract(epoch FROM current_setting('statement_timeout')::interval) * 1000, 0)"
  const sql = `SELECT set_config('statement_timeout', least(${own}, ${most})::int::text, true)`
  const query = memberOf(inside, '$queryRawUnsafe')
  if (typeof query === 'function') await query.call(inside, sql)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
