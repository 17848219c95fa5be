import type { PolicyModel, PolicySchema } from '../policy-schema.js'
import { allOf, anyOf, type Condition } from './condition.js'
import { parseConditions, type DecidedCondition } from './parse-conditions.js'

/**
 * Actions that rules can allow. `post-update` restricts the state of a row after an update. It is only needed if the conditions before and
 * after an update differ.
 */
export type Action = 'create' | 'read' | 'update' | 'post-update' | 'delete' | 'manage'

/** The properties of a CASL rule that the policy layer reads. */
interface AbilityRule {
  readonly inverted: boolean
  readonly action: string | readonly string[]
  readonly conditions: unknown
  readonly fields: readonly string[] | undefined
}

/** The properties of a rule as the app defined it. */
interface DefinedRule {
  readonly action: unknown
  readonly subject?: unknown
  /** Undefined, null or empty if the rule applies to all fields. */
  readonly fields?: string | readonly string[] | null
}

/** The properties of a CASL ability that the policy layer reads. A structural type, so that the package does not depend on CASL. */
export interface AbilityLike {
  readonly rules: readonly DefinedRule[]
  rulesFor(action: never, subject: never, field?: string): readonly AbilityRule[]
  possibleRulesFor(action: never, subject: never): readonly AbilityRule[]
}

/** The rules of an ability as conditions. They are parsed lazily and cached. */
export interface Rules {
  /**
   * Returns the condition under which an action is allowed on a row, or on a field or relation of it. A rule on a relation also applies to
   * its foreign key, and a rule on a column of the key also applies to the relation. See `field-aliases.ts`.
   * @param field if omitted, the condition under which at least one field is allowed
   */
  condition(action: Action, model: PolicyModel, field?: string): Condition
  /** Whether an action is allowed on every row and every field. */
  isOpen(action: Action, model: PolicyModel): boolean
  /**
   * Returns the action whose rules restrict the state after an update: `post-update` if a rule names it for the model, otherwise `update`.
   */
  outcome(model: PolicyModel): 'update' | 'post-update'
  /** Whether any field has its own rule. */
  hasFieldRules(action: Action, model: PolicyModel): boolean
  /** Whether the condition is true or false for every row, even if values are null: see {@link DecidedCondition}. */
  isExact(action: Action, model: PolicyModel, field?: string): boolean
  /** Whether responses mask a field, so that it must not be used to find rows. */
  isMasked?(model: PolicyModel, field: string): boolean
}

/** Rules that allow everything, for clients without policies. */
export const OPEN_RULES: Rules = {
  condition: () => true,
  isOpen: () => true,
  outcome: () => 'update',
  hasFieldRules: () => false,
  isExact: () => true,
}

const cache = new WeakMap<
  AbilityLike,
  { readonly rules: readonly DefinedRule[]; readonly bySchema: Map<PolicySchema, Rules> }
>()

/**
 * Returns the rules of an ability. Cached as long as the ability exists and its rules are not replaced (`ability.update`).
 * @throws Error if a rule lists a field that does not exist
 */
export function rulesFromAbility(ability: AbilityLike, schema: PolicySchema): Rules {
  let entry = cache.get(ability)
  if (entry?.rules !== ability.rules) {
    entry = { rules: ability.rules, bySchema: new Map() }
    cache.set(ability, entry)
  }
  const cached = entry.bySchema.get(schema)
  if (cached) return cached
  assertFieldsExist(ability, schema)
  const rules = readRules(ability)
  entry.bySchema.set(schema, rules)
  return rules
}

/**
 * Checks that the fields in rules exist. CASL accepts any name, so a `cannot` for a field that was renamed would not protect anything.
 * @throws Error that names the first field that no model of the rule has
 */
function assertFieldsExist(ability: AbilityLike, schema: PolicySchema): void {
  for (const { action, subject, fields } of ability.rules) {
    if (!fields || ![action].flat().some((name) => ACTIONS.has(name))) continue
    const subjects = [subject].flat().map(String)
    // Rules can also be about models without routes, which only the app's own code uses.
    if (!subjects.every((name) => name === 'all' || schema.has(name))) continue
    const models = [...schema.values()].filter(({ name }) => subjects.includes(name) || subjects.includes('all'))
    const exists = (name: string) => name.includes('*') || models.some(({ members }) => members.has(name))
    const missing = [fields].flat().find((name) => !exists(name))
    if (missing === undefined) continue
    const names = subjects.map((name) => `"${name}"`).join(', ')
    const problem = `lists "${missing}", which is not a field or a relation. Correct the name in the rule.`
    throw new Error(`A policy rule on ${names} ${problem}`)
  }
}

const ACTIONS: ReadonlySet<unknown> = new Set<Action>(['create', 'read', 'update', 'post-update', 'delete', 'manage'])

interface ResolvedCondition {
  readonly condition: Condition
  readonly isExact: boolean
}

