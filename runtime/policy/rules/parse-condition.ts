import { isBareToOneFilter } from '../../schema/filter-ambiguity.js'
import { hasFieldReference } from '../../values/field-reference.js'
import { isObject } from '../../values/is-object.js'
import { allOf, anyOf, type Condition, toFilter } from './condition.js'
import type { PolicyModel, PolicyRelation } from '../schema.js'
import { type Args, toArray } from '../args.js'

/** A rule's conditions, as two filters of which no row meets both. Neither is ever unknown, as SQL's comparisons with null are. */
export interface DecidedCondition {
  /** The rows that meet the conditions. */
  readonly holds: Condition
  /** The rows that do not: where a null leaves it open, they neither hold nor fail. */
  readonly fails: Condition
  /** False where a filter on Json or on a list may still be unknown to the database. */
  readonly isExact: boolean
}

/**
 * Reads the conditions of a rule: a Prisma `where` of the rule's model.
 * @param what begins the message where they are wrong
 * @throws Error where they hold what is no filter, or undefined: Prisma would ignore it, and the rule would hold for every row
 */
export function parseConditions(
  model: PolicyModel,
  conditions: unknown,
  what = `A rule on ${model.name}`,
): DecidedCondition {
  const notes: Notes = { what, isExact: true }
  const { holds, fails } = readFilter(model, conditions, notes)
  return { holds, fails, isExact: notes.isExact }
}

interface Notes {
  readonly what: string
  isExact: boolean
}

interface Pair extends Pick<DecidedCondition, 'holds' | 'fails'> {
  /** Whether Prisma ignores it: `{}`, or an empty `OR` inside another filter. Then `holds` is its logical value, true or false. */
  readonly isIgnored?: boolean
}

const ALWAYS: Pair = { holds: true, fails: false }
const NEVER: Pair = { holds: false, fails: true }

/** Reads a whole filter: that of a rule, or of a related row. */
function readFilter(model: PolicyModel, where: unknown, notes: Notes): Pair {
  const pair = readMembers(model, where, notes, 0)
  if (pair.isIgnored && pair.holds === false) return ignored(notes)
  return { holds: pair.holds, fails: pair.fails }
}

/** @param depth the number of `AND`, `OR` and `NOT` around it */
function readMembers(model: PolicyModel, where: unknown, notes: Notes, depth: number): Pair {
  if (!isObject(where)) return wrong(notes, 'a filter must be an object')
  return both(
    Object.entries(where).map(([key, value]) => readMember(model, key, value, notes, depth)),
    notes,
  )
}

function both(pairs: readonly Pair[], notes: Notes): Pair {
  const kept = pairs.filter(({ isIgnored }) => !isIgnored)
  const isIgnored = kept.length === 0
  if (!isIgnored && pairs.some((pair) => pair.isIgnored && pair.holds === false)) return ignored(notes)
  const of = isIgnored ? pairs : kept
  return { holds: allOf(of.map(({ holds }) => holds)), fails: anyOf(of.map(({ fails }) => fails)), isIgnored }
}

function either(pairs: readonly Pair[], depth: number): Pair {
  const kept = pairs.filter(({ isIgnored }) => !isIgnored)
  if (kept.length === 0 && depth === 0) return NEVER
  const isIgnored = kept.length === 0
  const of = isIgnored ? pairs : kept
  return { holds: anyOf(of.map(({ holds }) => holds)), fails: allOf(of.map(({ fails }) => fails)), isIgnored }
}

function swap({ holds, fails, isIgnored = false }: Pair): Pair {
  return { holds: fails, fails: holds, isIgnored }
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

/** Whether Prisma ignores the filter of a field or a relation. The `not` of Json is a value. */
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
  requireDefined(value, name, notes, field?.type === 'Json')
  const leaf = { [name]: value }
  if (field?.type === 'Json' || field?.list) {
    notes.isExact = false
    return { holds: leaf, fails: { NOT: leaf } }
  }
  if (hasFieldReference(value)) notes.isExact = false
  const asksForNull = value === null || (isObject(value) && (value['equals'] === null || value['not'] === null))
  if (!field?.optional || asksForNull) return { holds: leaf, fails: { NOT: leaf } }
  const known = { [name]: { not: null } }
  return { holds: { AND: [leaf, known] }, fails: { AND: [{ NOT: leaf }, known] } }
}

function requireDefined(value: unknown, name: string, notes: Notes, isJson: boolean): void {
  if (value === undefined) wrong(notes, `"${name}" holds undefined, which Prisma ignores`)
  if (Array.isArray(value)) for (const element of value) requireDefined(element, name, notes, isJson)
  else if (isObject(value)) for (const member of Object.values(value)) requireDefined(member, name, notes, isJson)
  else if (!isJson && !isValue(value)) wrong(notes, `"${name}" holds what is no value: Prisma may ignore it`)
}

/** A value of a field, or another column. `Prisma.skip` is none: it stands for nothing at all. */
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
    if (where === null) return operator === 'is' ? { holds: absent, fails: present } : { holds: present, fails: absent }
    const { holds, fails } = readFilter(relation.target, where, notes)
    const is: Pair = { holds: related(relation, 'is', holds), fails: anyOf([absent, related(relation, 'is', fails)]) }
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
  const { holds, fails } = readFilter(relation.target, where, notes)
  const pair = (of: Condition): Pair => ({
    holds: related(relation, 'some', of),
    fails: of === false ? true : { [relation.name]: { none: toFilter(relation.target, of) } },
  })
  if (key === 'some') return pair(holds)
  if (key === 'none') return swap(pair(holds))
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
