import type { Limits } from '../../limits.js'
import type { Model, ModelRelation } from '../../schema/model.js'
import { isObject } from '../../values/is-object.js'
import { isCombinator, isQuantified, type Path, limitExceeded } from './argument-helpers.js'

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
