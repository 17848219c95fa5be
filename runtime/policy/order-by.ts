import { isObject } from '../values/is-object.js'
import { backOf, type Reading, type Used } from './read.js'
import type { PolicyModel } from './schema.js'
import { deny, given, listOf, type Tree, treeOf } from './tree.js'

/**
 * Notes the fields that rows are ordered by.
 * @throws PolicyError where rows would be ordered by rows of another model of which not all may be read: their order would tell
 * of them
 */
export function useOrderBy(reading: Reading, model: PolicyModel, orderBy: unknown, used: Used): void {
  for (const order of listOf(orderBy)) {
    for (const [key, value] of given(treeOf(order, 'What rows are ordered by')))
      useOrder(reading, model, key, value, used)
  }
}

function useOrder(reading: Reading, model: PolicyModel, key: string, value: unknown, used: Used): void {
  if (model.fields.has(key)) {
    used.add(key)
    return
  }
  if (key === '_relevance' && isObject(value)) {
    for (const field of listOf(value['fields'])) useField(model, field, used)
    return
  }
  const relation = model.relations.get(key)
  if (!relation) return deny(`Rows of ${model.name} cannot be ordered by "${key}" under access policies.`)
  const { target } = relation
  if (reading.rules.condition('read', target) !== true) {
    deny(`Rows cannot be ordered by "${key}": not every row of ${target.name} may be read.`)
  }
  for (const field of backOf(relation)) {
    if (reading.rules.condition('read', target, field) === true) continue
    deny(`Rows cannot be ordered by "${key}": "${field}" of ${target.name} may not always be read.`)
  }
  used.add(key)
  if (relation.many) return
  const below: Used = new Set()
  useOrderBy(reading, target, value, below)
  for (const field of below) {
    if (reading.rules.condition('read', target, field) === true) continue
    deny(`Rows cannot be ordered by "${field}" of "${key}": it may not always be read.`)
  }
}

/**
 * Notes the fields that aggregates and groups are made of: names, or objects that have names as keys.
 */
export function useNames(model: PolicyModel, names: unknown, used: Used): void {
  for (const name of listOf(names)) {
    if (isObject(name)) {
      for (const [field, value] of given(name)) {
        if (value !== false) useField(model, field, used)
      }
    } else if (typeof name !== 'boolean') useField(model, name, used)
  }
}

function useField(model: PolicyModel, name: unknown, used: Used): void {
  if (name === '_all') return
  if (typeof name === 'string' && model.fields.has(name)) used.add(name)
  else deny(`"${String(name)}" is no field of ${model.name} that can be used under access policies.`)
}

const AGGREGATES: ReadonlySet<string> = new Set(['_count', '_sum', '_avg', '_min', '_max'])

/** Notes the fields that aggregates among arguments are made of. */
export function useAggregates(model: PolicyModel, args: Tree, used: Used): void {
  for (const [key, value] of given(args)) if (AGGREGATES.has(key)) useNames(model, value, used)
}

/** Notes the fields that groups are ordered by. */
export function useGroupOrder(model: PolicyModel, orderBy: unknown, used: Used): void {
  for (const order of listOf(orderBy)) {
    for (const [key, value] of given(treeOf(order, 'What groups are ordered by'))) {
      useNames(model, AGGREGATES.has(key) ? value : key, used)
    }
  }
}

/** Notes the fields that groups are filtered by. */
export function useHaving(model: PolicyModel, having: unknown, used: Used): void {
  for (const where of listOf(having)) {
    for (const [key, value] of given(treeOf(where, '"having"'))) {
      if (key === 'AND' || key === 'OR' || key === 'NOT') useHaving(model, value, used)
      else useNames(model, AGGREGATES.has(key) ? value : key, used)
    }
  }
}
