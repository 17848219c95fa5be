import { PolicyError } from '../errors/policy-error.js'
import { isObject } from '../values/is-object.js'
import { supportsRowLocks } from '../orm/row-lock.js'
import { type LockableOf, findOwners, createOwnersLock, type Replacing, createOnlyWhere } from '../orm/owner-locks.js'
import type { ComputedLookup } from '../orm/computed.js'
import { type CallTarget, callClient, PROVIDER } from '../orm/client-port.js'
import { retryOnConflict } from '../orm/retry.js'
import type { OpenTransaction, Transactions } from '../orm/transactions.js'
import { withoutComputed } from './read/computed-fields.js'
import { runReadableQuery } from './read/run-query.js'
import { createReadContext } from './read/context.js'
import { READ_OPERATIONS } from './read/rewrite-args.js'
import { OPEN_RULES, type Rules } from './rules/rules.js'
import type { PolicyModel, PolicySchema } from './schema.js'
import { deny, type Args } from './args.js'
import { NO_HOOKS, type RowHooks } from './write/row-hooks.js'
import { WRITE_OPERATIONS, createWriteContext } from './write/operations.js'
import { connectsConditionally, isPassthroughWrite } from './write/passthrough.js'

/** One call of an operation, to which rules are to be applied. */
export interface GuardedCall {
  readonly model: string
  readonly operation: string
  readonly args: Args | undefined
  /** Makes the call on the client that sees every row. */
  query(args: unknown): Promise<unknown>
}

/** What of the rows that a read finds its caller is given, where that is not all of them. */
export interface PartialResult {
  /** Makes the call on a client, and gives the whole rows: what is to be done with the result is said of them. */
  whole(client: object, model: CallTarget, args: Args): Promise<unknown>
  /** Takes the part out of the result. */
  of(result: unknown): unknown
}

/** What calls are answered by. */
export interface Enforcement {
  readonly schema: PolicySchema
  /** The rules as they are now. */
  readonly rules: () => Rules
  /** Of the client that sees every row. */
  readonly transactions: Transactions
  /** What that client computes; undefined where it computes nothing. */
  readonly computed: ComputedLookup | undefined
  /** For one call. */
  readonly hooking: () => HookIntegration
}

/** What an app does around the writes of a call: see `hooks/`. */
export interface HookIntegration {
  /** Whether a model that has no resource is left alone; otherwise it cannot be used. */
  readonly passesUnknown: boolean
  /** Whether a hook makes the call, through its client. */
  readonly isOfHook: boolean
  /** Of the client that writes run on: the same where an app has no hooks. */
  transactions(): Transactions | undefined
  /** Whether the app is told of anything that a write does. */
  hears(model: PolicyModel, operation: string, args: Args): boolean
  /**
   * What is done in a transaction.
   * @param inside the client in it, of {@link Hooking.transactions}
   * @returns the client that sees every row, and what the app does around it
   */
  begin(inside: object, call: GuardedCall): { readonly client: object; readonly hooks: RowHooks }
  /** Whether the app was told of anything: what it did then, a rollback may not undo. */
  readonly hasCalled?: () => boolean
  /** Makes a write, and does what the app does once it is committed. */
  committed<R>(write: () => Promise<R>): Promise<R>
}

/** Where an app has no hooks. */
const NONE: HookIntegration = {
  passesUnknown: false,
  isOfHook: false,
  transactions: () => undefined,
  hears: () => false,
  begin: (inside) => ({ client: inside, hooks: NO_HOOKS }),
  committed: (write) => write(),
}

/** {@link Enforcement.hooking} where an app has no hooks. */
export const NO_HOOK_INTEGRATION = (): HookIntegration => NONE

/**
 * Answers a call as the rules allow: what it reads is narrowed to what may be read; what it writes is written in a transaction,
 * and undone where it may not be.
 * @param open the transaction that the call belongs to
 * @throws PolicyError where the rules forbid it, MissingRowError where a row that it needs is not there for the caller
 */
