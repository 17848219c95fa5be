import { isObject } from '../../values/is-object.js'
import type { Condition } from '../rules/condition.js'
import { denyOrder, isImplied, type DeferredOrder, relatedOrderCondition } from './relation-order.js'
import { inverseFields, readableCondition, type ReadContext, type UsedFields } from './context.js'
import { qualifiedName, ruleName, type PolicyModel, type PolicyRelation } from '../schema.js'
import { deny, definedMembers, toArray, type Args, asArgs } from '../args.js'

/**
 * Collects the fields that rows are ordered by.
 * @param late collects orders by related rows that are not all readable. Without it, such orders are rejected
 * @throws PolicyError if the order would reveal rows that are not readable
 */
export function trackOrderBy(
  reading: ReadContext,
  model: PolicyModel,
  orderBy: unknown,
  used: UsedFields,
  late?: DeferredOrder[],
): void {
  for (const [index, order] of toArray(orderBy).entries()) {
    for (const [key, value] of definedMembers(asArgs(order, 'What rows are ordered by'))) {
      const relation = model.relations.get(key)
      if (!relation || relation.many) useOrder(reading, model, key, value, used)
      else {
        used.add(key)
        const condition = relatedOrder(reading, relation, value)
        if (condition === true || isImplied(reading, model, key, condition)) continue
        if (!late) return denyOrder(model, relation)
        late.push({ relation, condition, index })
      }
    }
  }
}

/** Returns the condition that a related row must meet so that rows may be ordered by it and its own related rows. */
function relatedOrder(reading: ReadContext, relation: PolicyRelation, orderBy: unknown): Args | true {
  const { name, target } = relation
  const used = inverseFields(relation)
  const below: Condition[] = []
  for (const order of toArray(orderBy)) {
    for (const [key, value] of definedMembers(asArgs(order, 'What rows are ordered by'))) {
      const next = target.relations.get(key)
      if (!next || next.many) useOrder(reading, target, key, value, used)
      else {
        used.add(key)
        const condition = relatedOrder(reading, next, value)
        if (condition !== true) below.push({ [key]: { is: condition } })
      }
    }
  }
  for (const field of used) {
    if (reading.rules.condition('read', target, field) !== false) continue
    deny(
      `Rows cannot be ordered through "${name}": ${qualifiedName(target, field)} may not be read: no rule ${ruleName('read', target, field)} applies.`,
    )
  }
  return relatedOrderCondition(target, [...readableCondition(reading, target, used), ...below])
}

function useOrder(reading: ReadContext, model: PolicyModel, key: string, value: unknown, used: UsedFields): void {
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
  if (reading.rules.condition('read', target) !== true) {
    deny(`Rows cannot be ordered by "${key}": not every row of ${target.name} may be read.`)
  }
  for (const field of inverseFields(relation)) {
    if (reading.rules.condition('read', target, field) === true) continue
    deny(`Rows cannot be ordered by "${key}": ${qualifiedName(target, field)} may not always be read.`)
  }
  used.add(key)
}

/** Collects the fields of aggregates and groups. `names` contains names, or objects with names as keys. */
export function trackFieldNames(model: PolicyModel, names: unknown, used: UsedFields): void {
  for (const name of toArray(names)) {
    if (isObject(name)) {
      for (const [field, value] of definedMembers(name)) {
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
  for (const [key, value] of definedMembers(args)) if (AGGREGATES.has(key)) trackFieldNames(model, value, used)
}

/** Collects the fields that groups are ordered by. */
export function trackGroupOrder(model: PolicyModel, orderBy: unknown, used: UsedFields): void {
  for (const order of toArray(orderBy)) {
    for (const [key, value] of definedMembers(asArgs(order, 'What groups are ordered by'))) {
      trackFieldNames(model, AGGREGATES.has(key) ? value : key, used)
    }
  }
}

/** Collects the fields that groups are filtered by. */
export function trackHaving(model: PolicyModel, having: unknown, used: UsedFields): void {
  for (const where of toArray(having)) {
    for (const [key, value] of definedMembers(asArgs(where, '"having"'))) {
      if (key === 'AND' || key === 'OR' || key === 'NOT') trackHaving(model, value, used)
      else trackFieldNames(model, AGGREGATES.has(key) ? value : key, used)
    }
  }
}
