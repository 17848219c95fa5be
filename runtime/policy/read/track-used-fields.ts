import { deny } from '../../errors/policy-error.js'
import { isObject } from '../../values/is-object.js'
import { definedEntries, toArray, type Args, asArgs } from '../args.js'
import { qualifiedName, ruleName, type PolicyModel, type PolicyRelation } from '../policy-schema.js'
import { type Condition, allOf, toFilter } from '../rules/condition.js'
import type { ReadContext, UsedFields } from './read-context.js'
import { inverseFields, readableCondition } from './readable-where.js'

/**
 * Collects the fields that rows are ordered by.
 * @param deferred collects sort orders by related rows that are not all readable. If omitted, such sort orders are rejected
 * @throws PolicyError if the sort order would reveal rows that are not readable
 */
export function trackOrderBy(
  readContext: ReadContext,
  model: PolicyModel,
  orderBy: unknown,
  used: UsedFields,
  deferred?: DeferredOrder[],
): void {
  for (const [index, order] of toArray(orderBy).entries()) {
    for (const [key, value] of definedEntries(asArgs(order, 'The order of rows'))) {
      const relation = model.relations.get(key)
      if (!relation || relation.many) useOrder(readContext, model, key, value, used)
      else {
        used.add(key)
        const condition = relatedOrder(readContext, relation, value)
        if (condition === true || isImplied(readContext, model, key, condition)) continue
        if (!deferred) return denyOrder(model, relation)
        deferred.push({ relation, condition, index })
      }
    }
  }
}

/** Returns the condition that a related row must meet so that rows may be ordered by it and by its own related rows. */
function relatedOrder(readContext: ReadContext, relation: PolicyRelation, orderBy: unknown): Args | true {
  const { name, target } = relation
  const used = inverseFields(relation)
  const below: Condition[] = []
  for (const order of toArray(orderBy)) {
    for (const [key, value] of definedEntries(asArgs(order, 'The order of rows'))) {
      const next = target.relations.get(key)
      if (!next || next.many) useOrder(readContext, target, key, value, used)
      else {
        used.add(key)
        const condition = relatedOrder(readContext, next, value)
        if (condition !== true) below.push({ [key]: { is: condition } })
      }
    }
  }
  for (const field of used) {
    if (readContext.rules.condition('read', target, field) !== false) continue
    deny(
      `Rows cannot be ordered through "${name}": ${qualifiedName(target, field)} is not readable, because no rule ${ruleName('read', target, field)} applies.`,
    )
  }
  return relatedOrderCondition(target, [...readableCondition(readContext, target, used), ...below])
}

function useOrder(readContext: ReadContext, model: PolicyModel, key: string, value: unknown, used: UsedFields): void {
  if (model.fields.has(key)) {
    used.add(key)
    return
  }
  if (key === '_relevance' && isObject(value)) {
    for (const field of toArray(value['fields'])) useField(model, field, used)
    return
  }
  const relation = model.relations.get(key)
  if (!relation) return deny(`Rows of ${model.name} cannot be ordered by "${key}" under access policies.`)
  const { target } = relation
  if (readContext.rules.condition('read', target) !== true) {
    deny(`Rows cannot be ordered by "${key}": not all rows of ${target.name} are readable.`)
  }
  for (const field of inverseFields(relation)) {
    if (readContext.rules.condition('read', target, field) === true) continue
    deny(`Rows cannot be ordered by "${key}": ${qualifiedName(target, field)} is not readable in all rows.`)
  }
  used.add(key)
}

/** Collects the fields of aggregates and groups. `names` contains names, or objects with names as keys. */
export function trackFieldNames(model: PolicyModel, names: unknown, used: UsedFields): void {
  for (const name of toArray(names)) {
    if (isObject(name)) {
      for (const [field, value] of definedEntries(name)) {
        if (value !== false) useField(model, field, used)
      }
    } else if (typeof name !== 'boolean') useField(model, name, used)
  }
}

function useField(model: PolicyModel, name: unknown, used: UsedFields): void {
  if (name === '_all') return
  if (typeof name === 'string' && model.fields.has(name)) used.add(name)
  else deny(`"${String(name)}" is not a field of ${model.name} that access policies allow here.`)
}

const AGGREGATES: ReadonlySet<string> = new Set(['_count', '_sum', '_avg', '_min', '_max'])

/** Collects the fields of aggregates in arguments. */
export function trackAggregates(model: PolicyModel, args: Args, used: UsedFields): void {
  for (const [key, value] of definedEntries(args)) if (AGGREGATES.has(key)) trackFieldNames(model, value, used)
}

/** Collects the fields that groups are ordered by. */
export function trackGroupOrder(model: PolicyModel, orderBy: unknown, used: UsedFields): void {
  for (const order of toArray(orderBy)) {
    for (const [key, value] of definedEntries(asArgs(order, 'The order of groups'))) {
      trackFieldNames(model, AGGREGATES.has(key) ? value : key, used)
    }
  }
}

/** Collects the fields that groups are filtered by. */
export function trackHaving(model: PolicyModel, having: unknown, used: UsedFields): void {
  for (const where of toArray(having)) {
    for (const [key, value] of definedEntries(asArgs(where, '"having"'))) {
      if (key === 'AND' || key === 'OR' || key === 'NOT') trackHaving(model, value, used)
      else trackFieldNames(model, AGGREGATES.has(key) ? value : key, used)
    }
  }
}

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
function isImplied({ rules }: ReadContext, model: PolicyModel, name: string, condition: Args): boolean {
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
function relatedOrderCondition(target: PolicyModel, conditions: readonly Condition[]): Args | true {
  const condition = allOf(conditions)
  return condition === true ? true : toFilter(target, condition)
}
