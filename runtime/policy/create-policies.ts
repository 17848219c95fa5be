import { type Allows, ALLOWS } from '../prisma/policy-check.js'
import { computedLookup } from '../prisma/computed-lookup.js'
import { INNER_EXTENSION } from '../prisma/client-port.js'
import { extensionsOf, type OpenTransaction, parentOf } from '../prisma/internals.js'
import { INTERNAL_EXTENSION } from '../prisma/has-query-extensions.js'
import { getPrimary, withReplicas } from '../prisma/replicas.js'
import { getTransactions } from '../prisma/transactions.js'
import type { Resource } from '../schema/resource.js'
import { createPolicyCheck } from './create-policy-check.js'
import { enforce, type Enforcement, type GuardedCall, type PartialResult, noHookIntegration } from './enforce.js'
import { type AbilityLike, type Rules, rulesFromAbility } from './rules/rules.js'
import { compilePolicySchema, type PolicySchema } from './policy-schema.js'
import type { Args } from './args.js'

/**
 * An extension for `prisma.$extends`. The extended client enforces the rules and has `$check`, which returns whether they allow an action.
 */
export type PolicyExtension = (client: object) => {
  $extends: { extArgs: { result: {}; model: {}; query: {}; client: { $check: () => Allows } } }
}

/** A call as Prisma passes it to an extension. */
interface PrismaCall extends GuardedCall {
  readonly __internalParams?: { readonly transaction?: OpenTransaction; readonly dataPath?: readonly string[] }
  query(args: unknown, params?: object): Promise<unknown>
}

/**
 * Creates the policy layer of a schema. Everything that depends only on the schema is computed here, once.
 * Called by the emitted `policy.ts`.
 * @param resources the resources of all exposed models
 * @returns a function that creates the extension for an ability. It is fast enough to be called for each request. If the app reuses an
 * ability, the extension returns the same client
 */
export function createPolicies(resources: readonly Resource[]): (ability: AbilityLike) => PolicyExtension {
  const schema = compilePolicySchema(resources)
  const clientCache = new WeakMap<object, WeakMap<AbilityLike, Extended>>()
  return (ability) => (prisma) => {
    const clients = clientCache.get(prisma) ?? new WeakMap<AbilityLike, Extended>()
    clientCache.set(prisma, clients)
    const extended = clients.get(ability) ?? extend(prisma, schema, ability)
    clients.set(ability, extended)
    return extended
  }
}

type Extended = ReturnType<PolicyExtension>

/** A client that can access every row, and the rules for a client based on it. */
export interface PolicyTarget {
  readonly client: object
  readonly schema: PolicySchema
  readonly rules: () => Rules
}

const policyTargets = new WeakMap<object, PolicyTarget>()

/**
 * Returns the base client and the rules of a client with policies. Hooks use them to build one layer for both hooks and policies. Prisma
 * calls extensions in the order in which they were added, so hooks added after policies would not see the writes that policies split a call
 * into. Extensions added after the policies are moved to the base client.
 * @returns undefined if the client has no policies
 */
export function policyTarget(client: object): PolicyTarget | undefined {
  const cached = policyTargets.get(client)
  if (cached) return cached
  const later: object[] = []
  let current = client
  for (const extension of extensionsOf(client)) {
    later.unshift(extension)
    const parent = parentOf(current)
    if (!parent) return undefined
    const parentTarget = policyTargets.get(parent)
    if (parentTarget) {
      const created = { ...parentTarget, client: later.reduce(extendedWith, parentTarget.client) }
      policyTargets.set(client, created)
      return created
    }
    current = parent
  }
  return undefined
}

function extendedWith(client: object, extension: object): object {
  const extendable = client as { $extends(extension: object): object }
  return extendable.$extends(extension)
}

/** Functions that add an extension to the base client of a client with policies, and then apply the same policies again. */
const rebuilders = new WeakMap<object, (extension: object) => Extended>()

/**
 * Adds an extension below the policies of a client, so that it sees every query that they make. Extensions that were added after the
 * policies keep their position.
 */
function withInnerExtension(client: object, extension: object): object {
  const later: object[] = []
  let current: object | undefined = client
  for (const outer of extensionsOf(client)) {
    const extended = current && rebuilders.get(current)?.(extension)
    if (extended) return later.reduce(extendedWith, extended)
    later.unshift(outer)
    current = current && parentOf(current)
  }
  throw new Error('This version of Prisma does not support time limits under access policies.')
}

function extend(prisma: object, schema: PolicySchema, ability: AbilityLike): Extended {
  const rules = () => rulesFromAbility(ability, schema)
  const primary = getPrimary(prisma)
  const transactions = getTransactions(primary)
  const computed = computedLookup(primary)
  const enforcement = { schema, rules, transactions, computed, integrate: noHookIntegration }
  const guarded = guardedClient(primary, enforcement, {
    [INNER_EXTENSION](this: object, extension: object) {
      return withInnerExtension(this, extension)
    },
  })
  policyTargets.set(guarded, { client: primary, schema, rules })
  rebuilders.set(guarded, (extension) => extend(extendedWith(primary, extension), schema, ability))
  const extended = withReplicas(prisma, guarded)
  policyTargets.set(extended, { client: prisma, schema, rules })
  return extended
}

/**
 * Extends a client so that {@link enforce} handles its calls.
 * @param prisma the client that can access every row
 * @param members additional properties of the client
 * @param transform transforms each result
 */
export function guardedClient(
  prisma: object,
  enforcement: Enforcement,
  members: object = {},
  transform?: (result: unknown, model: string, operation: string) => unknown,
): Extended {
  const extendable = prisma as { $extends(extension: object): Extended }
  const execute = (call: PrismaCall) => enforceCall(call, enforcement)
  const executeAndTransform = async (call: PrismaCall) => transform?.(await execute(call), call.model, call.operation)
  return extendable.$extends({
    name: INTERNAL_EXTENSION,
    client: { [ALLOWS]: createPolicyCheck(enforcement.schema, enforcement.rules, prisma), ...members },
    query: { $allModels: { $allOperations: transform ? executeAndTransform : execute } },
  })
}

function enforceCall(call: PrismaCall, enforcement: Enforcement): Promise<unknown> {
  const params = call.__internalParams
  const path = params?.dataPath
  // Passes a copy of the parameters, because Prisma stores the new arguments in them. It would then compute the fields in these arguments
  // instead of those that the caller selected.
  const guarded = params ? { ...call, query: (args: unknown) => call.query(args, { ...params }) } : call
  return enforce(
    guarded,
    enforcement,
    params?.transaction,
    path && path.length > 0 ? createPartialResult(path, call) : undefined,
  )
}

/**
 * Describes the result of a fluent call such as `findUnique(…).author()`. Prisma would return only the author, but redaction plans refer to
 * the row that contains it.
 */
function createPartialResult(path: readonly string[], { operation }: PrismaCall): PartialResult {
  return {
    async run(client, { delegate }, args) {
      const operations: Readonly<Record<string, (args: Args) => PromiseLike<unknown>>> = Reflect.get(client, delegate)
      return operations[operation]?.(args)
    },
    pick: (result) =>
      path
        .filter((_, index) => index % 2 === 1)
        .reduce<unknown>(
          (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : null),
          result,
        ),
  }
}
