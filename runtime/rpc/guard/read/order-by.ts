import type { Limits } from '../../../limits.js'
import type { Model } from '../../../schema/schema.js'
import { isObject } from '../../../values/is-object.js'
import { readableField, assertReadable } from '../permissions.js'
import { assertOrderRelations } from '../relation-count.js'
import {
  type Args,
  childPath,
  expectEnum,
  mapMembers,
  mapOneOrMany,
  type Path,
  unknownName,
  invalidValue,
} from '../arguments.js'
import { scalarOperand } from '../where/scalar-filter.js'
import { AGGREGATES } from './aggregate.js'

const DIRECTIONS = ['asc', 'desc'] as const

/** Checks the order of rows: by fields, by related rows, and by how many related rows there are. */
export function orderBy(model: Model, value: unknown, at: Path, limits: Limits): Args | Args[] {
  const order = mapOneOrMany(value, at, limits, (element, at) => rowOrder(model, element, at, limits))
  assertOrderRelations(model, order, at, limits)
  return order
}

/** Checks the order of groups, in `groupBy`: by fields and by their aggregates. */
export function groupOrderBy(model: Model, value: unknown, at: Path, limits: Limits): Args | Args[] {
  return mapOneOrMany(value, at, limits, (element, at) =>
    mapMembers(element, at, (key, member, path) => {
      if (!AGGREGATES.has(key)) return fieldOrder(model, key, member, at, limits)
      return mapMembers(member, path, (name, direction, below) => {
        readableField(model, name, path)
        return expectEnum(direction, DIRECTIONS, below)
      })
    }),
  )
}

function rowOrder(model: Model, value: unknown, at: Path, limits: Limits): Args {
  return mapMembers(value, at, (key, member, path) => {
    const relation = model.relations.get(key)
    if (!relation) return fieldOrder(model, key, member, at, limits)
    assertReadable(relation, path)
    return relation.many ? countOrder(member, path) : rowOrder(relation.target, member, path, limits)
  })
}

function fieldOrder(model: Model, key: string, value: unknown, at: Path, limits: Limits): unknown {
  const path = childPath(at, key)
  if (key === '_relevance') return relevanceOrder(model, value, path, limits)
  readableField(model, key, at)
  if (!isObject(value)) return expectEnum(value, DIRECTIONS, path)
  return mapMembers(value, path, (part, choice, below) => {
    if (part === 'sort') return expectEnum(choice, DIRECTIONS, below)
    return part === 'nulls' ? expectEnum(choice, ['first', 'last'], below) : unknownName(part, path)
  })
}

function countOrder(value: unknown, at: Path): Args {
  return mapMembers(value, at, (key, direction, path) =>
    key === '_count' ? expectEnum(direction, DIRECTIONS, path) : unknownName(key, at),
  )
}

function relevanceOrder(model: Model, value: unknown, at: Path, limits: Limits): Args {
  return mapMembers(value, at, (key, member, path) => {
    if (key === 'fields') return mapOneOrMany(member, path, limits, (name, at) => fieldName(model, name, at))
    if (key === 'search') return scalarOperand({ type: 'String' }, member, path)
    return key === 'sort' ? expectEnum(member, DIRECTIONS, path) : unknownName(key, at)
  })
}

/** Takes a value as the name of a field that may be read. */
export function fieldName(model: Model, value: unknown, at: Path): string {
  if (typeof value !== 'string') return invalidValue(at, 'must be the name of a field')
  readableField(model, value, at)
  return value
}
