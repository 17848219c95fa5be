import { isObject } from '../../values/is-object.js'
import { allOf, type Condition, toFilter } from '../rules/condition.js'
import type { ReadContext } from './read-context.js'
import type { PolicyModel, PolicyRelation } from '../policy-schema.js'
import { toArray, type Args } from '../args.js'
import { deny } from '../../errors/policy-error.js'

/** A sort order by a related row that is not always readable. */
export interface DeferredOrder {
  readonly relation: PolicyRelation
  /** The condition that the related row must meet. */
  readonly condition: Args
  /** The index in the list of sort orders. */
  readonly index: number
}

/**
 * Whether the read rule of the model itself requires a related row that meets a condition. The sort order then depends only on readable
 * rows.
 */
export function isImplied({ rules }: ReadContext, model: PolicyModel, name: string, condition: Args): boolean {
  return implies(rules.condition('read', model), name, condition)
}

function implies(rule: Condition | unknown, name: string, condition: Args): boolean {
  if (!isObject(rule)) return false
  return Object.entries(rule).some(([key, value]) => {
    if (key === 'AND') return toArray(value).some((part) => implies(part, name, condition))
    if (key === 'OR') return toArray(value).length > 0 && toArray(value).every((part) => implies(part, name, condition))
    if (key !== name || !isObject(value) || !isObject(value['is'])) return false
    const ruleParts = new Set(listParts(value['is']))
    return listParts(condition).every((part) => ruleParts.has(part))
  })
}

/** Splits a filter into the parts that AND combines, each serialized as a string. */
function listParts(filter: Args): string[] {
  return Object.entries(filter).flatMap(([key, value]) => {
    if (key === 'AND') return toArray(value).flatMap((part) => (isObject(part) ? listParts(part) : []))
    return [textOf({ [key]: value })]
  })
}

function textOf(filter: Args): string {
  return JSON.stringify(filter, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/**
 * Rejects a sort order by related rows, and describes the alternatives.
 * @throws PolicyError
 */
export function denyOrder(model: PolicyModel, { name, target }: PolicyRelation): never {
  return deny(
    `Rows cannot be ordered by "${name}" here: not all rows of ${target.name} are readable. Order by "${name}" first, in a ` +
      `"findMany" without "cursor" or "distinct", or repeat the rule on ${target.name} in the rule on ${model.name}, as in ` +
      `can('read', '${model.name}', { ${name}: { … } }) next to can('read', '${target.name}', { … }).`,
  )
}

/**
 * Returns the filter that a related row must match so that rows may be ordered by it. Rows match if they are readable, including the fields
 * in the sort order.
 */
export function relatedOrderCondition(target: PolicyModel, conditions: readonly Condition[]): Args | true {
  const condition = allOf(conditions)
  return condition === true ? true : toFilter(target, condition)
}