function readRules(ability: AbilityLike): Rules {
  const conditions = new Map<AbilityRule, Map<PolicyModel, DecidedCondition>>()
  const byKey = new Map<string, ResolvedCondition>()
  const byRules = new Map<
    PolicyModel,
    { readonly rules: readonly AbilityRule[]; readonly resolved: ResolvedCondition }[]
  >()
  const fieldRules = new Map<string, boolean>()

  const parseRule = (rule: AbilityRule, model: PolicyModel): DecidedCondition => {
    if (rule.conditions === undefined || rule.conditions === null) return { matches: true, fails: false, isExact: true }
    const parsedByModel = conditions.get(rule) ?? new Map<PolicyModel, DecidedCondition>()
    conditions.set(rule, parsedByModel)
    const parsed = parsedByModel.get(model) ?? parseConditions(model, rule.conditions)
    parsedByModel.set(model, parsed)
    return parsed
  }
  // The first rule that matches a row wins. CASL returns the rules in reverse order of their definition.
  const decide = (rules: readonly AbilityRule[], model: PolicyModel): ResolvedCondition => {
    let condition: Condition = false
    let isExact = true
    for (const rule of rules.toReversed()) {
      const { matches, fails, isExact: exact } = parseRule(rule, model)
      condition = rule.inverted ? allOf([fails, condition]) : anyOf([matches, condition])
      isExact &&= exact
    }
    return { condition, isExact: isExact || typeof condition === 'boolean' }
  }
  // The same rules must result in the same object, because conditions are compared by identity.
  const resolve = (action: Action, model: PolicyModel, field?: string): ResolvedCondition => {
    const key = field === undefined ? `${action} ${model.name}` : `${action} ${model.name} ${field}`
    const cached = byKey.get(key)
    if (cached) return cached
    const found =
      field === undefined ? decideCached(model, rulesFor(action, model)) : resolveField(action, model, field)
    byKey.set(key, found)
    return found
  }
  const rulesFor = (action: Action, model: PolicyModel, field?: string): readonly AbilityRule[] =>
    ability.rulesFor(action as never, model.name as never, field)
  const resolveField = (action: Action, model: PolicyModel, field: string): ResolvedCondition => {
    const names = fieldAliases(model, field)
    const forbid = new Set(names.forbid.flatMap((name) => rulesFor(action, model, name)))
    const rules = ability.possibleRulesFor(action as never, model.name as never)
    const alternatives = names.allow.map((alternative) => {
      const parts = alternative.map((part) => {
        const allow = new Set(part.flatMap((name) => rulesFor(action, model, name)))
        return decideCached(
          model,
          rules.filter((rule) => (rule.inverted ? forbid : allow).has(rule)),
        )
      })
      return {
        condition: allOf(parts.map(({ condition }) => condition)),
        isExact: parts.every(({ isExact }) => isExact),
      }
    })
    return {
      condition: anyOf(alternatives.map(({ condition }) => condition)),
      isExact: alternatives.every(({ isExact }) => isExact),
    }
  }
  const decideCached = (model: PolicyModel, rules: readonly AbilityRule[]): ResolvedCondition => {
    const entries = byRules.get(model) ?? []
    byRules.set(model, entries)
    const match = entries.find(
      (entry) => entry.rules.length === rules.length && entry.rules.every((r, i) => r === rules[i]),
    )
    const found = match?.resolved ?? decide(rules, model)
    if (!match) entries.push({ rules, resolved: found })
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
    // Rules for "manage" are returned too, but do not restrict the state after an update.
    const hasPostUpdate = rules.some(({ action }) => [action].flat().includes('post-update'))
    const found = hasPostUpdate ? 'post-update' : 'update'
    outcomes.set(model, found)
    return found
  }
  const resolveAny = (action: Action, model: PolicyModel, field?: string): ResolvedCondition =>
    resolve(action, model, field !== undefined && hasFieldRules(action, model) ? field : undefined)
  return {
    condition: (action, model, field) => resolveAny(action, model, field).condition,
    isOpen: (action, model) => resolve(action, model).condition === true && !hasFieldRules(action, model),
    outcome,
    hasFieldRules,
    isExact: (action, model, field) => resolveAny(action, model, field).isExact,
  }
}

/** The names that rules can use for a field. A relation and its foreign key are the same thing under two names. */
interface RuleNames {
  /** A `cannot` rule that names any of these forbids the field. */
  readonly forbid: readonly string[]
  /**
   * Alternatives that allow the field. An alternative applies if each of its parts is allowed by a `can` rule with one of the part's names.
   */
  readonly allow: readonly (readonly (readonly string[])[])[]
}

/**
 * Returns the names of a field in rules.
 *
 * If a foreign key has one column, the relation and the column are interchangeable. If it has several, the relation represents all of them,
 * and each column represents only itself. A column that multiple relations share is allowed by its own name, or by the names of all these
 * relations.
 * @param field a field or a relation
 */
export function fieldAliases(model: PolicyModel, field: string): RuleNames {
  const holders = (column: string) =>
    [...model.relations.values()].filter(({ foreignKey }) => foreignKey && Object.hasOwn(foreignKey, column))
  const columns = Object.keys(model.relations.get(field)?.foreignKey ?? {})
  if (columns.length > 0) {
    const sharing = columns.flatMap(holders).map(({ name }) => name)
    const forbid = [...new Set([field, ...columns, ...sharing])]
    if (columns.length === 1) return { forbid, allow: [[[field, ...columns]]] }
    return { forbid, allow: [[[field]], columns.map((column) => [column])] }
  }
  const owners = holders(field).map(({ name }) => name)
  const [owner] = owners
  const isOnlyOwner = owner !== undefined && owners.length === 1
  if (isOnlyOwner || owners.length === 0) return { forbid: [field, ...owners], allow: [[[field, ...owners]]] }
  return { forbid: [field, ...owners], allow: [[[field]], owners.map((name) => [name])] }
}
