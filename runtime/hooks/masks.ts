import type { PolicyModel } from '../policy/schema.js'
import type { HookPlan } from './plan.js'
import { atOnce } from './at-once.js'
import { type AnyHook, isAny } from './read-hooks.js'
import type { Session } from './session.js'

/** The operations that give rows. */
const GIVES_ROWS = /^(find|create$|update$|upsert$|delete$|.*AndReturn$)/

/**
 * Shows fields of rows otherwise than they are, as an app says it (`answer`).
 * @returns undefined where it says nothing of any model
 */
export function masks(
  models: Iterable<PolicyModel>,
  plan: HookPlan,
  session: Session,
): ((rows: unknown, model: PolicyModel, operation: string) => unknown) | undefined {
  if (![...models].some((model) => isAny(plan.hooksOf(model)?.answer ?? {}))) return undefined
  const shownBy = (at: string, hooks: readonly AnyHook[], member: unknown) =>
    hooks.reduce((value, hook) => atOnce(at, hook({ ...session.event, value })), member)
  const mask = (value: unknown, model: PolicyModel): unknown => {
    if (Array.isArray(value)) return value.map((one) => mask(one, model))
    if (typeof value !== 'object' || value === null) return value
    const answer = plan.hooksOf(model)?.answer ?? {}
    const shown: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(value)) {
      const relation = model.relations.get(name)
      const hooks = answer[name]
      if (relation) shown[name] = mask(member, relation.target)
      else if (hooks && member !== undefined) shown[name] = shownBy(`${model.name}.answer.${name}`, hooks, member)
      else shown[name] = member
    }
    return shown
  }
  return (rows, model, operation) => (GIVES_ROWS.test(operation) ? mask(rows, model) : rows)
}
