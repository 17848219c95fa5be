import type { Limits } from '../../../limits.js'
import type { Model } from '../../../schema/schema.js'
import { isObject } from '../../../values/is-object.js'
import { readableField, assertReadable } from '../permissions.js'
import { assertOrderRelations } from '../relation-count.js'
import {
  type Args,
  childPath,
  expectEnum,
  expectObject,
  mapOneOrMany,
  type Path,
  unknownName,
  invalidValue,
} from '../arguments.js'
import { scalarOperand } from '../where/scalar-filter.js'

const DIRECTIONS = ['asc', 'desc'] as const
const AGGREGATES: ReadonlySet<string> = new Set(['_count', '_avg', '_sum', '_min', '_max'])

/** Checks the order of rows: by fields, by related rows, and by how many related rows there are. */
export function orderBy(model: Model, value: unknown, at: Path, limits: Limits): Args | Args[] {
  const order = mapOneOrMany(value, at, limits, (element, at) => rowOrder(model, element, at, limits))
  assertOrderRelations(model, order, at, limits)
  return order
}

/** Checks the order of groups, in `groupBy`: by fields and by their aggregates. */
export function groupOrderBy(model: Model, value: unknown, at: Path, limits: Limits): Args | Args[] {
  return mapOneOrMany(value, at, limits, (element, at) => {
    const order: Args = {}
    for (const [key, member] of Object.entries(expectObject(element, at))) {
      order[key] = AGGREGATES.has(key)
        ? aggregateOrder(model, member, childPath(at, key))
        : fieldOrder(model, key, member, at, limits)
    }
    return order
  })
}

function rowOrder(model: Model, value: unknown, at: Path, limits: Limits): Args {
  const order: Args = {}
  for (const [key, member] of Object.entries(expectObject(value, at))) {
    const path = childPath(at, key)
    const relation = model.relations.get(key)
    if (!relation) {
      order[key] = fieldOrder(model, key, member, at, limits)
      continue
    }
    assertReadable(relation, path)
    order[key] = relation.many ? countOrder(member, path) : rowOrder(relation.target, member, path, limits)
  }
  return order
}

function fieldOrder(model: Model, key: string, value: unknown, at: Path, limits: Limits): unknown {
  const path = childPath(at, key)
  if (key === '_relevance') return relevanceOrder(model, value, path, limits)
  readableField(model, key, at)
  if (!isObject(value)) return expectEnum(value, DIRECTIONS, path)
  const order: Args = {}
  for (const [part, choice] of Object.entries(value)) {
    if (part === 'sort') order[part] = expectEnum(choice, DIRECTIONS, childPath(path, part))
    else if (part === 'nulls') order[part] = expectEnum(choice, ['first', 'last'], childPath(path, part))
    else unknownName(part, path)
  }
  return order
}

function countOrder(value: unknown, at: Path): Args {
  const order: Args = {}
  for (const [key, direction] of Object.entries(expectObject(value, at))) {
    if (key !== '_count') unknownName(key, at)
    order[key] = expectEnum(direction, DIRECTIONS, childPath(at, key))
  }
  return order
}

function aggregateOrder(model: Model, value: unknown, at: Path): Args {
  const order: Args = {}
  for (const [key, direction] of Object.entries(expectObject(value, at))) {
    readableField(model, key, at)
    order[key] = expectEnum(direction, DIRECTIONS, childPath(at, key))
  }
  return order
}

function relevanceOrder(model: Model, value: unknown, at: Path, limits: Limits): Args {
  const order: Args = {}
  for (const [key, member] of Object.entries(expectObject(value, at))) {
    const path = childPath(at, key)
    if (key === 'fields') order[key] = mapOneOrMany(member, path, limits, (name, at) => fieldName(model, name, at))
    else if (key === 'search') order[key] = scalarOperand({ type: 'String' }, member, path)
    else if (key === 'sort') order[key] = expectEnum(member, DIRECTIONS, path)
    else unknownName(key, at)
  }
  return order
}

/** Takes a value as the name of a field that may be read. */
export function fieldName(model: Model, value: unknown, at: Path): string {
  if (typeof value !== 'string') return invalidValue(at, 'must be the name of a field')
  readableField(model, value, at)
  return value
}
