import { logToConsole } from '../errors/logging.js'
import type { HookRequest } from '../http/hooks-mount.js'
import { policyCheckOf, ALLOWS } from '../orm/allows.js'
import { computedLookup } from '../orm/computed.js'
import { MASK } from '../orm/mask.js'
import { getPrimary, withReplicas } from '../orm/primary.js'
import {
  getIsolation,
  parentClient,
  serializedTransactions,
  getTransactions,
  type Transactions,
  type WriteQueue,
} from '../orm/transactions.js'
import type { Enforcement, HookIntegration } from '../policy/enforce.js'
import { guardedClient, policyTarget } from '../policy/extension.js'
import { OPEN_RULES, type Rules } from '../policy/rules/rules.js'
import type { PolicySchema } from '../policy/schema.js'
import { runAfterCommit } from './after-commit.js'
import { createResultMask } from './mask-results.js'
import type { HookPlan } from './hook-plan.js'
import { type DeferredHook, createRowHooks } from './row-hooks.js'
import { applyMasks, applyReadScopes } from './read-scopes.js'
import { isObject } from '../values/is-object.js'
import type { HookSession } from './session.js'

/** How deep the writes of hooks may be told to hooks again. */
const DEEPEST = 8

const INSIDE = 'getOrm gave a client inside a transaction. Hooks stand around a client that begins its own.'

/** What a hooked client is made of. */
interface Making {
  /** Sees every row. */
  readonly client: object
  readonly schema: PolicySchema
  readonly plan: HookPlan
  readonly session: HookSession
  readonly rules: () => Rules
  /** The same for hooks, whose client shows all fields as they are. */
  readonly plainRules: () => Rules
  /** Whether models without a resource are left alone: nothing but hooks stands before them. */
  readonly passesUnknown: boolean
  /** What the client has beside its delegates. */
  readonly members: object
}

/** Hooks that wait for a transaction to be committed. */
type Waiting = DeferredHook[]

/**
 * Makes the client that a request is answered with: around every row that it writes, hooks are called.
 * @param given the request's own client. Where it has policies, hooks and rules are one: a write is judged when all of it is there
 */
export function createHookedClient<C>(
  given: object,
  own: PolicySchema,
  planOf: (schema: PolicySchema) => HookPlan,
  { context, style, log = logToConsole }: HookRequest<C>,
): object {
  if (typeof Reflect.get(given, '$extends') !== 'function') throw new Error(INSIDE)
  const policied = policyTarget(given)
  const { client: reading, schema } = policied ?? { client: given, schema: own }
  const client = getPrimary(reading)
  const plan = planOf(schema)
  const session: HookSession = { event: { context, style }, log }
  const show = createResultMask(schema.values(), plan, session)
  const ofClient = policied?.rules ?? (() => OPEN_RULES)
  const allows = policied ? undefined : policyCheckOf(given)
  const plainRules = applyReadScopes(ofClient, plan, session)
  const making: Making = {
    client,
    schema,
    plan,
    session,
    rules: plainRules,
    plainRules,
    passesUnknown: policied === undefined,
    members: allows ? { [ALLOWS]: allows } : {},
  }
  const outer = { ...making, rules: show ? applyMasks(plainRules, plan) : plainRules }
  const shown = (result: unknown, name: string, operation: string) => {
    const model = schema.get(name)
    return show && model ? show(result, model, operation) : result
  }
  const mask = show && { [MASK]: (rows: unknown, name: string) => shown(rows, name, 'find') }
  const clientFor = (waiting: Waiting | undefined, members: object) =>
    withReplicas(
      reading,
      guardedClient(client, enforcement(outer, waiting, 0), { ...outer.members, ...mask, ...members }, show && shown),
    )
  // Prisma's own, called on whichever client the transaction is to be of.
  const transact = (of: object, work: unknown, options: unknown): Promise<unknown> =>
    Reflect.get(client, '$transaction').call(of, work, options)
  return clientFor(undefined, {
    async $transaction(work: unknown, options: unknown) {
      if (typeof work !== 'function') return transact(client, work, options)
      const waiting: Waiting = []
      const inside = clientFor(waiting, {
        // A part of it. What is done in a part that is rolled back waits for nothing.
        async $transaction(this: object, nested: unknown, nestedOptions: unknown) {
          const before = waiting.length
          try {
            return await transact(this, nested, nestedOptions)
          } catch (error) {
            waiting.length = before
            throw error
          }
        },
      })
      const result = await transact(inside, work, withIsolation(client, options))
      await runAfterCommit(waiting, session)
      return result
    },
  })
}

/** Adds the isolation level in which hooks receive the current rows, unless the app sets one or configures a stricter one. */
function withIsolation(client: object, options: unknown): unknown {
  const isolationLevel = getIsolation(client)
  return isolationLevel === undefined ? options : { isolationLevel, ...(isObject(options) && options) }
}

/**
 * What a client keeps to.
 * @param outer waiting of the transaction that its calls are in; undefined where they begin their own
 * @param depth how many hooks it was given through
 */
function enforcement(making: Making, outer: Waiting | undefined, depth: number): Enforcement {
  const { client, schema, rules } = making
  const turns: WriteQueue = new Map()
  return {
    schema,
    rules,
    transactions: getTransactions(client),
    computed: computedLookup(client),
    hooking: () => hooking(making, outer, depth, turns),
  }
}

/** One call. What it is told to do later waits for its end: a call that fails leaves nothing behind, whatever is made beside it. */
function hooking(making: Making, outer: Waiting | undefined, depth: number, turns: WriteQueue): HookIntegration {
  const { client, plan, session } = making
  const waiting: Waiting = []
  let known: Transactions | undefined
  let hasCalled = false
  const calling = () => {
    hasCalled = true
  }
  return {
    passesUnknown: making.passesUnknown,
    isOfHook: depth > 0,
    hears: plan.hearsCall,
    hasCalled: () => hasCalled,
    transactions() {
      if (depth > DEEPEST) throw new Error(`Hooks write rows of which hooks are told, more than ${DEEPEST} deep.`)
      const inner = () =>
        guardedClient(client, enforcement({ ...making, rules: making.plainRules }, waiting, depth + 1), making.members)
      return (known ??= serializedTransactions(inner(), turns))
    },
    begin(inside, { operation }) {
      // Of a write that is made again, nothing is left of what was made before.
      waiting.length = 0
      const later = (hook: DeferredHook) => void waiting.push(hook)
      return {
        client: parentClient(inside),
        hooks: createRowHooks(plan, { session, operation, client: inside, depth, later, calling }),
      }
    },
    async committed(write) {
      const result = await write()
      if (outer) outer.push(...waiting)
      else await runAfterCommit(waiting, session)
      return result
    },
  }
}
