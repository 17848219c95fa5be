import type { Field } from '../schema/resource.js'
import type { Model, ModelRelation } from '../schema/schema.js'
import { isToOneQuantifier } from '../schema/filter-ambiguity.js'
import { referencedField } from '../values/field-reference.js'
import { isObject } from '../values/is-object.js'

/*
 * What a condition costs, as far as it can be told without the database: as if each row of the largest table had to be looked at, with
 * no index that helps. One point is one plain comparison with each row. The weights were measured, on SQLite and Postgres (bench/worst-case.ts):
 * with a million rows, some 70 points take a second.
 */

/** To look for a text inside of each row's. */
const TEXT = 10
/** The same without regard to case, for which Postgres makes each text anew. */
const ANY_CASE = 30
/** Full-text search: without an index that Prisma's query could use, each row's words are made first. */
export const FULL_TEXT_COST = 60
/** To take a value out of each row's JSON. */
const JSON_VALUE = 10
/** To order by a related row's field: all rows are joined before the first one is known. */
const ORDER_THROUGH = 15
/** What a text costs more, where each member of a relation to many has a row of its own looked up for it: the row is read out of its order. */
const LOOKED_UP = 8
/** So many values of a list are as one comparison: databases look them up. */
const LIST = 200
/** Of a list that each row holds. */
const ROW_LIST = 10
/** A relation to many, in the third power of how many there are in one condition. */
const MANY = 5
/** For so many a relation counts that leads back to the members of what several rows share: each of them is looked at for each other. */
const SIBLINGS = 5

/** What a condition was found to ask for. */
interface Found {
  /** Points of comparisons. */
  work: number
  /** Relations to many, and those behind them: of each, there may be as many rows as the largest table has. */
  many: number
}

/** Where in a condition. */
interface Place {
  /** Whether a relation to many was reached through. */
  readonly isBehindMany: boolean
  /** Whether the row may be reached from several others, so that whatever is reached through it is looked at again for each. */
  readonly isShared: boolean
  /** Whether the row is looked up for each member of a relation to many. */
  readonly isLookedUp: boolean
  /** Whether a condition by id stands beside others that no index finds rows for, so that it is compared as they are. */
  readonly isLoose: boolean
}

const START: Place = { isBehindMany: false, isShared: false, isLookedUp: false, isLoose: false }

/**
 * Reckons what a `where` costs.
 * @param where as Prisma takes it
 * @returns points, of which one stands for a plain comparison with each row of a table
 */
export function filterCost(model: Model, where: unknown): number {
  const found: Found = { work: 0, many: 0 }
  addFilter(found, model, where, START)
  return costOf(found)
}

/** Reckons what an `orderBy` costs, beyond ordering as such. */
export function orderCost(model: Model, orderBy: unknown): number {
  const found: Found = { work: 0, many: 0 }
  addOrder(found, model, orderBy)
  return costOf(found)
}

function costOf({ work, many }: Found): number {
  return work + MANY * many ** 3
}

function addFilter(found: Found, model: Model, filter: unknown, place: Place): void {
  if (Array.isArray(filter)) {
    for (const part of filter) addFilter(found, model, part, place)
    return
  }
  if (!isObject(filter)) return
  const pinned = place.isLoose ? [] : pinnedFields(model, filter)
  for (const [key, member] of Object.entries(filter)) {
    if (member === undefined || pinned.includes(key)) continue
    const relation = model.relations.get(key)
    const field = model.fields.get(key)
    if (key === 'AND') addFilter(found, model, member, place)
    else if (key === 'OR')
      addFilter(found, model, member, isPinned(model, member) ? place : { ...place, isLoose: true })
    else if (key === 'NOT') addFilter(found, model, member, { ...place, isLoose: true })
    else if (relation) addRelation(found, model, relation, member, place)
    else if (field) found.work += placedCost(fieldCost(field, member), place)
  }
}

function placedCost(cost: number, { isLookedUp }: Place): number {
  return isLookedUp && cost >= TEXT ? cost * LOOKED_UP : cost
}

