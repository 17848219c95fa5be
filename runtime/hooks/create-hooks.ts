import { logToConsole } from '../errors/logging.js'
import type { Hooks, HookRequest } from '../http/client-accessors.js'
import { guardedClient, policyTarget } from '../policy/create-policies.js'
import type { Enforcement, HookIntegration } from '../policy/enforce.js'
import { compilePolicySchema, type PolicySchema } from '../policy/policy-schema.js'
import { OPEN_RULES, type Rules } from '../policy/rules/rules.js'
import { computedLookup } from '../prisma/internals.js'
import { MASK, policyCheckOf, ALLOWS } from '../prisma/policy-check.js'
import { getPrimary, withReplicas } from '../prisma/replicas.js'
import {
  getIsolation,
  parentClient,
  serializedTransactions,
  getTransactions,
  type Transactions,
  type WriteQueue,
} from '../prisma/transactions/transactions.js'
import type { Resource } from '../schema/resource.js'
import { isObject } from '../values/is-object.js'
import { applyReadScopes, createMaskRunner, markMaskedFields } from './read-hooks.js'
import { type CompiledHooks, compileHooks, type HookSession } from './compile-hooks.js'
import { runAfterCommit, type DeferredHook, createRowHooks } from './create-row-hooks.js'
import { normalizeHooks } from './normalize-hooks.js'

/**
 * Compiles a schema for hooks. Everything that depends only on the schema is computed here, once.
 * Called by the emitted `hooks.ts`.
 * @param resources the resources of all exposed models
 * @returns a function that validates hooks and throws an Error if a hook is for a model, operation or field that does not exist
 */
export function createHooks(resources: readonly Resource[]): <C>(...hooks: readonly object[]) => Hooks<C> {
  const schema = compilePolicySchema(resources)
  return (...hooks) => {
    const normalizedHooks = normalizeHooks(schema, hooks)
    // Policies compile their own schema, and compiled hooks are keyed by its model objects.
    const compiledHooks = new WeakMap<PolicySchema, CompiledHooks>()
    const compiledFor = (used: PolicySchema): CompiledHooks => {
      const plan = compiledHooks.get(used) ?? compileHooks(used, normalizedHooks)
      compiledHooks.set(used, plan)
      return plan
    }
    compiledFor(schema)
    return {
      mount: (client, request) => createHookedClient(client, schema, compiledFor, request),
      addsData: (model) => normalizedHooks.get(model)?.create['before'] !== undefined,
      assertUnmasked(model, fields) {
        const masked = fields.find(({ name }) => normalizedHooks.get(model)?.mask[name])
        if (masked) throw new Error(`externalIdMapping.${model}: "${masked.name}" must not have a mask hook.`)
      },
    }
  }
}

/** Maximum nesting depth of hooks that trigger each other with their writes. */
const MAX_DEPTH = 8

const CLIENT_IN_TRANSACTION =
  'getOrm returned a client inside a transaction. With hooks, the client must start the transaction itself.'

/** The parts of a hooked client. */
interface HookedClientParts {
  /** The client without policies: it can access every row. */
  readonly client: object
  readonly schema: PolicySchema
  readonly plan: CompiledHooks
  readonly session: HookSession
  readonly rules: () => Rules
  /** The rules for the client that hooks receive. That client does not mask fields. */
  readonly plainRules: () => Rules
  /** Whether calls on models without a resource are passed through. True if the client has no policies. */
  readonly passesUnexposedModels: boolean
  /** Additional properties of the client, besides its delegates. */
  readonly members: object
}

/** Hooks to be called after a transaction is committed. */
type DeferredHooks = DeferredHook[]

/**
 * Creates the client that handles a request and calls hooks around every row that it writes.
 * @param requestClient the request's client. If it has policies, one layer enforces them and calls the hooks, so that a write is checked in
 * its final state
 */
