import { isBareToOneFilter } from '../../schema/filter-ambiguity.js'
import { hasFieldReference } from '../../values/field-reference.js'
import { isObject } from '../../values/is-object.js'
import { allOf, anyOf, type Condition, toFilter } from './condition.js'
import type { PolicyModel, PolicyRelation } from '../schema.js'
import { type Args, toArray } from '../args.js'

/** The conditions of a rule as two disjoint filters. Neither is ever unknown, unlike SQL comparisons with null. */
export interface DecidedCondition {
  /** The rows that meet the conditions. */
  readonly matches: Condition
  /** The rows that do not meet them. Rows for which a null leaves it undecided match neither filter. */
  readonly fails: Condition
  /** False if the filters contain Json or lists, which the database may still evaluate to unknown. */
  readonly isExact: boolean
}

/**
 * Parses the conditions of a rule: a Prisma `where` of the rule's model.
 * @param what the start of the error message
 * @throws Error if they are not a valid filter or contain undefined, which Prisma would ignore, so that the rule would apply to every row
 */
export function parseConditions(
  model: PolicyModel,
  conditions: unknown,
  what = `A rule on ${model.name}`,
): DecidedCondition {
  const notes: Notes = { what, isExact: true }
  const { matches, fails } = readFilter(model, conditions, notes)
  return { matches, fails, isExact: notes.isExact }
}

interface Notes {
  readonly what: string
  isExact: boolean
}

interface Pair extends Pick<DecidedCondition, 'matches' | 'fails'> {
  /**
   * Whether Prisma ignores the filter: `{}`, or an empty `OR` inside another filter. `matches` is then its logical value, true or false.
   */
  readonly isIgnored?: boolean
}

const ALWAYS: Pair = { matches: true, fails: false }
const NEVER: Pair = { matches: false, fails: true }

/** Parses the complete filter of a rule or of a related row. */
function readFilter(model: PolicyModel, where: unknown, notes: Notes): Pair {
  const pair = readMembers(model, where, notes, 0)
  if (pair.isIgnored && pair.matches === false) return ignored(notes)
  return { matches: pair.matches, fails: pair.fails }
}

/**
 * @param depth the number of enclosing `AND`, `OR` and `NOT`
 */
function readMembers(model: PolicyModel, where: unknown, notes: Notes, depth: number): Pair {
  if (!isObject(where)) return wrong(notes, 'a filter must be an object')
  return both(
    Object.entries(where).map(([key, value]) => readMember(model, key, value, notes, depth)),
    notes,
  )
}

function both(pairs: readonly Pair[], notes: Notes): Pair {
  const relevant = pairs.filter(({ isIgnored }) => !isIgnored)
  const isIgnored = relevant.length === 0
  if (!isIgnored && pairs.some((pair) => pair.isIgnored && pair.matches === false)) return ignored(notes)
  const of = isIgnored ? pairs : relevant
  return { matches: allOf(of.map(({ matches }) => matches)), fails: anyOf(of.map(({ fails }) => fails)), isIgnored }
}

function either(pairs: readonly Pair[], depth: number): Pair {
  const relevant = pairs.filter(({ isIgnored }) => !isIgnored)
  if (relevant.length === 0 && depth === 0) return NEVER
  const isIgnored = relevant.length === 0
  const of = isIgnored ? pairs : relevant
  return { matches: anyOf(of.map(({ matches }) => matches)), fails: allOf(of.map(({ fails }) => fails)), isIgnored }
}

function swap({ matches, fails, isIgnored = false }: Pair): Pair {
  return { matches: fails, fails: matches, isIgnored }
}

function readMember(model: PolicyModel, key: string, value: unknown, notes: Notes, depth: number): Pair {
  if (value === undefined) {
    return wrong(notes, `"${key}" is undefined, which Prisma ignores: the rule would hold for every row`)
  }
  if (key === 'AND') return both(filters(model, value, notes, depth), notes)
  if (key === 'OR') return either(filters(model, value, notes, depth), depth)
  if (key === 'NOT') return both(filters(model, value, notes, depth).map(swap), notes)
  const relation = model.relations.get(key)
  const field = model.fields.get(key)
  if ((field || relation) && isEmptyFilter(value, field?.type === 'Json')) return { ...ALWAYS, isIgnored: true }
  if (field) return readField(model, key, value, notes)
  if (relation) return readRelation(relation, value, notes)
  const compound = model.compounds.get(key)
  if (compound && isObject(value)) return readFilter(model, value, notes)
  return wrong(notes, `there is no "${key}" that a rule could use on ${model.name}`)
}