export async function enforce(
  call: GuardedCall,
  { schema, rules: rulesNow, transactions, computed, hooking: hookingNow }: Enforcement,
  open?: OpenTransaction,
  part?: PartialResult,
): Promise<unknown> {
  const model = schema.get(call.model)
  const hooking = hookingNow()
  if (!model) {
    if (hooking.passesUnknown) return call.query(call.args)
    return deny(`${call.model} cannot be used under access policies: it has no resource.`)
  }
  const rules = rulesNow()
  let args = call.args ?? {}
  // Nothing but hooks stands here then: what they are not told of is the client's own affair.
  const isOpen = rules === OPEN_RULES
  const read = READ_OPERATIONS.get(call.operation)
  if (read) {
    if (isOpen) return call.query(call.args)
    const reading = createReadContext({ rules, computed })
    const query = read(reading, model, args)
    if (query.args === args && !query.plan && !query.parts) return call.query(call.args)
    if (query.parts && open?.kind === 'batch')
      deny('Rows in the order of related rows need "$transaction(async (tx) => …)" in place of "$transaction([…])".')
    const inner = () => (open?.kind === 'itx' ? transactions.inside(open) : transactions.client)
    if (!part || !query.plan) return runReadableQuery(query, reading, inner, (rewritten) => call.query(rewritten))
    const whole = async (rewritten: Args) => withoutComputed(model, await part.whole(inner(), model, rewritten))
    return part.of(await runReadableQuery(query, reading, inner, whole))
  }
  const write = WRITE_OPERATIONS.get(call.operation)
  if (!write) return deny(`"${call.operation}" cannot be used under access policies.`)
  const inner = () => (open?.kind === 'itx' ? transactions.inside(open) : transactions.client)
  const replacing = replacingOf(model, call.operation, args, transactions.client)
  const lockableOf: LockableOf = (name) => schema.get(name)?.locking
  const lock = replacing && (await createOwnersLock(inner(), replacing, lockableOf))
  // Another request may create the row now. Then this one fails to.
  if (replacing && !lock) args = { ...args, where: createOnlyWhere(replacing, lockableOf) }
  const isPlain =
    !hooking.hears(model, call.operation, args) &&
    !connectsConditionally(model, args) &&
    (isOpen || isPassthroughWrite({ rules, computed }, schema, model, call.operation, args))
  if (isPlain && !lock) {
    const write = () => call.query(replacing ? args : call.args)
    return open?.kind === 'itx' ? (hooking.transactions() ?? transactions).inTurn(open, write) : write()
  }
  const writes = hooking.transactions() ?? transactions
  const work = async (inside: object) => {
    const { client, hooks } = hooking.begin(inside, call)
    await lock?.(client)
    if (isPlain && call.operation === 'update') {
      return { isReadable: true, result: await callClient(client, model, 'update', args) }
    }
    return write(createWriteContext({ rules, computed }, client, hooks), model, args)
  }
  const { isReadable, result } = await hooking.committed(() => inTransaction(writes, open, work, hooking.hasCalled))
  if (isReadable) return result
  // What a hook writes stays, as it does for a caller, and is not undone because nobody sees it.
  if (hooking.isOfHook) return null
  throw new PolicyError('It is written, but the result may not be read.', 'RESULT_NOT_READABLE')
}

/** What of a write replaces members, where the rows that have them can be locked. */
function replacingOf(model: PolicyModel, operation: string, args: Args, client: object): Replacing | undefined {
  const isUpsert = operation === 'upsert'
  const { where } = args
  if (!(isUpsert || operation === 'update') || !isObject(where)) return undefined
  const owners = findOwners(model, isUpsert ? args['update'] : args['data'])
  if (!owners) return undefined
  const provider: unknown = Reflect.get(client, PROVIDER)
  if (typeof provider !== 'string' || !supportsRowLocks({ provider })) return undefined
  return { owners, where, mayLack: isUpsert }
}

/** Runs a write so that nothing of it is left where it is denied: in a transaction, or in a part of the one it belongs to. */
function inTransaction<R>(
  transactions: Transactions,
  open: OpenTransaction | undefined,
  work: (inside: object) => Promise<R>,
  isFinal = () => false,
): Promise<R> {
  if (!open) return retryOnConflict(transactions.client, () => transactions.transaction(work), isFinal)
  if (open.kind !== 'batch') return transactions.transaction(work, open)
  return deny(
    'Under access policies and hooks, several writes need "$transaction(async (tx) => …)" in place of "$transaction([…])".',
  )
}
