import { PolicyError } from '../errors/policy-error.js'
import { isObject } from '../values/is-object.js'
import { locksRows } from '../orm/lock.js'
import { type LockableOf, ownersIn, ownersLock, type Replacing, withoutRow } from '../orm/owners.js'
import type { ComputedLookup } from '../orm/computed.js'
import { type Called, callClient, PROVIDER } from '../orm/port.js'
import { retryConflicts } from '../orm/race.js'
import type { OpenTransaction, Transactions } from '../orm/transactions.js'
import { withoutComputed } from './read/computed.js'
import { findReadable } from './read/find.js'
import { readingOf } from './read/read.js'
import { READS } from './read/read-args.js'
import { OPEN_RULES, type Rules } from './rules/rules.js'
import type { PolicyModel, PolicySchema } from './schema.js'
import { deny, type Tree } from './tree.js'
import { NO_HOOKS, type RowHooks } from './write/row-hooks.js'
import { WRITES, writingOf } from './write/operations.js'
import { isPlainWrite } from './write/plain.js'

/** One call of an operation, to which rules are to be applied. */
export interface GuardedCall {
  readonly model: string
  readonly operation: string
  readonly args: Tree | undefined
  /** Makes the call on the client that sees every row. */
  query(args: unknown): Promise<unknown>
}

/** What of the rows that a read finds its caller is given, where that is not all of them. */
export interface Part {
  /** Makes the call on a client, and gives the whole rows: what is to be done with the result is said of them. */
  whole(client: object, model: Called, args: Tree): Promise<unknown>
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
  readonly hooking: () => Hooking
}

/** What an app does around the writes of a call: see `hooks/`. */
export interface Hooking {
  /** Whether a model that has no resource is left alone; otherwise it cannot be used. */
  readonly passesUnknown: boolean
  /** Whether a hook makes the call, through its client. */
  readonly isOfHook: boolean
  /** Of the client that writes run on: the same where an app has no hooks. */
  transactions(): Transactions | undefined
  /** Whether the app is told of anything that a write does. */
  hears(model: PolicyModel, operation: string, args: Tree): boolean
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
const NONE: Hooking = {
  passesUnknown: false,
  isOfHook: false,
  transactions: () => undefined,
  hears: () => false,
  begin: (inside) => ({ client: inside, hooks: NO_HOOKS }),
  committed: (write) => write(),
}

/** {@link Enforcement.hooking} where an app has no hooks. */
export const UNHOOKED = (): Hooking => NONE

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
  part?: Part,
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
  const read = READS.get(call.operation)
  if (read) {
    if (isOpen) return call.query(call.args)
    const reading = readingOf({ rules, computed })
    const query = read(reading, model, args)
    if (query.args === args && !query.plan && !query.parts) return call.query(call.args)
    if (query.parts && open?.kind === 'batch')
      deny('Rows in the order of related rows need "$transaction(async (tx) => …)" in place of "$transaction([…])".')
    const inner = () => (open?.kind === 'itx' ? transactions.inside(open) : transactions.client)
    if (!part || !query.plan) return findReadable(query, reading, inner, (rewritten) => call.query(rewritten))
    const whole = async (rewritten: Tree) => withoutComputed(model, await part.whole(inner(), model, rewritten))
    return part.of(await findReadable(query, reading, inner, whole))
  }
  const write = WRITES.get(call.operation)
  if (!write) return deny(`"${call.operation}" cannot be used under access policies.`)
  const inner = () => (open?.kind === 'itx' ? transactions.inside(open) : transactions.client)
  const replacing = replacingOf(model, call.operation, args, transactions.client)
  const lockableOf: LockableOf = (name) => schema.get(name)?.locking
  const lock = replacing && (await ownersLock(inner(), replacing, lockableOf))
  // Another request may create the row now. Then this one fails to.
  if (replacing && !lock) args = { ...args, where: withoutRow(replacing, lockableOf) }
  const isPlain =
    !hooking.hears(model, call.operation, args) &&
    (isOpen || isPlainWrite({ rules, computed }, schema, model, call.operation, args))
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
    return write(writingOf({ rules, computed }, client, hooks), model, args)
  }
  const { isReadable, result } = await hooking.committed(() => inTransaction(writes, open, work, hooking.hasCalled))
  if (isReadable) return result
  // What a hook writes stays, as it does for a caller, and is not undone because nobody sees it.
  if (hooking.isOfHook) return null
  throw new PolicyError('It is written, but the result may not be read.', 'RESULT_NOT_READABLE')
}

/** What of a write replaces members, where the rows that have them can be locked. */
function replacingOf(model: PolicyModel, operation: string, args: Tree, client: object): Replacing | undefined {
  const isUpsert = operation === 'upsert'
  const { where } = args
  if (!(isUpsert || operation === 'update') || !isObject(where)) return undefined
  const owners = ownersIn(model, isUpsert ? args['update'] : args['data'])
  if (!owners) return undefined
  const provider: unknown = Reflect.get(client, PROVIDER)
  if (typeof provider !== 'string' || !locksRows({ provider })) return undefined
  return { owners, where, mayLack: isUpsert }
}

/** Runs a write so that nothing of it is left where it is denied: in a transaction, or in a part of the one it belongs to. */
function inTransaction<R>(
  transactions: Transactions,
  open: OpenTransaction | undefined,
  work: (inside: object) => Promise<R>,
  isFinal = () => false,
): Promise<R> {
  if (!open) return retryConflicts(transactions.client, () => transactions.transaction(work), isFinal)
  if (open.kind !== 'batch') return transactions.transaction(work, open)
  return deny(
    'Under access policies and hooks, several writes need "$transaction(async (tx) => …)" in place of "$transaction([…])".',
  )
}
