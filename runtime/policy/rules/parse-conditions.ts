import { isBareToOneFilter } from '../../schema/keyword-named-fields.js'
import { hasFieldReference } from '../../values/prisma-values.js'
import { isObject } from '../../values/is-object.js'
import { allOf, anyOf, type Condition, toFilter } from './condition.js'
import type { PolicyModel, PolicyRelation } from '../policy-schema.js'
import { type Args, toArray } from '../args.js'

/** The conditions of a rule as two disjoint filters. Neither ever evaluates to unknown, unlike SQL comparisons with null. */
export interface DecidedCondition {
  /** The rows that meet the conditions. */
  readonly matches: Condition
  /** The rows that do not meet them. A row matches neither filter if a null leaves the result undecided. */
  readonly fails: Condition
  /** False if the filters contain Json or lists, which the database may still evaluate to unknown. */
  readonly isExact: boolean
}

/**
 * Parses the conditions of a rule: a Prisma `where` for the rule's model.
 * @param label the start of the error message
 * @throws Error if they are not a valid filter, or contain undefined. Prisma would ignore undefined, and the rule would apply to every row
 */
export function parseConditions(
  model: PolicyModel,
  conditions: unknown,
  label = `A rule on ${model.name}`,
): DecidedCondition {
  const state: ParseState = { label, isExact: true }
  const { matches, fails } = parseFilter(model, conditions, state)
  return { matches, fails, isExact: state.isExact }
}

interface ParseState {
  readonly label: string
  isExact: boolean
}

interface ConditionPair extends Pick<DecidedCondition, 'matches' | 'fails'> {
  /**
   * Whether Prisma ignores the filter: `{}`, or an empty `OR` inside another filter. `matches` is then its logical value, true or false.
   */
  readonly isIgnored?: boolean
}

const ALWAYS: ConditionPair = { matches: true, fails: false }
const NEVER: ConditionPair = { matches: false, fails: true }

/** Parses the complete filter of a rule or of a related row. */
function parseFilter(model: PolicyModel, where: unknown, state: ParseState): ConditionPair {
  const pair = parseEntries(model, where, state, 0)
  if (pair.isIgnored && pair.matches === false) return rejectIgnored(state)
  return { matches: pair.matches, fails: pair.fails }
}

/**
 * @param depth the number of enclosing `AND`, `OR` and `NOT`
 */
function parseEntries(model: PolicyModel, where: unknown, state: ParseState, depth: number): ConditionPair {
  if (!isObject(where)) return rejectCondition(state, 'a filter must be an object')
  return andPairs(
    Object.entries(where).map(([key, value]) => parseEntry(model, key, value, state, depth)),
    state,
  )
}

function andPairs(pairs: readonly ConditionPair[], state: ParseState): ConditionPair {
  const relevant = pairs.filter(({ isIgnored }) => !isIgnored)
  const isIgnored = relevant.length === 0
  if (!isIgnored && pairs.some((pair) => pair.isIgnored && pair.matches === false)) return rejectIgnored(state)
  const effective = isIgnored ? pairs : relevant
  return {
    matches: allOf(effective.map(({ matches }) => matches)),
    fails: anyOf(effective.map(({ fails }) => fails)),
    isIgnored,
  }
}

function orPairs(pairs: readonly ConditionPair[], depth: number): ConditionPair {
  const relevant = pairs.filter(({ isIgnored }) => !isIgnored)
  if (relevant.length === 0 && depth === 0) return NEVER
  const isIgnored = relevant.length === 0
  const effective = isIgnored ? pairs : relevant
  return {
    matches: anyOf(effective.map(({ matches }) => matches)),
    fails: allOf(effective.map(({ fails }) => fails)),
    isIgnored,
  }
}

function negatePair({ matches, fails, isIgnored = false }: ConditionPair): ConditionPair {
  return { matches: fails, fails: matches, isIgnored }
}

function parseEntry(model: PolicyModel, key: string, value: unknown, state: ParseState, depth: number): ConditionPair {
  if (value === undefined) {
    return rejectCondition(state, `"${key}" is undefined, which Prisma ignores: the rule would apply to every row`)
  }
  if (key === 'AND') return andPairs(parseFilters(model, value, state, depth), state)
  if (key === 'OR') return orPairs(parseFilters(model, value, state, depth), depth)
  if (key === 'NOT') return andPairs(parseFilters(model, value, state, depth).map(negatePair), state)
  const relation = model.relations.get(key)
  const field = model.fields.get(key)
  if ((field || relation) && isEmptyFilter(value, field?.type === 'Json')) return { ...ALWAYS, isIgnored: true }
  if (field) return parseField(model, key, value, state)
  if (relation) return parseRelation(relation, value, state)
  const compound = model.compounds.get(key)
  if (compound && isObject(value)) return parseFilter(model, value, state)
  return rejectCondition(state, `"${key}" is not a field of ${model.name} that rules can use`)
}

