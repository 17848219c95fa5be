import type { PolicyModel } from '../policy/schema.js'
import type { HookPlan } from './hook-plan.js'
import { assertSync } from './assert-sync.js'
import { type AnyHook, hasHooks } from './normalize-hooks.js'
import type { HookSession } from './session.js'

/** The operations that give rows. */
const GIVES_ROWS = /^(find|create$|update$|upsert$|delete$|.*AndReturn$)/

/**
 * Shows fields of rows otherwise than they are, as an app says it (`answer`).
 * @returns undefined where it says nothing of any model
 */
export function createResultMask(
  models: Iterable<PolicyModel>,
  plan: HookPlan,
  session: HookSession,
): ((rows: unknown, model: PolicyModel, operation: string) => unknown) | undefined {
  if (![...models].some((model) => hasHooks(plan.createHooks(model)?.mask ?? {}))) return undefined
  const shownBy = (at: string, hooks: readonly AnyHook[], member: unknown) =>
    hooks.reduce((value, hook) => assertSync(at, hook({ ...session.event, value })), member)
  const masked = new WeakSet<object>()
  const mask = (value: unknown, model: PolicyModel): unknown => {
    if (Array.isArray(value)) return value.map((one) => mask(one, model))
    if (typeof value !== 'object' || value === null || masked.has(value)) return value
    const answer = plan.createHooks(model)?.mask ?? {}
    const shown: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(value)) {
      const relation = model.relations.get(name)
      const hooks = answer[name]
      if (relation) shown[name] = mask(member, relation.target)
      else if (hooks && member !== undefined) shown[name] = shownBy(`${model.name}.mask.${name}`, hooks, member)
      else shown[name] = member
    }
    masked.add(shown)
    return shown
  }
  return (rows, model, operation) => (GIVES_ROWS.test(operation) ? mask(rows, model) : rows)
}
