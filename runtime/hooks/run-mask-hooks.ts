import type { PolicyModel } from '../policy/policy-schema.js'
import type { Rules } from '../policy/rules/rules.js'
import { type CompiledHooks, assertSync, type HookSession } from './compile-hooks.js'
import { type AnyHook, hasHooks } from './normalize-hooks.js'

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
    const masks = plan.getHooks(model)?.mask ?? {}
    const maskedRow: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(value)) {
      const relation = model.relations.get(name)
      const hooks = masks[name]
      if (relation) maskedRow[name] = mask(member, relation.target)
      else if (hooks && member !== undefined) maskedRow[name] = maskValue(`${model.name}.mask.${name}`, hooks, member)
      else maskedRow[name] = member
    }
    masked.add(maskedRow)
    return maskedRow
  }
  return (rows, model, operation) => (RETURNS_ROWS.test(operation) ? mask(rows, model) : rows)
}

/** Returns the rules with `isMasked` set: fields with a `mask` hook cannot be used to filter, order or aggregate. */
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