/** Whether Prisma ignores the filter of a field or a relation. In a Json filter, the operand of `not` is a value. */
function isEmptyFilter(value: unknown, isJson: boolean): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([key, operand]) => !isJson && key === 'not' && isEmptyFilter(operand, isJson))
  )
}

function parseFilters(model: PolicyModel, value: unknown, state: ParseState, depth: number): ConditionPair[] {
  return toArray(value).map((where) => parseEntries(model, where, state, depth + 1))
}

function parseField(model: PolicyModel, name: string, value: unknown, state: ParseState): ConditionPair {
  const field = model.fields.get(name)
  assertDefined(value, name, state, field?.type === 'Json')
  const leaf = { [name]: value }
  if (field?.type === 'Json' || field?.list) {
    state.isExact = false
    return { matches: leaf, fails: { NOT: leaf } }
  }
  if (hasFieldReference(value)) state.isExact = false
  const isNullTest = value === null || (isObject(value) && (value['equals'] === null || value['not'] === null))
  if (!field?.optional || isNullTest) return { matches: leaf, fails: { NOT: leaf } }
  const notNull = { [name]: { not: null } }
  return { matches: { AND: [leaf, notNull] }, fails: { AND: [{ NOT: leaf }, notNull] } }
}

function assertDefined(value: unknown, name: string, state: ParseState, isJson: boolean): void {
  if (value === undefined) rejectCondition(state, `"${name}" contains undefined, which Prisma ignores`)
  if (Array.isArray(value)) for (const element of value) assertDefined(element, name, state, isJson)
  else if (isObject(value)) for (const member of Object.values(value)) assertDefined(member, name, state, isJson)
  else if (!isJson && !isValue(value))
    rejectCondition(state, `"${name}" contains an invalid value, which Prisma may ignore`)
}

/** Whether a value can be stored in a field or is a reference to another column. `Prisma.skip` is neither: Prisma ignores it. */
function isValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'symbol' && typeof value !== 'function'
  return value instanceof Date || value instanceof Uint8Array || 'toFixed' in value || 'modelName' in value
}

function parseRelation(relation: PolicyRelation, value: unknown, state: ParseState): ConditionPair {
  if (relation.many) {
    if (!isObject(value)) return rejectCondition(state, `"${relation.name}" requires "some", "every" or "none"`)
    return andPairs(
      Object.entries(value).map(([key, where]) => parseToMany(relation, key, where, state)),
      state,
    )
  }
  const absent: Condition = relation.optional ? { [relation.name]: null } : false
  const present: Condition = relation.optional ? { [relation.name]: { isNot: null } } : true
  const parseToOne = (operator: string, where: unknown): ConditionPair => {
    if (where === null)
      return operator === 'is' ? { matches: absent, fails: present } : { matches: present, fails: absent }
    const { matches, fails } = parseFilter(relation.target, where, state)
    const is: ConditionPair = {
      matches: related(relation, 'is', matches),
      fails: anyOf([absent, related(relation, 'is', fails)]),
    }
    return operator === 'is' ? is : negatePair(is)
  }
  if (!isObject(value) || !('is' in value || 'isNot' in value) || isBareToOneFilter(relation, value))
    return parseToOne('is', value)
  return andPairs(
    Object.entries(value).map(([key, where]) => {
      if (key !== 'is' && key !== 'isNot') return rejectCondition(state, `"${relation.name}" has no filter "${key}"`)
      if (where === undefined)
        return rejectCondition(state, `"${relation.name}.${key}" is undefined, which Prisma ignores`)
      return parseToOne(key, where)
    }),
    state,
  )
}

function parseToMany(relation: PolicyRelation, key: string, where: unknown, state: ParseState): ConditionPair {
  if (where === undefined) return rejectCondition(state, `"${relation.name}.${key}" is undefined, which Prisma ignores`)
  const { matches, fails } = parseFilter(relation.target, where, state)
  const pair = (condition: Condition): ConditionPair => ({
    matches: related(relation, 'some', condition),
    fails: condition === false ? true : { [relation.name]: { none: toFilter(relation.target, condition) } },
  })
  if (key === 'some') return pair(matches)
  if (key === 'none') return negatePair(pair(matches))
  if (key === 'every') return negatePair(pair(fails))
  return rejectCondition(state, `"${relation.name}" has no filter "${key}"`)
}

function related({ name, target }: PolicyRelation, operator: 'is' | 'some', condition: Condition): Condition {
  const where: Args = toFilter(target, condition)
  return condition === false ? false : { [name]: { [operator]: where } }
}

/** Logically, no row matches an empty `OR` or a negated `{}`. Prisma ignores both inside a filter, so more rows would match. */
function rejectIgnored(state: ParseState): never {
  return rejectCondition(
    state,
    'it has an empty "OR" or "NOT", which Prisma ignores: the rule would apply to more rows',
  )
}

function rejectCondition(state: ParseState, detail: string): never {
  throw new Error(`${state.label} cannot be enforced: ${detail}.`)
}
