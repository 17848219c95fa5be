import type { Field } from '../schema/resource.js'
import type { Model, ModelRelation } from '../schema/model.js'
import { isToOneQuantifier } from '../schema/keyword-named-fields.js'
import { referencedField } from '../values/prisma-values.js'
import { isObject } from '../values/is-object.js'

/*
 * Estimates the cost of conditions without querying the database. One point is one plain comparison with each row of a table. The
 * weights were measured on SQLite and PostgreSQL (bench/parts/worst.ts): with a million rows, about 70 points take a second.
 */

/** A text match. */
const TEXT = 10
/** A text match that ignores case. PostgreSQL converts the case of each text first. */
const ANY_CASE = 30
/** Full-text search. Prisma's query does not use an index, so the database splits each row's text into words first. */
export const FULL_TEXT_COST = 60
/** A comparison with a value inside a JSON column. */
const JSON_VALUE = 10
/** A sort order by a related row's field or by the number of related rows: the database joins all rows before it returns the first one. */
const ORDER_THROUGH = 15
/** The number of list values that cost one point. Databases look up a value in the list instead of comparing it with each element. */
const LIST = 200
/** The same for a list that is compared with a list column. */
const ROW_LIST = 10
/**
 * The number of nested relations that a condition can traverse at the cost of one comparison each. Filters over three relations (contract
 * 4.2) must work on tables of any size.
 */
const NEAR = 3
/**
 * The cost of each further relation, if any relation on the path is to-many. The number of visited rows may multiply with each relation.
 */
const FAR = 50
/**
 * The additional cost of a text match or a JSON comparison with rows that the database may visit once per row of another table, such as
 * the comments by a comment's author. Each condition on a field costs a quarter of this more. Two text matches exceed the default limit,
 * because databases plan one of them far better than several.
 */
const REPEATED = 60

/** The position of a condition in a filter. */
interface FilterPosition {
  /** The number of relations on the path to it. */
  readonly depth: number
  /** Whether one of them is to-many. */
  readonly isToMany: boolean
  /** Whether several rows can share the related row at this position. */
  readonly isShared: boolean
  /**
   * The additional cost of each text match and Json comparison, if a to-many relation follows such a shared row. Without a better plan, the
   * database visits the related rows repeatedly.
   */
  readonly surcharge: number
  /**
   * Whether a condition on the id is combined with conditions that no index supports, so that the database compares it with every row too.
   */
  readonly isScan: boolean
}

const START: FilterPosition = { depth: 0, isToMany: false, isShared: false, surcharge: 0, isScan: false }

/**
 * Estimates the cost of a `where` in points.
 * @param where as Prisma accepts it
 */
export function filterCost(model: Model, where: unknown, position = START): number {
  if (Array.isArray(where)) return sumBy(where, (part) => filterCost(model, part, position))
  if (!isObject(where)) return 0
  const pinned = position.isScan ? [] : pinnedFields(model, where)
  return sumBy(Object.entries(where), ([key, member]) => {
    if (member === undefined || pinned.includes(key)) return 0
    if (key === 'AND' || key === 'OR' || key === 'NOT') {
      const isScan = key === 'NOT' || (key === 'OR' && !isPinned(model, member))
      return filterCost(model, member, isScan ? { ...position, isScan } : position)
    }
    const relation = model.relations.get(key)
    if (relation) return relationCost(model, relation, member, position)
    const field = model.fields.get(key)
    return field ? fieldCost(field, member, position.surcharge) + position.surcharge / 4 : 0
  })
}

/** Returns the sum of the costs of all parts. */
export function sumBy<T>(parts: readonly T[], getCost: (part: T) => number): number {
  return parts.reduce((sum, part) => sum + getCost(part), 0)
}

/** Returns the fields of a filter that identify rows by a unique criterion, which has an index. */
function pinnedFields({ uniques }: Model, filter: Readonly<Record<string, unknown>>): readonly string[] {
  return [...uniques.values()].find((fields) => fields.every((name) => isEquality(filter[name]))) ?? []
}

