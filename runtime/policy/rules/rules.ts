import { fieldAliases } from './field-aliases.js'
import { allOf, anyOf, type Condition } from './condition.js'
import { parseConditions, type DecidedCondition } from './parse-condition.js'
import type { PolicyModel, PolicySchema } from '../schema.js'

/** What rules can allow. `post-update`: what an update may make of a row, where that differs from which rows may be updated. */
export type Action = 'create' | 'read' | 'update' | 'post-update' | 'delete' | 'manage'

/** What the layer reads of a rule of CASL's. */
interface AbilityRule {
  readonly inverted: boolean
  readonly action: string | readonly string[]
  readonly conditions: unknown
  readonly fields: readonly string[] | undefined
}

/** What the layer reads of an ability of CASL's. Structural, so that the package does not need CASL to be there. */
export interface AbilityLike {
  readonly rules: readonly unknown[]
  rulesFor(action: never, subject: never, field?: string): readonly AbilityRule[]
  possibleRulesFor(action: never, subject: never): readonly AbilityRule[]
}

/** An ability's rules as conditions. Nothing is read of them before it is needed, and nothing twice. */
export interface Rules {
  /**
   * When an action is allowed on a row, or on a field of a row (a relation is a field too). A rule on a relation holds for its
   * foreign key, and a rule on a column of the key for the relation: see `field-aliases.ts`.
   * @param field without it: on any field
   */
  condition(action: Action, model: PolicyModel, field?: string): Condition
  /** Whether an action is allowed on every row, on every field. */
  isOpen(action: Action, model: PolicyModel): boolean
  /** The action that says what an update may make of a row: `post-update` where a rule names it for this model, else `update`. */
  outcome(model: PolicyModel): 'update' | 'post-update'
  /** Whether some field has a rule of its own. */
  hasFieldRules(action: Action, model: PolicyModel): boolean
  /** Whether a condition is known to be met or not met, whatever is null: see {@link TwoValued}. */
  isExact(action: Action, model: PolicyModel, field?: string): boolean
  /** Whether answers show a field otherwise than it is, so that nothing may be found by it. */
  isMasked?(model: PolicyModel, field: string): boolean
}

/** Where there are no rules: everything is allowed. */
export const OPEN_RULES: Rules = {
  condition: () => true,
  isOpen: () => true,
  outcome: () => 'update',
  hasFieldRules: () => false,
  isExact: () => true,
}

const cache = new WeakMap<
  AbilityLike,
  { readonly of: readonly unknown[]; readonly bySchema: Map<PolicySchema, Rules> }
>()

/** The rules of an ability. Kept as long as the ability is, and until its rules are replaced (`ability.update`). */
export function rulesFromAbility(ability: AbilityLike, schema: PolicySchema): Rules {
  let entry = cache.get(ability)
  if (entry?.of !== ability.rules) {
    entry = { of: ability.rules, bySchema: new Map() }
    cache.set(ability, entry)
  }
  const known = entry.bySchema.get(schema)
  if (known) return known
  const rules = readRules(ability)
  entry.bySchema.set(schema, rules)
  return rules
}

interface Known {
  readonly condition: Condition
  readonly isExact: boolean
}

function readRules(ability: AbilityLike): Rules {
  const conditions = new Map<AbilityRule, Map<PolicyModel, DecidedCondition>>()
  const byKey = new Map<string, Known>()
  const byRules = new Map<PolicyModel, { readonly rules: readonly AbilityRule[]; readonly known: Known }[]>()
  const fieldRules = new Map<string, boolean>()

  const read = (rule: AbilityRule, model: PolicyModel): DecidedCondition => {
    if (rule.conditions === undefined || rule.conditions === null) return { holds: true, fails: false, isExact: true }
    const ofRule = conditions.get(rule) ?? new Map<PolicyModel, DecidedCondition>()
    conditions.set(rule, ofRule)
    const known = ofRule.get(model) ?? parseConditions(model, rule.conditions)
    ofRule.set(model, known)
    return known
  }
  // The first rule that fits a row decides. They come with the last one written first.
  const decide = (rules: readonly AbilityRule[], model: PolicyModel): Known => {
    let condition: Condition = false
    let isExact = true
    for (const rule of rules.toReversed()) {
      const { holds, fails, isExact: exact } = read(rule, model)
      condition = rule.inverted ? allOf([fails, condition]) : anyOf([holds, condition])
      isExact &&= exact
    }
    return { condition, isExact: isExact || typeof condition === 'boolean' }
  }
  // The same rules give the same object, whatever they were asked for: conditions can then be compared by identity.
  const known = (action: Action, model: PolicyModel, field?: string): Known => {
    const key = field === undefined ? `${action} ${model.name}` : `${action} ${model.name} ${field}`
    const cached = byKey.get(key)
    if (cached) return cached
    const found = field === undefined ? decided(model, rulesFor(action, model)) : ofField(action, model, field)
    byKey.set(key, found)
    return found
  }
  const rulesFor = (action: Action, model: PolicyModel, field?: string): readonly AbilityRule[] =>
    ability.rulesFor(action as never, model.name as never, field)
  const ofField = (action: Action, model: PolicyModel, field: string): Known => {
    const names = fieldAliases(model, field)
    const forbid = new Set(names.forbid.flatMap((name) => rulesFor(action, model, name)))
    const rules = ability.possibleRulesFor(action as never, model.name as never)
    const ways = names.allow.map((way) => {
      const all = way.map((some) => {
        const allow = new Set(some.flatMap((name) => rulesFor(action, model, name)))
        return decided(
          model,
          rules.filter((rule) => (rule.inverted ? forbid : allow).has(rule)),
        )
      })
      return { condition: allOf(all.map(({ condition }) => condition)), isExact: all.every(({ isExact }) => isExact) }
    })
    return { condition: anyOf(ways.map(({ condition }) => condition)), isExact: ways.every(({ isExact }) => isExact) }
  }
  const decided = (model: PolicyModel, rules: readonly AbilityRule[]): Known => {
    const ofModel = byRules.get(model) ?? []
    byRules.set(model, ofModel)
    const same = ofModel.find((one) => one.rules.length === rules.length && one.rules.every((r, i) => r === rules[i]))
    const found = same?.known ?? decide(rules, model)
    if (!same) ofModel.push({ rules, known: found })
    return found
  }
  const hasFieldRules = (action: Action, model: PolicyModel): boolean => {
    const key = `${action} ${model.name}`
    const cached = fieldRules.get(key)
    if (cached !== undefined) return cached
    const has = ability.possibleRulesFor(action as never, model.name as never).some((rule) => rule.fields !== undefined)
    fieldRules.set(key, has)
    return has
  }
  const outcomes = new Map<PolicyModel, 'update' | 'post-update'>()
  const outcome = (model: PolicyModel): 'update' | 'post-update' => {
    const cached = outcomes.get(model)
    if (cached) return cached
    const rules = ability.possibleRulesFor('post-update' as never, model.name as never)
    // "manage" stands for it as well, but says nothing of its own.
    const isNamed = rules.some(({ action }) => [action].flat().includes('post-update'))
    const found = isNamed ? 'post-update' : 'update'
    outcomes.set(model, found)
    return found
  }
  const asked = (action: Action, model: PolicyModel, field?: string): Known =>
    known(action, model, field !== undefined && hasFieldRules(action, model) ? field : undefined)
  return {
    condition: (action, model, field) => asked(action, model, field).condition,
    isOpen: (action, model) => known(action, model).condition === true && !hasFieldRules(action, model),
    outcome,
    hasFieldRules,
    isExact: (action, model, field) => asked(action, model, field).isExact,
  }
}
