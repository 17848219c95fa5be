import { allOf, anyOf, type Condition } from '../policy/rules/condition.js'
import { parseConditions, type DecidedCondition } from '../policy/rules/parse-conditions.js'
import type { Rules } from '../policy/rules/rules.js'
import type { PolicyModel } from '../policy/policy-schema.js'
import { assertSync, type CompiledHooks, type HookSession } from './compile-hooks.js'
import { type AnyHook, hasHooks } from './normalize-hooks.js'

/**
 * Adds the app's `where` hooks to the read rules of a client. Rows that do not match are treated as missing. Returns the rules unchanged if
 * there are no `where` hooks.
 * @param rules the client's own rules
 */
export function applyReadScopes(rules: () => Rules, plan: CompiledHooks, session: HookSession): () => Rules {
  if (!plan.hasScopes) return rules
  const scopes = new Map<PolicyModel, DecidedCondition>()
  const getScope = (model: PolicyModel): DecidedCondition => {
    const cached = scopes.get(model)
    if (cached) return cached
    const scope = combineConditions(
      (plan.getHooks(model)?.where ?? []).map((where) => {
        const hookName = `${model.name}.where`
        return parseConditions(model, assertSync(hookName, where(session.event)), `The hook ${hookName}`)
      }),
    )
    scopes.set(model, scope)
    return scope
  }
  // A condition must always map to the same object, because conditions are compared by identity to find fields that are readable on the
  // same rows.
  const scopedConditions = new Map<PolicyModel, Map<Condition, Condition>>()
  const addScope = (model: PolicyModel, condition: Condition): Condition => {
    const { matches } = getScope(model)
    if (matches === true) return condition
    const byCondition = scopedConditions.get(model) ?? new Map<Condition, Condition>()
    scopedConditions.set(model, byCondition)
    const scopedCondition = byCondition.get(condition) ?? allOf([matches, condition])
    byCondition.set(condition, scopedCondition)
    return scopedCondition
  }
  const cache = new WeakMap<Rules, Rules>()
  return () => {
    const currentRules = rules()
    const cached = cache.get(currentRules)
    if (cached) return cached
    const scoped: Rules = {
      ...currentRules,
      condition(action, model, field) {
        const condition = currentRules.condition(action, model, field)
        return action === 'read' ? addScope(model, condition) : condition
      },
      isOpen: (action, model) =>
        currentRules.isOpen(action, model) && (action !== 'read' || getScope(model).matches === true),
      isExact: (action, model, field) =>
        currentRules.isExact(action, model, field) && (action !== 'read' || getScope(model).isExact),
    }
    cache.set(currentRules, scoped)
    return scoped
  }
}

/** Combines conditions with AND. An empty list matches every row. */
function combineConditions(conditions: readonly DecidedCondition[]): DecidedCondition {
  return {
    matches: allOf(conditions.map(({ matches }) => matches)),
    fails: anyOf(conditions.map(({ fails }) => fails)),
    isExact: conditions.every(({ isExact }) => isExact),
  }
}

/** Operations that return rows. */
const RETURNS_ROWS = /^(find|create$|update$|upsert$|delete$|.*AndReturn$)/

/**
 * Returns a function that applies the app's `mask` hooks to a result.
 * @returns undefined if no model has `mask` hooks
 */
export function createMaskRunner(
  models: Iterable<PolicyModel>,
  plan: CompiledHooks,
  session: HookSession,
): ((rows: unknown, model: PolicyModel, operation: string) => unknown) | undefined {
  if (![...models].some((model) => hasHooks(plan.getHooks(model)?.mask ?? {}))) return undefined
  const maskValue = (hookName: string, hooks: readonly AnyHook[], original: unknown) =>
    hooks.reduce((value, hook) => assertSync(hookName, hook({ ...session.event, value })), original)
  const masked = new WeakSet<object>()
  const mask = (value: unknown, model: PolicyModel): unknown => {
    if (Array.isArray(value)) return value.map((item) => mask(item, model))
    if (typeof value !== 'object' || value === null || masked.has(value)) return value
    const masks = plan.getHooks(model)?.mask
    const maskedRow: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(value)) {
      const relation = model.relations.get(name)
      const hooks = masks?.[name]
      if (relation) maskedRow[name] = mask(member, relation.target)
      else if (hooks && member !== undefined) maskedRow[name] = maskValue(`${model.name}.mask.${name}`, hooks, member)
      else maskedRow[name] = member
    }
    masked.add(maskedRow)
    return maskedRow
  }
  return (rows, model, operation) => (RETURNS_ROWS.test(operation) ? mask(rows, model) : rows)
}

/** Returns the rules with `isMasked` set: fields with a `mask` hook cannot be used in filters, sort orders, aggregates or arithmetic. */
export function markMaskedFields(rules: () => Rules, plan: CompiledHooks): () => Rules {
  const isMasked: Rules['isMasked'] = (model, field) => plan.getHooks(model)?.mask[field] !== undefined
  const cache = new WeakMap<Rules, Rules>()
  return () => {
    const currentRules = rules()
    const masked = cache.get(currentRules) ?? { ...currentRules, isMasked }
    cache.set(currentRules, masked)
    return masked
  }
}