function createHookedClient<C>(
  requestClient: object,
  defaultSchema: PolicySchema,
  compiledFor: (schema: PolicySchema) => CompiledHooks,
  { context, style, log = logToConsole }: HookRequest<C>,
): object {
  if (typeof Reflect.get(requestClient, '$extends') !== 'function') throw new Error(CLIENT_IN_TRANSACTION)
  const guarded = policyTarget(requestClient)
  const { client: readClient, schema } = guarded ?? { client: requestClient, schema: defaultSchema }
  const client = getPrimary(readClient)
  const plan = compiledFor(schema)
  const session: HookSession = { event: { context, style }, log }
  const maskRows = createMaskRunner(schema.values(), plan, session)
  const clientRules = guarded?.rules ?? (() => OPEN_RULES)
  const allows = guarded ? undefined : policyCheckOf(requestClient)
  const plainRules = applyReadScopes(clientRules, plan, session)
  const parts: HookedClientParts = {
    client,
    schema,
    plan,
    session,
    rules: plainRules,
    plainRules,
    passesUnexposedModels: guarded === undefined,
    members: allows ? { [ALLOWS]: allows } : {},
  }
  const maskedParts = { ...parts, rules: maskRows ? markMaskedFields(plainRules, plan) : plainRules }
  const maskResult = (result: unknown, name: string, operation: string) => {
    const model = schema.get(name)
    return maskRows && model ? maskRows(result, model, operation) : result
  }
  const mask = maskRows && { [MASK]: (rows: unknown, name: string) => maskResult(rows, name, 'find') }
  const clientFor = (deferred: DeferredHooks | undefined, members: object) =>
    withReplicas(
      readClient,
      guardedClient(
        client,
        createEnforcement(maskedParts, deferred, 0),
        { ...maskedParts.members, ...mask, ...members },
        maskRows && maskResult,
      ),
    )
  // Calls Prisma's `$transaction` on the given client.
  const transact = (target: object, work: unknown, options: unknown): Promise<unknown> =>
    Reflect.get(client, '$transaction').call(target, work, options)
  return clientFor(undefined, {
    async $transaction(work: unknown, options: unknown) {
      if (typeof work !== 'function') return transact(client, work, options)
      const deferred: DeferredHooks = []
      const tx = clientFor(deferred, {
        // A nested transaction. If it is rolled back, its deferred hooks are dropped.
        async $transaction(this: object, nested: unknown, nestedOptions: unknown) {
          const before = deferred.length
          try {
            return await transact(this, nested, nestedOptions)
          } catch (error) {
            deferred.length = before
            throw error
          }
        },
      })
      const result = await transact(tx, work, withIsolation(client, options))
      await runAfterCommit(deferred, session)
      return result
    },
  })
}

/**
 * Adds the isolation level at which hooks receive the current rows, unless the call sets a level or the client is configured with a
 * stricter one.
 */
function withIsolation(client: object, options: unknown): unknown {
  const isolationLevel = getIsolation(client)
  return isolationLevel === undefined ? options : { isolationLevel, ...(isObject(options) && options) }
}

/**
 * Returns the rules and hooks that a client enforces.
 * @param outer the deferred hooks of the transaction that contains the client's calls; undefined if each call begins its own transaction
 * @param depth the number of hooks that the client's calls are nested in
 */
function createEnforcement(parts: HookedClientParts, outer: DeferredHooks | undefined, depth: number): Enforcement {
  const { client, schema, rules } = parts
  const queue: WriteQueue = new Map()
  return {
    schema,
    rules,
    transactions: getTransactions(client),
    computed: computedLookup(client),
    integrate: () => createHookIntegration(parts, outer, depth, queue),
  }
}

/**
 * Creates the hooks of one call. When the call succeeds, its deferred hooks run, or are passed to the enclosing transaction. Each call has
 * a separate list, so that a failed call leaves no hooks behind.
 */
function createHookIntegration(
  parts: HookedClientParts,
  outer: DeferredHooks | undefined,
  depth: number,
  queue: WriteQueue,
): HookIntegration {
  const { client, plan, session } = parts
  const deferred: DeferredHooks = []
  let transactions: Transactions | undefined
  let hasCalled = false
  const onInvoke = () => {
    hasCalled = true
  }
  return {
    allowsUnexposedModels: parts.passesUnexposedModels,
    isByHook: depth > 0,
    triggersHooks: plan.triggersHooks,
    ranHooks: () => hasCalled,
    transactions() {
      if (depth > MAX_DEPTH) throw new Error(`Hooks trigger each other more than ${MAX_DEPTH} levels deep.`)
      const createClient = () =>
        guardedClient(
          client,
          createEnforcement({ ...parts, rules: parts.plainRules }, deferred, depth + 1),
          parts.members,
        )
      return (transactions ??= serializedTransactions(createClient(), queue))
    },
    begin(tx, { operation }) {
      // If the write is retried, drop the hooks that the failed attempt deferred.
      deferred.length = 0
      const defer = (hook: DeferredHook) => void deferred.push(hook)
      return {
        client: parentClient(tx),
        hooks: createRowHooks(plan, { session, operation, client: tx, depth, defer, onInvoke }),
      }
    },
    async commit(write) {
      const result = await write()
      if (outer) outer.push(...deferred)
      else await runAfterCommit(deferred, session)
      return result
    },
  }
}
