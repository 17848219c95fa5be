import type { Limits } from '../../limits.js'
import type { Model, ModelRelation } from '../../schema/schema.js'
import { isObject } from '../../values/is-object.js'
import { isCombinator, isQuantified } from './where/filter-names.js'
import { type Path, limitExceeded } from './arguments.js'

/** How far a filter or an order reaches into relations. */
interface Reach {
  /** How often, in all. */
  readonly relations: number
  /** Through how many to-many relations, one inside the other. */
  readonly toManyDepth: number
}

const NOWHERE: Reach = { relations: 0, toManyDepth: 0 }

/** Refuses a checked filter that reaches into more relations than a database can plan a query for. */
export function assertFilterRelations(model: Model, filter: unknown, at: Path, limits: Limits): void {
  const { relations, toManyDepth } = reachOf(model, filter)
  requireFew(relations, at, limits)
  if (toManyDepth > limits.toManyDepth) {
    limitExceeded('toManyDepth', `${at} must not reach through more than ${limits.toManyDepth} to-many relations.`)
  }
}

/** Refuses a checked order that reaches into too many relations. Through a to-many relation it only counts. */
export function assertOrderRelations(model: Model, order: unknown, at: Path, limits: Limits): void {
  requireFew(reachOf(model, order).relations, at, limits)
}

function requireFew(relations: number, at: Path, limits: Limits): void {
  if (relations > limits.filterRelations) {
    limitExceeded('filterRelations', `${at} must not reach into relations more than ${limits.filterRelations} times.`)
  }
}

function reachOf(model: Model, tree: unknown): Reach {
  if (Array.isArray(tree)) return together(tree.map((part) => reachOf(model, part)))
  if (!isObject(tree)) return NOWHERE
  return together(
    Object.entries(tree).map(([key, member]) => {
      if (isCombinator(key)) return reachOf(model, member)
      const relation = model.relations.get(key)
      return relation ? reachThrough(relation, member) : NOWHERE
    }),
  )
}

function reachThrough(relation: ModelRelation, member: unknown): Reach {
  const parts = isObject(member) && isQuantified(relation, member) ? Object.values(member) : [member]
  const inside = together(parts.map((part) => reachOf(relation.target, part)))
  return {
    // To ask nothing of the related rows is to ask whether there are any.
    relations: Math.max(1, parts.length) + inside.relations,
    toManyDepth: (relation.many ? 1 : 0) + inside.toManyDepth,
  }
}

function together(parts: readonly Reach[]): Reach {
  return {
    relations: parts.reduce((sum, { relations }) => sum + relations, 0),
    toManyDepth: Math.max(0, ...parts.map(({ toManyDepth }) => toManyDepth)),
  }
}