/** The fields of a filter that tell a row, or some, by a unique criterion: there is an index for it. */
function pinnedFields({ uniques }: Model, filter: Readonly<Record<string, unknown>>): readonly string[] {
  for (const fields of uniques.values()) if (fields.every((name) => isEquality(filter[name]))) return fields
  return []
}

function isPinned(model: Model, branches: unknown): boolean {
  if (!Array.isArray(branches)) return false
  return branches.every((branch) => isObject(branch) && pinnedFields(model, branch).length > 0)
}

function isEquality(filter: unknown): boolean {
  if (filter === undefined || filter === null) return false
  if (!isObject(filter)) return true
  // No index finds the rows in which two fields are equal.
  return Object.entries(filter).every(([key, operand]) => {
    return key === 'in' || (key === 'equals' && referencedField(operand) === undefined)
  })
}

function addRelation(found: Found, model: Model, relation: ModelRelation, filter: unknown, place: Place): void {
  if (!isObject(filter)) {
    found.work += 1
    return
  }
  const isQuantified = relation.many || isToOneQuantifier(relation, filter)
  for (const part of isQuantified ? Object.values(filter) : [filter]) {
    if (relation.many) found.many += place.isShared ? 1 + SIBLINGS : 1
    else if (place.isBehindMany) found.many += 1
    else found.work += 1
    if (part === null) continue
    addFilter(found, relation.target, part, {
      isBehindMany: place.isBehindMany || relation.many === true,
      isShared: isOfOne(model, relation) ? relation.many !== true && place.isShared : true,
      isLookedUp: place.isBehindMany && relation.many !== true,
      isLoose: place.isLoose,
    })
  }
}

/** Whether a related row belongs to one row only: no other one leads to it. */
function isOfOne({ uniques }: Model, { many, foreignKey, back }: ModelRelation): boolean {
  if (many) return back?.foreignKey !== undefined
  if (!foreignKey) return true
  const key = Object.keys(foreignKey)
  return [...uniques.values()].some((fields) => fields.every((name) => key.includes(name)))
}

/** @param isAnyCase whether the filter that it stands in has said so: it holds for `not` too, which has no `mode` of its own */
function fieldCost(field: Field, filter: unknown, isAnyCase = false): number {
  if (!isObject(filter)) return isAnyCase ? ANY_CASE : 1
  const anyCase = isAnyCase || filter['mode'] === 'insensitive'
  if (field.type === 'Json') return (anyCase ? ANY_CASE : JSON_VALUE) * comparisonsOf(filter)
  let cost = 0
  for (const [operator, operand] of Object.entries(filter)) cost += operatorCost(field, operator, operand, anyCase)
  return cost
}

function operatorCost(field: Field, operator: string, operand: unknown, anyCase: boolean): number {
  const values = Array.isArray(operand) ? operand.length : 1
  switch (operator) {
    case 'mode':
      return 0
    case 'search':
      return FULL_TEXT_COST
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return anyCase ? ANY_CASE : TEXT
    case 'in':
    case 'notIn':
      return anyCase ? ANY_CASE * values : 1 + Math.floor(values / LIST)
    case 'hasSome':
    case 'hasEvery':
      return 1 + Math.floor(values / ROW_LIST)
    default:
      // `not`, and in `having` an aggregate, hold a filter of their own.
      return isObject(operand) && referencedField(operand) === undefined
        ? fieldCost(field, operand, anyCase)
        : anyCase
          ? ANY_CASE
          : 1
  }
}

/** How often a filter of JSON takes the value out: once for each of its comparisons. */
function comparisonsOf(filter: Readonly<Record<string, unknown>>): number {
  return Math.max(1, Object.keys(filter).filter((key) => key !== 'path' && key !== 'mode').length)
}

function addOrder(found: Found, model: Model, order: unknown): void {
  if (Array.isArray(order)) {
    for (const part of order) addOrder(found, model, part)
    return
  }
  if (!isObject(order)) return
  for (const [key, member] of Object.entries(order)) {
    const relation = model.relations.get(key)
    if (relation?.many) found.many += 1
    else if (relation) {
      found.work += ORDER_THROUGH
      addOrder(found, relation.target, member)
    } else found.work += key === '_relevance' ? FULL_TEXT_COST : 1
  }
}
