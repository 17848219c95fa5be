import { type Limits, costLimitMessage } from '../../limits.js'
import { filterCost, orderCost, sumBy } from '../../prisma/filter-cost.js'
import type { Model, ModelRelation } from '../../schema/model.js'
import { isObject } from '../../values/is-object.js'
import { type Args, limitExceeded, isCombinator, isQuantified, type Path } from './argument-helpers.js'

/** Nested writes whose value is a condition. */
const CONDITIONS: ReadonlySet<string> = new Set(['connect', 'disconnect', 'delete', 'deleteMany', 'set'])

/**
 * Rejects arguments whose conditions and sort orders, at any depth, are too expensive for the database.
 * @param args the validated arguments of a call
 */
export function assertCost(model: Model, args: Args, limits: Limits): void {
  const cost = argumentsCost(model, args)
  if (cost > limits.filterCost) limitExceeded('filterCost', costLimitMessage(cost, limits))
}

/** Returns the cost of all conditions and sort orders of a call, in points. */
export function argumentsCost(model: Model, args: Args): number {
  const { where, cursor, having, orderBy, select, include, data, create, update } = args
  return (
    filterCost(model, where) +
    filterCost(model, cursor) +
    filterCost(model, having) +
    orderCost(model, orderBy) +
    selectionCost(model, select) +
    selectionCost(model, include) +
    dataCost(model, data) +
    dataCost(model, create) +
    dataCost(model, update)
  )
}

function selectionCost(model: Model, selection: unknown): number {
  if (!isObject(selection)) return 0
  return sumBy(Object.entries(selection), ([name, member]) => {
    const target = name === '_count' ? model : model.relations.get(name)?.target
    return target && isObject(member) ? argumentsCost(target, member) : 0
  })
}

function dataCost(model: Model, data: unknown): number {
  if (Array.isArray(data)) return sumBy(data, (row) => dataCost(model, row))
  if (!isObject(data)) return 0
  return sumBy(Object.entries(data), ([name, member]) => {
    const relation = model.relations.get(name)
    if (!relation || !isObject(member)) return 0
    return sumBy(Object.entries(member), ([operation, write]) => writeCost(relation.target, operation, write))
  })
}

function writeCost(model: Model, operation: string, write: unknown): number {
  if (CONDITIONS.has(operation)) return filterCost(model, write)
  if (Array.isArray(write)) return sumBy(write, (part) => writeCost(model, operation, part))
  if (!isObject(write)) return 0
  // The write is the data of a row, or contains data and a condition.
  return dataCost(model, write) + argumentsCost(model, write)
}

/** The number of relations that a filter or a sort order traverses. */
interface RelationCount {
  /** The total number of relations. */
  readonly relations: number
  /** The maximum nesting depth of to-many relations. */
  readonly toManyDepth: number
}

const NO_RELATIONS: RelationCount = { relations: 0, toManyDepth: 0 }

/** Rejects a validated filter that traverses more relations than a database can plan a query for. */
export function assertFilterRelations(model: Model, filter: unknown, path: Path, limits: Limits): void {
  const { relations, toManyDepth } = countRelations(model, filter)
  assertRelationCount(relations, path, limits)
  if (toManyDepth > limits.toManyDepth) {
    limitExceeded('toManyDepth', `${path} must not traverse more than ${limits.toManyDepth} nested to-many relations.`)
  }
}

/**
 * Rejects a validated sort order that traverses too many relations. A sort order uses only the number of rows of a to-many relation, so the
 * depth of to-many relations is not limited.
 */
export function assertOrderRelations(model: Model, order: unknown, path: Path, limits: Limits): void {
  assertRelationCount(countRelations(model, order).relations, path, limits)
}

function assertRelationCount(relations: number, path: Path, limits: Limits): void {
  if (relations > limits.filterRelations) {
    limitExceeded('filterRelations', `${path} must not traverse relations more than ${limits.filterRelations} times.`)
  }
}

function countRelations(model: Model, tree: unknown): RelationCount {
  if (Array.isArray(tree)) return addCounts(tree.map((part) => countRelations(model, part)))
  if (!isObject(tree)) return NO_RELATIONS
  return addCounts(
    Object.entries(tree).map(([key, member]) => {
      if (isCombinator(key)) return countRelations(model, member)
      const relation = model.relations.get(key)
      return relation ? countThrough(relation, member) : NO_RELATIONS
    }),
  )
}

function countThrough(relation: ModelRelation, member: unknown): RelationCount {
  const parts = isObject(member) && isQuantified(relation, member) ? Object.values(member) : [member]
  const nested = addCounts(parts.map((part) => countRelations(relation.target, part)))
  return {
    // An empty filter on related rows still checks whether they exist.
    relations: Math.max(1, parts.length) + nested.relations,
    toManyDepth: (relation.many ? 1 : 0) + nested.toManyDepth,
  }
}

function addCounts(parts: readonly RelationCount[]): RelationCount {
  return {
    relations: parts.reduce((sum, { relations }) => sum + relations, 0),
    toManyDepth: Math.max(0, ...parts.map(({ toManyDepth }) => toManyDepth)),
  }
}
