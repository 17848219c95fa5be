import { INNER_EXTENSION } from '../../prisma/call-client.js'
import {
  providerOf,
  type TransactionOptions,
  transactionOptionsOf,
  INTERNAL_EXTENSION,
} from '../../prisma/internals.js'
import { getPrimary, withReplicas } from '../../prisma/replicas.js'
import { isInTransaction } from '../../prisma/transactions/transactions.js'
import { RequestError } from '../../errors/request-error.js'
import { RETRY_AFTER, activeUntilAborted, type AssertActive } from '../../http/active-request.js'

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

/** Prisma's defaults. */
const DEFAULTS = { maxWait: 2000, timeout: 5000 }

/**
 * Returns a client that enforces a deadline. After the deadline, no query starts, not even those of policies and hooks, and all
 * transactions have ended. A client that cannot be extended, such as a transaction client of the app, is returned unchanged.
 */
export function withQueryDeadline(client: unknown, deadline: RequestDeadline): unknown {
  const primary = getPrimary(client)
  const extend = memberOf(primary, INNER_EXTENSION) ?? memberOf(primary, '$extends')
  if (typeof client === 'object' && client !== null && typeof extend === 'function') {
    // Must be below the replicas extension, because later extensions do not see reads that go to a replica.
    return withReplicas(
      client,
      extend.call(primary, (base: object) => extendWithDeadline(base, deadline)),
    )
  }
  // The queries of this client are not observable, so they count as writes.
  deadline.begin(true)
  return client
}

function extendWithDeadline(base: object, deadline: RequestDeadline): object {
  const { $extends } = base as { $extends(extension: object): object }
  return $extends.call(base, {
    name: INTERNAL_EXTENSION,
    query: {
      $allOperations({ operation, args, query }: Query) {
        deadline.begin(!READS.includes(operation))
        return query(args)
      },
    },
    client: {
      async $transaction(this: object, work: unknown, options?: TransactionOptions) {
        const transact = (transactOptions?: TransactionOptions, callback: unknown = work): Promise<unknown> =>
          (Reflect.get(base, '$transaction') as Transact).call(this, callback, transactOptions)
        // A nested transaction has no time limit.
        if (typeof work !== 'function' || isInTransaction(this)) return transact(options)
        deadline.begin(true)
        const configured = transactionOptionsOf(base)
        const remaining = deadline.left()
        // Prisma ignores options that are undefined.
        const limitFor = (name: keyof typeof DEFAULTS) =>
          Math.min(options?.[name] ?? configured[name] ?? DEFAULTS[name], remaining)
        const limits = { maxWait: limitFor('maxWait'), timeout: limitFor('timeout') }
        return transact({ ...options, ...limits }, async (tx: object) => {
          await limitStatements(tx, deadline)
          return work(tx)
        })
      },
    },
  })
}

/** A call in the form that Prisma passes to an extension. */
interface Query {
  readonly operation: string
  readonly args: unknown
  query(args: unknown): Promise<unknown>
}

/**
 * Sets PostgreSQL's `statement_timeout` for a transaction. Otherwise a running statement would continue after the deadline and keep the
 * transaction open. The limit is slightly shorter than the remaining time, which leaves time to respond that nothing was stored. A smaller
 * limit on the connection is preserved.
 */
async function limitStatements(tx: object, deadline: RequestDeadline): Promise<void> {
  if (providerOf(tx) !== 'postgresql') return
  const remaining = deadline.left()
  const maxMs = Math.max(1, Math.floor(remaining - Math.min(1000, remaining / 5)))
  const currentLimit = "nullif(extract(epoch FROM current_setting('statement_timeout')::interval) * 1000, 0)"
  const sql = `SELECT set_config('statement_timeout', least(${currentLimit}, ${maxMs})::int::text, true)`
  const query = memberOf(tx, '$queryRawUnsafe')
  if (typeof query === 'function') await query.call(tx, sql)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** The deadline for a request's queries. */
interface RequestDeadline {
  /**
   * Called before each query.
   * @param writes whether the query may change data
   * @throws RequestError in the same cases as {@link AssertActive}
   */
  begin(writes: boolean): void
  /** Returns the remaining time in milliseconds, at least 1. */
  left(): number
}

/** A {@link RequestDeadline} with the functions that enforce it. */
interface DeadlineControl extends RequestDeadline {
  readonly assertActive: AssertActive
  /** Creates the error response for a timeout. */
  timeout(): RequestError
}

/**
 * Starts the deadline of a request.
 * @param timeout in milliseconds
 */
export function startDeadline(request: Pick<Request, 'signal'>, timeout: number): DeadlineControl {
  const end = performance.now() + timeout
  const assertConnected = activeUntilAborted(request)
  let hasWritten = false
  const expiredError = () => timeoutError(hasWritten)
  const assertActive = () => {
    assertConnected()
    if (performance.now() >= end) throw expiredError()
  }
  return {
    assertActive,
    begin(writes) {
      assertActive()
      hasWritten ||= writes
    },
    left: () => Math.max(1, Math.floor(end - performance.now())),
    timeout: expiredError,
  }
}

/**
 * Creates the error for a timeout.
 * @param hasWritten whether a query that may change data has started
 */
function timeoutError(hasWritten: boolean): RequestError {
  const outcome = hasWritten ? 'It may have changed something: check before you retry it.' : 'Nothing was changed.'
  return new RequestError({ code: 'timeout', detail: `The request took too long. ${outcome}` }, RETRY_AFTER)
}
