import { callClient, INNER_EXTENSION } from '../prisma/call-client.js'
import {
  computedLookup,
  INTERNAL_EXTENSION,
  extensionsOf,
  type OpenTransaction,
  parentOf,
} from '../prisma/internals.js'
import { type Allows, ALLOWS } from '../prisma/policy-check.js'
import { getPrimary, withReplicas } from '../prisma/replicas.js'
import { getTransactions } from '../prisma/transactions/transactions.js'
import type { Resource } from '../schema/resource.js'
import { isObject } from '../values/is-object.js'
import { type Args, definedEntries } from './args.js'
import { enforce, type Enforcement, type GuardedCall, type PartialResult, noHookIntegration } from './enforce.js'
import { compilePolicySchema, type PolicySchema, type PolicyModel } from './policy-schema.js'
import { createReadContext } from './read/read-context.js'
import { readableWhere } from './read/readable-where.js'
import { restrict } from './rules/condition.js'
import { type AbilityLike, type Rules, rulesFromAbility } from './rules/rules.js'

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

/**
 * Creates the `$check` method of a client, which returns whether an action is allowed.
 *
 * Without `where`, it checks whether the action is allowed on any row, and does not query the database. With `where`, it checks whether the
 * action is allowed on any readable row that matches. For `create`, `where` contains the values of the new row, which must be sufficient to
 * decide. For `read` without a unique criterion, no query is needed if the values in `where` are sufficient.
 * @param getRules returns the current rules
 * @param client the client that can access every row
 */
function createPolicyCheck(schema: PolicySchema, getRules: () => Rules, client: object): Allows {
  const check: Allows = async (name, action, where) => {
    const model = schema.get(name)
    if (!model) return false
    const rules = getRules()
    const condition = rules.condition(action, model)
    if (condition === false || where === undefined) return condition !== false
    if (action === 'create') return condition === true || isSufficient(model, condition, where)
    if (action === 'read' && !hasUniqueCriterion(model, where)) {
      const isMet = condition === true || matchesCondition(model, condition, where)
      if (isMet !== undefined) return isMet
    }
    // A row that is not readable cannot be written either.
    const found = readableWhere(createReadContext({ rules }), model, where)
    return (await callClient(client, model, 'count', { where: restrict(model, found, [condition]), take: 1 })) > 0
  }
  return Object.assign(check, {
    restricts(name: string, field: string) {
      const model = schema.get(name)
      const rules = getRules()
      if (!model || !rules.hasFieldRules('read', model)) return false
      return rules.condition('read', model, field) !== rules.condition('read', model)
    },
    showsAll(name: string) {
      const model = schema.get(name)
      return model !== undefined && getRules().isOpen('read', model)
    },
  })
}

/** Whether a filter contains a unique criterion. */
function hasUniqueCriterion(model: PolicyModel, where: Args): boolean {
  const names = definedEntries(where).map(([name]) => name)
  return names.some((name) => model.uniques.has(name) || model.compounds.has(name))
}

/** Whether the given values are sufficient to know that a condition is met. */
function isSufficient(model: PolicyModel, condition: Args, values: Args): boolean {
  return matchesCondition(model, condition, values) === true
}

/** Whether values meet a condition. Undefined if the database is needed to decide. */
function matchesCondition(model: PolicyModel, condition: unknown, values: Args): boolean | undefined {
  if (!isObject(condition)) return undefined
  const parts = definedEntries(condition).map(([key, value]): boolean | undefined => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (key === 'AND') return every(list.map((part) => matchesCondition(model, part, values)))
    if (key === 'OR') return not(every(list.map((part) => not(matchesCondition(model, part, values)))))
    if (key === 'NOT') return every(list.map((part) => not(matchesCondition(model, part, values))))
    return model.fields.has(key) && Object.hasOwn(values, key) ? matchesFilter(value, values[key]) : undefined
  })
  return every(parts)
}

function matchesFilter(filter: unknown, input: unknown): boolean | undefined {
  const value = isObject(input) && Object.keys(input).length === 1 && 'equals' in input ? input['equals'] : input
  if (isObject(value)) return undefined
  if (!isObject(filter)) return isEqual(filter, value)
  return every(
    definedEntries(filter).map(([operator, operand]) => {
      if (operator === 'equals') return isEqual(operand, value)
      if (operator === 'not')
        return isObject(operand) ? not(matchesFilter(operand, value)) : not(isEqual(operand, value))
      if (operator === 'in' && Array.isArray(operand)) return operand.some((candidate) => isEqual(candidate, value))
      return undefined
    }),
  )
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (a instanceof Date && b instanceof Date && a.getTime() === b.getTime())
}

/** Combines results with AND. Undefined results are undecided. */
function every(parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false
  return parts.includes(undefined) ? undefined : true
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value
}
