import { allOf, anyOf, type Condition } from '../policy/rules/condition.js'
import { parseConditions, type DecidedCondition } from '../policy/rules/parse-condition.js'
import type { Rules } from '../policy/rules/rules.js'
import type { PolicyModel } from '../policy/schema.js'
import { assertSync } from './assert-sync.js'
import type { HookPlan } from './hook-plan.js'
import type { HookSession } from './session.js'

/**
 * The rules of a client, and what an app says of all reads (`where`): rows that do not meet it are no rows to anybody. The same
 * rules where it says nothing.
 * @param rules the client's own
 */
export function applyReadScopes(rules: () => Rules, plan: HookPlan, session: HookSession): () => Rules {
  if (!plan.narrows) return rules
  const scopes = new Map<PolicyModel, DecidedCondition>()
  const scopeOf = (model: PolicyModel): DecidedCondition => {
    const known = scopes.get(model)
    if (known) return known
    const scope = both(
      (plan.createHooks(model)?.where ?? []).map((where) => {
        const at = `${model.name}.where`
        return parseConditions(model, assertSync(at, where(session.event)), `The hook ${at}`)
      }),
    )
    scopes.set(model, scope)
    return scope
  }
  // One and the same condition for the same rule: whether two fields are shown on the same rows is seen by that.
  const narrowed = new Map<PolicyModel, Map<Condition, Condition>>()
  const narrow = (model: PolicyModel, condition: Condition): Condition => {
    const { holds } = scopeOf(model)
    if (holds === true) return condition
    const ofModel = narrowed.get(model) ?? new Map<Condition, Condition>()
    narrowed.set(model, ofModel)
    const known = ofModel.get(condition) ?? allOf([holds, condition])
    ofModel.set(condition, known)
    return known
  }
  const made = new WeakMap<Rules, Rules>()
  return () => {
    const now = rules()
    const known = made.get(now)
    if (known) return known
    const scoped: Rules = {
      ...now,
      condition(action, model, field) {
        const condition = now.condition(action, model, field)
        return action === 'read' ? narrow(model, condition) : condition
      },
      isOpen: (action, model) => now.isOpen(action, model) && (action !== 'read' || scopeOf(model).holds === true),
      isExact: (action, model, field) =>
        now.isExact(action, model, field) && (action !== 'read' || scopeOf(model).isExact),
    }
    made.set(now, scoped)
    return scoped
  }
}

/** The same rules, by which nothing is found by a field that answers show otherwise than it is (`answer`). */
export function applyMasks(rules: () => Rules, plan: HookPlan): () => Rules {
  const isMasked: Rules['isMasked'] = (model, field) => plan.createHooks(model)?.mask[field] !== undefined
  const made = new WeakMap<Rules, Rules>()
  return () => {
    const now = rules()
    const masked = made.get(now) ?? { ...now, isMasked }
    made.set(now, masked)
    return masked
  }
}

/** What all of some conditions say; without any, that every row is there. */
function both(conditions: readonly DecidedCondition[]): DecidedCondition {
  return {
    holds: allOf(conditions.map(({ holds }) => holds)),
    fails: anyOf(conditions.map(({ fails }) => fails)),
    isExact: conditions.every(({ isExact }) => isExact),
  }
}
