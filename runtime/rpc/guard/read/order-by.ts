import type { Limits } from '../../../limits.js'
import type { Model } from '../../../schema/schema.js'
import { isObject } from '../../../values/is-object.js'
import { readableField, requireRead } from '../permissions.js'
import { requireOrderReach } from '../reach.js'
import { type Args, below, choiceAt, objectAt, oneOrMany, type Path, refuseName, refuseValue } from '../refuse.js'
import { scalarOperand } from '../where/scalar-filter.js'

const DIRECTIONS = ['asc', 'desc'] as const
const AGGREGATES: ReadonlySet<string> = new Set(['_count', '_avg', '_sum', '_min', '_max'])

/** Checks the order of rows: by fields, by related rows, and by how many related rows there are. */
export function orderBy(model: Model, value: unknown, at: Path, limits: Limits): Args | Args[] {
  const order = oneOrMany(value, at, limits, (element, at) => rowOrder(model, element, at, limits))
  requireOrderReach(model, order, at, limits)
  return order
}

/** Checks the order of groups, in `groupBy`: by fields and by their aggregates. */
export function groupOrderBy(model: Model, value: unknown, at: Path, limits: Limits): Args | Args[] {
  return oneOrMany(value, at, limits, (element, at) => {
    const order: Args = {}
    for (const [key, member] of Object.entries(objectAt(element, at))) {
      order[key] = AGGREGATES.has(key)
        ? aggregateOrder(model, member, below(at, key))
        : fieldOrder(model, key, member, at, limits)
    }
    return order
  })
}

function rowOrder(model: Model, value: unknown, at: Path, limits: Limits): Args {
  const order: Args = {}
  for (const [key, member] of Object.entries(objectAt(value, at))) {
    const path = below(at, key)
    const relation = model.relations.get(key)
    if (!relation) {
      order[key] = fieldOrder(model, key, member, at, limits)
      continue
    }
    requireRead(relation, path)
    order[key] = relation.many ? countOrder(member, path) : rowOrder(relation.target, member, path, limits)
  }
  return order
}

function fieldOrder(model: Model, key: string, value: unknown, at: Path, limits: Limits): unknown {
  const path = below(at, key)
  if (key === '_relevance') return relevanceOrder(model, value, path, limits)
  readableField(model, key, at)
  if (!isObject(value)) return choiceAt(value, DIRECTIONS, path)
  const order: Args = {}
  for (const [part, choice] of Object.entries(value)) {
    if (part === 'sort') order[part] = choiceAt(choice, DIRECTIONS, below(path, part))
    else if (part === 'nulls') order[part] = choiceAt(choice, ['first', 'last'], below(path, part))
    else refuseName(part, path)
  }
  return order
}

function countOrder(value: unknown, at: Path): Args {
  const order: Args = {}
  for (const [key, direction] of Object.entries(objectAt(value, at))) {
    if (key !== '_count') refuseName(key, at)
    order[key] = choiceAt(direction, DIRECTIONS, below(at, key))
  }
  return order
}

function aggregateOrder(model: Model, value: unknown, at: Path): Args {
  const order: Args = {}
  for (const [key, direction] of Object.entries(objectAt(value, at))) {
    readableField(model, key, at)
    order[key] = choiceAt(direction, DIRECTIONS, below(at, key))
  }
  return order
}

function relevanceOrder(model: Model, value: unknown, at: Path, limits: Limits): Args {
  const order: Args = {}
  for (const [key, member] of Object.entries(objectAt(value, at))) {
    const path = below(at, key)
    if (key === 'fields') order[key] = oneOrMany(member, path, limits, (name, at) => fieldName(model, name, at))
    else if (key === 'search') order[key] = scalarOperand({ type: 'String' }, member, path)
    else if (key === 'sort') order[key] = choiceAt(member, DIRECTIONS, path)
    else refuseName(key, at)
  }
  return order
}

/** Takes a value as the name of a field that may be read. */
export function fieldName(model: Model, value: unknown, at: Path): string {
  if (typeof value !== 'string') return refuseValue(at, 'must be the name of a field')
  readableField(model, value, at)
  return value
}