function isPinned(model: Model, branches: unknown): boolean {
  if (!Array.isArray(branches)) return false
  return branches.every((branch) => isObject(branch) && pinnedFields(model, branch).length > 0)
}

function isEquality(filter: unknown): boolean {
  if (filter === undefined || filter === null) return false
  if (!isObject(filter)) return true
  // An index cannot find the rows in which two fields are equal.
  return Object.entries(filter).every(([key, operand]) => {
    return key === 'in' || (key === 'equals' && referencedField(operand) === undefined)
  })
}

function relationCost(model: Model, relation: ModelRelation, filter: unknown, position: FilterPosition): number {
  const isToMany = relation.many === true
  const nested = {
    ...position,
    depth: position.depth + 1,
    isToMany: position.isToMany || isToMany,
    isShared: position.isShared || isShared(model, relation),
    ...(position.isShared && isToMany && { surcharge: REPEATED }),
  }
  const step = nested.isToMany && nested.depth > NEAR ? FAR : 1
  const isQuantified = isObject(filter) && (isToMany || isToOneQuantifier(relation, filter))
  const parts = isQuantified ? Object.values(filter) : [filter]
  return sumBy(parts, (part) => step + filterCost(relation.target, part, nested))
}

/** Whether several rows of a model can be related to the same row. */
function isShared({ uniques }: Model, { foreignKey, inverseRelation }: ModelRelation): boolean {
  if (!foreignKey) return inverseRelation?.many === true
  return ![...uniques.values()].some((fields) => fields.every((name) => Object.hasOwn(foreignKey, name)))
}

/**
 * @param surcharge the additional cost of each text match and of each Json comparison
 * @param isAnyCase whether an enclosing filter ignores case; this also applies to `not`, which has no `mode`
 */
function fieldCost(field: Field, filter: unknown, surcharge: number, isAnyCase = false): number {
  if (!isObject(filter)) return isAnyCase ? ANY_CASE : 1
  const anyCase = isAnyCase || filter['mode'] === 'insensitive'
  if (field.type === 'Json') return ((anyCase ? ANY_CASE : JSON_VALUE) + surcharge) * comparisonsOf(filter)
  const operators = Object.entries(filter)
  return sumBy(operators, ([operator, operand]) => operatorCost(field, operator, operand, surcharge, anyCase))
}

function operatorCost(field: Field, operator: string, operand: unknown, surcharge: number, anyCase: boolean): number {
  const values = Array.isArray(operand) ? operand.length : 1
  switch (operator) {
    case 'mode':
      return 0
    case 'search':
      return FULL_TEXT_COST + surcharge
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return (anyCase ? ANY_CASE : TEXT) + surcharge
    case 'in':
    case 'notIn':
      return anyCase ? ANY_CASE * values : 1 + Math.floor(values / LIST)
    case 'hasSome':
    case 'hasEvery':
      return 1 + Math.floor(values / ROW_LIST)
    default:
      // `not`, and aggregates in `having`, contain a nested filter. A referenced field costs as much as a value.
      return fieldCost(field, referencedField(operand) === undefined ? operand : undefined, surcharge, anyCase)
  }
}

/** Returns the number of comparisons in a JSON filter. The database extracts the value for each of them. */
function comparisonsOf(filter: Readonly<Record<string, unknown>>): number {
  return Math.max(1, Object.keys(filter).filter((key) => key !== 'path' && key !== 'mode').length)
}

/** Estimates the cost of an `orderBy` in points. */
export function orderCost(model: Model, orderBy: unknown): number {
  if (Array.isArray(orderBy)) return sumBy(orderBy, (part) => orderCost(model, part))
  if (!isObject(orderBy)) return 0
  return sumBy(Object.entries(orderBy), ([key, member]) => {
    const relation = model.relations.get(key)
    if (!relation) return key === '_relevance' ? FULL_TEXT_COST : 1
    return ORDER_THROUGH + (relation.many ? 0 : orderCost(relation.target, member))
  })
}
