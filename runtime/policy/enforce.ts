import { PolicyError, deny } from '../errors/policy-error.js'
import { isObject } from '../values/is-object.js'
import {
  type LockableOf,
  findOwners,
  createOwnersLock,
  type OwnerReplacement,
  createOnlyWhere,
} from '../prisma/transactions/owner-locks.js'
import { type ComputedLookup, type OpenTransaction, providerOf } from '../prisma/internals.js'
import { type CallTarget, callClient } from '../prisma/call-client.js'
import { retryOnConflict } from '../prisma/transactions/retry-on-conflict.js'
import type { Transactions } from '../prisma/transactions/transactions.js'
import { rowsWithoutComputedFields, runReadableQuery, READ_OPERATIONS } from './read/rewrite-read-args.js'
import { createReadContext } from './read/read-context.js'
import { OPEN_RULES, type Rules } from './rules/rules.js'
import type { PolicyModel, PolicySchema } from './policy-schema.js'
import type { Args } from './args.js'
import { NO_HOOKS, type RowHooks } from './write/write-context.js'
import {
  WRITE_OPERATIONS,
  createWriteContext,
  connectsConditionally,
  isPassthroughWrite,
} from './write/write-operations.js'
import { usesLocks } from './write/lock-and-check.js'

/** A client call to which rules apply. */
export interface GuardedCall {
  readonly model: string
  readonly operation: string
  readonly args: Args | undefined
  /** Runs the call on the client that can access every row. */
  query(args: unknown): Promise<unknown>
}

/** The part of the result that the caller receives, if it does not receive whole rows. */
export interface PartialResult {
  /** Runs the call on a client and returns whole rows, because redaction plans refer to whole rows. */
  run(client: object, model: CallTarget, args: Args): Promise<unknown>
  /** Extracts the part from the result. */
  pick(result: unknown): unknown
}

/** The rules and hooks that are enforced on the calls to a client. */
export interface Enforcement {
  readonly schema: PolicySchema
  /** Returns the current rules. */
  readonly rules: () => Rules
  /** The transactions of the client that can access every row. */
  readonly transactions: Transactions
  /** The computed fields of that client; undefined if it has none. */
  readonly computed: ComputedLookup | undefined
  /** Creates the hooks of one call. */
  readonly integrate: () => HookIntegration
}

/** The integration of hooks into one call. See `hooks/`. */
export interface HookIntegration {
  /** Whether calls on models without a resource are passed through. Otherwise they are rejected. */
  readonly allowsUnexposedModels: boolean
  /** Whether the call was made by a hook, with the client that the hook received. */
  readonly isByHook: boolean
  /** The transactions in which writes run; undefined if the app has no hooks. */
  transactions(): Transactions | undefined
  /** Whether any write of the call triggers hooks. */
  triggersHooks(model: PolicyModel, operation: string, args: Args): boolean
  /**
   * Begins the part of a call that runs in a transaction.
   * @param tx the client in the transaction of {@link HookIntegration.transactions}
   * @returns the client that can access every row, and the hooks around its writes
   */
  begin(tx: object, call: GuardedCall): { readonly client: object; readonly hooks: RowHooks }
  /** Whether any hook has been called. If so, a rollback may not undo all effects. */
  readonly ranHooks?: () => boolean
  /** Runs a write, and then the deferred hooks, once the write is committed. */
  commit<R>(write: () => Promise<R>): Promise<R>
}

/** The integration for apps without hooks. */
const NONE: HookIntegration = {
  allowsUnexposedModels: false,
  isByHook: false,
  transactions: () => undefined,
  triggersHooks: () => false,
  begin: (tx) => ({ client: tx, hooks: NO_HOOKS }),
  commit: (write) => write(),
}

/** {@link Enforcement.integrate} for apps without hooks. */
export const noHookIntegration = (): HookIntegration => NONE

/**
 * Runs a call under the rules. Reads return only readable rows and fields. Writes run in a transaction, which is rolled back if they are
 * not allowed.
 * @param open the transaction that the call belongs to
 * @throws PolicyError if the rules forbid the call
 * @throws MissingRowError if a row that the call needs does not exist or is not readable
 */