/** Whether Prisma ignores the filter of a field or a relation. In a Json filter, the operand of `not` is a value. */
function isEmptyFilter(value: unknown, isJson: boolean): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([key, below]) => !isJson && key === 'not' && isEmptyFilter(below, isJson))
  )
}

function filters(model: PolicyModel, value: unknown, notes: Notes, depth: number): Pair[] {
  return toArray(value).map((where) => readMembers(model, where, notes, depth + 1))
}

function readField(model: PolicyModel, name: string, value: unknown, notes: Notes): Pair {
  const field = model.fields.get(name)
  assertDefined(value, name, notes, field?.type === 'Json')
  const leaf = { [name]: value }
  if (field?.type === 'Json' || field?.list) {
    notes.isExact = false
    return { matches: leaf, fails: { NOT: leaf } }
  }
  if (hasFieldReference(value)) notes.isExact = false
  const isNullTest = value === null || (isObject(value) && (value['equals'] === null || value['not'] === null))
  if (!field?.optional || isNullTest) return { matches: leaf, fails: { NOT: leaf } }
  const notNull = { [name]: { not: null } }
  return { matches: { AND: [leaf, notNull] }, fails: { AND: [{ NOT: leaf }, notNull] } }
}

function assertDefined(value: unknown, name: string, notes: Notes, isJson: boolean): void {
  if (value === undefined) wrong(notes, `"${name}" holds undefined, which Prisma ignores`)
  if (Array.isArray(value)) for (const element of value) assertDefined(element, name, notes, isJson)
  else if (isObject(value)) for (const member of Object.values(value)) assertDefined(member, name, notes, isJson)
  else if (!isJson && !isValue(value)) wrong(notes, `"${name}" holds what is no value: Prisma may ignore it`)
}

/** Whether a value can be the value of a field or a reference to another column. `Prisma.skip` is neither: Prisma ignores it. */
function isValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'symbol' && typeof value !== 'function'
  return value instanceof Date || value instanceof Uint8Array || 'toFixed' in value || 'modelName' in value
}

function readRelation(relation: PolicyRelation, value: unknown, notes: Notes): Pair {
  if (relation.many) {
    if (!isObject(value)) return wrong(notes, `"${relation.name}" needs some, every or none`)
    return both(
      Object.entries(value).map(([key, where]) => readMany(relation, key, where, notes)),
      notes,
    )
  }
  const absent: Condition = relation.optional ? { [relation.name]: null } : false
  const present: Condition = relation.optional ? { [relation.name]: { isNot: null } } : true
  const readOne = (operator: string, where: unknown): Pair => {
    if (where === null)
      return operator === 'is' ? { matches: absent, fails: present } : { matches: present, fails: absent }
    const { matches, fails } = readFilter(relation.target, where, notes)
    const is: Pair = {
      matches: related(relation, 'is', matches),
      fails: anyOf([absent, related(relation, 'is', fails)]),
    }
    return operator === 'is' ? is : swap(is)
  }
  if (!isObject(value) || !('is' in value || 'isNot' in value) || isBareToOneFilter(relation, value))
    return readOne('is', value)
  return both(
    Object.entries(value).map(([key, where]) => {
      if (key !== 'is' && key !== 'isNot') return wrong(notes, `"${relation.name}" has no filter "${key}"`)
      if (where === undefined) return wrong(notes, `"${relation.name}.${key}" is undefined, which Prisma ignores`)
      return readOne(key, where)
    }),
    notes,
  )
}

function readMany(relation: PolicyRelation, key: string, where: unknown, notes: Notes): Pair {
  if (where === undefined) return wrong(notes, `"${relation.name}.${key}" is undefined, which Prisma ignores`)
  const { matches, fails } = readFilter(relation.target, where, notes)
  const pair = (of: Condition): Pair => ({
    matches: related(relation, 'some', of),
    fails: of === false ? true : { [relation.name]: { none: toFilter(relation.target, of) } },
  })
  if (key === 'some') return pair(matches)
  if (key === 'none') return swap(pair(matches))
  if (key === 'every') return swap(pair(fails))
  return wrong(notes, `"${relation.name}" has no filter "${key}"`)
}

function related({ name, target }: PolicyRelation, operator: 'is' | 'some', condition: Condition): Condition {
  const where: Args = toFilter(target, condition)
  return condition === false ? false : { [name]: { [operator]: where } }
}

/** Logically, no row matches an empty `OR` or a negated `{}`. Prisma ignores both inside a filter, so more rows would match. */
function ignored(notes: Notes): never {
  return wrong(notes, 'it has an empty "OR" or "NOT", which Prisma ignores: the rule would hold for more rows')
}

function wrong(notes: Notes, what: string): never {
  throw new Error(`${notes.what} cannot be enforced: ${what}.`)
}