export async function enforce(
  call: GuardedCall,
  { schema, rules: getRules, transactions, computed, integrate }: Enforcement,
  open?: OpenTransaction,
  part?: PartialResult,
): Promise<unknown> {
  const model = schema.get(call.model)
  const integration = integrate()
  if (!model) {
    if (integration.allowsUnexposedModels) return call.query(call.args)
    return deny(`${call.model} cannot be used under access policies: it has no resource.`)
  }
  const rules = getRules()
  let args = call.args ?? {}
  // If the client has no policies, calls that trigger no hooks are passed through.
  const isOpen = rules === OPEN_RULES
  const read = READ_OPERATIONS.get(call.operation)
  if (read) {
    if (isOpen) return call.query(call.args)
    const readContext = createReadContext({ rules, computed })
    const query = read(readContext, model, args)
    if (query.args === args && !query.plan && !query.parts) return call.query(call.args)
    if (query.parts && open?.kind === 'batch')
      deny('To order rows by related rows, use "$transaction(async (tx) => …)" instead of "$transaction([…])".')
    const getClient = () => (open?.kind === 'itx' ? transactions.clientIn(open) : transactions.client)
    if (!part || !query.plan)
      return runReadableQuery(query, readContext, getClient, (rewritten) => call.query(rewritten))
    const runWhole = async (rewritten: Args) =>
      rowsWithoutComputedFields(model, await part.run(getClient(), model, rewritten))
    return part.pick(await runReadableQuery(query, readContext, getClient, runWhole))
  }
  const write = WRITE_OPERATIONS.get(call.operation)
  if (!write) return deny(`"${call.operation}" cannot be used under access policies.`)
  const getClient = () => (open?.kind === 'itx' ? transactions.clientIn(open) : transactions.client)
  const replacement = findReplacement(model, call.operation, args, transactions.client)
  const lockableOf: LockableOf = (name) => schema.get(name)?.locking
  const lock = replacement && (await createOwnersLock(getClient(), replacement, lockableOf))
  // From here on, the upsert is only allowed to create the row. If a concurrent request creates it first, this one fails.
  if (replacement && !lock) args = { ...args, where: createOnlyWhere(replacement, lockableOf) }
  const isPlain =
    (open?.kind === 'batch' || !hasUncheckedCondition(transactions.client, call.operation, args)) &&
    !integration.triggersHooks(model, call.operation, args) &&
    !connectsConditionally(model, args) &&
    (isOpen || isPassthroughWrite({ rules, computed }, schema, model, call.operation, args))
  if (isPlain && !lock) {
    const write = () => call.query(replacement ? args : call.args)
    return open?.kind === 'itx' ? (integration.transactions() ?? transactions).enqueue(open, write) : write()
  }
  const writes = integration.transactions() ?? transactions
  const runWrite = async (tx: object) => {
    const { client, hooks } = integration.begin(tx, call)
    await lock?.(client)
    if (isPlain && call.operation === 'update') {
      return { isReadable: true, result: await callClient(client, model, 'update', args) }
    }
    return write(createWriteContext({ rules, computed }, client, hooks), model, args)
  }
  const { isReadable, result } = await integration.commit(() =>
    inTransaction(writes, open, runWrite, integration.ranHooks),
  )
  if (isReadable) return result
  // Like a caller's write, a hook's write is kept even if its result is not readable. An error would roll back the transaction around the
  // hook.
  if (integration.isByHook) return null
  throw new PolicyError('The row was written, but is not readable.', 'RESULT_NOT_READABLE')
}

/**
 * Whether Prisma does not check the conditions of a write in the statement that writes the row. On MySQL, it finds the row in a separate
 * query, so it misses a concurrent change and reports success.
 */
function hasUncheckedCondition(client: object, operation: string, { where }: Args): boolean {
  const isRowWrite = ['update', 'delete', 'upsert'].includes(operation)
  return isRowWrite && isObject(where) && Object.keys(where).length > 1 && providerOf(client) === 'mysql'
}

/** Returns the relations that a write replaces with `set`, if the database can lock the rows that own them. */
function findReplacement(
  model: PolicyModel,
  operation: string,
  args: Args,
  client: object,
): OwnerReplacement | undefined {
  const isUpsert = operation === 'upsert'
  const { where } = args
  if (!(isUpsert || operation === 'update') || !isObject(where)) return undefined
  const owners = findOwners(model, isUpsert ? args['update'] : args['data'])
  if (!owners) return undefined
  if (!usesLocks(client)) return undefined
  return { owners, where, isUpsert }
}

/** Runs a write in a new transaction, or nested in the transaction that it belongs to, so that an error rolls back all of it. */
function inTransaction<R>(
  transactions: Transactions,
  open: OpenTransaction | undefined,
  work: (tx: object) => Promise<R>,
  isFinal = () => false,
): Promise<R> {
  if (!open) return retryOnConflict(transactions.client, () => transactions.transaction(work), isFinal)
  if (open.kind !== 'batch') return transactions.transaction(work, open)
  return deny(
    'Access policies and hooks split this call into multiple writes, which require "$transaction(async (tx) => …)" instead of "$transaction([…])".',
  )
}
