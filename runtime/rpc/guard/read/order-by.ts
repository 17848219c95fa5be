import type { Limits } from '../../../limits.js'
import type { Model } from '../../../schema/model.js'
import { isObject } from '../../../values/is-object.js'
import {
  type Args,
  childPath,
  expectEnum,
  mapEntries,
  mapOneOrMany,
  type Path,
  unknownName,
  invalidValue,
  expectBoolean,
  expectObject,
} from '../argument-helpers.js'
import { readableField, assertReadable } from '../assert-permissions.js'
import { assertOrderRelations } from '../assert-cost.js'
import { scalarOperand } from '../where/scalar-filter.js'

const DIRECTIONS = ['asc', 'desc'] as const

/** Validates the sort order of rows: by fields, by fields of related rows, and by the number of related rows. */
export function orderBy(model: Model, value: unknown, path: Path, limits: Limits): Args | Args[] {
  const order = mapOneOrMany(value, path, limits, (element, elementPath) =>
    rowOrder(model, element, elementPath, limits),
  )
  assertOrderRelations(model, order, path, limits)
  if (!Array.isArray(order)) return order
  // Only the first use of a field has an effect. With `distinct`, Prisma generates SQL for repeated fields that PostgreSQL rejects.
  const seen = new Set<string>()
  return order.filter((entry) => {
    const [name = '', second] = Object.keys(entry)
    return second || !model.fields.has(name) || seen.size < seen.add(name).size
  })
}

/** Validates the sort order of groups in `groupBy`: by fields and by their aggregates. */
export function groupOrderBy(model: Model, value: unknown, path: Path, limits: Limits): Args | Args[] {
  return mapOneOrMany(value, path, limits, (element, elementPath) =>
    mapEntries(element, elementPath, (key, member, memberPath) => {
      if (!AGGREGATES.has(key)) return fieldOrder(model, key, member, elementPath, limits)
      return mapEntries(member, memberPath, (name, direction, below) => {
        readableField(model, name, memberPath)
        return expectEnum(direction, DIRECTIONS, below)
      })
    }),
  )
}

function rowOrder(model: Model, value: unknown, path: Path, limits: Limits): Args {
  return mapEntries(value, path, (key, member, memberPath) => {
    const relation = model.relations.get(key)
    if (!relation) return fieldOrder(model, key, member, path, limits)
    assertReadable(relation, memberPath)
    return relation.many ? countOrder(member, memberPath) : rowOrder(relation.target, member, memberPath, limits)
  })
}

function fieldOrder(model: Model, key: string, value: unknown, path: Path, limits: Limits): unknown {
  const fieldPath = childPath(path, key)
  if (key === '_relevance') return relevanceOrder(model, value, fieldPath, limits)
  readableField(model, key, path)
  if (!isObject(value)) return expectEnum(value, DIRECTIONS, fieldPath)
  return mapEntries(value, fieldPath, (part, choice, below) => {
    if (part === 'sort') return expectEnum(choice, DIRECTIONS, below)
    return part === 'nulls' ? expectEnum(choice, ['first', 'last'], below) : unknownName(part, fieldPath)
  })
}

function countOrder(value: unknown, path: Path): Args {
  return mapEntries(value, path, (key, direction, memberPath) =>
    key === '_count' ? expectEnum(direction, DIRECTIONS, memberPath) : unknownName(key, path),
  )
}

function relevanceOrder(model: Model, value: unknown, path: Path, limits: Limits): Args {
  return mapEntries(value, path, (key, member, memberPath) => {
    if (key === 'fields') {
      if (Object(member).length === 0) invalidValue(memberPath, 'must not be empty')
      return mapOneOrMany(member, memberPath, limits, (name, elementPath) => fieldName(model, name, elementPath))
    }
    if (key === 'search') return scalarOperand({ type: 'String' }, member, memberPath)
    return key === 'sort' ? expectEnum(member, DIRECTIONS, memberPath) : unknownName(key, path)
  })
}

/** Checks that a value is the name of a readable field. */
export function fieldName(model: Model, value: unknown, path: Path): string {
  if (typeof value !== 'string') return invalidValue(path, 'must be the name of a field')
  readableField(model, value, path)
  return value
}

const NUMERIC: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Float', 'Decimal'])

/** The aggregates of `aggregate` and `groupBy`. */
export const AGGREGATES: ReadonlySet<string> = new Set(['_count', '_avg', '_sum', '_min', '_max'])

/** Validates the fields of one aggregate. */
export function aggregate(model: Model, name: string, value: unknown, path: Path): unknown {
  return name === '_count' ? countSelection(model, value, path) : parseAggregateFields(model, name, value, path)
}

/** Validates the selection of `count`: rows (`true`, `_all`), and rows in which a field is not null. */
export function countSelection(model: Model, value: unknown, path: Path): unknown {
  return typeof value === 'boolean' ? value : parseAggregateFields(model, '_count', value, path)
}

function parseAggregateFields(model: Model, aggregate: string, value: unknown, path: Path): Args {
  const fields: Args = {}
  for (const [name, choice] of Object.entries(expectObject(value, path))) {
    if (aggregate !== '_count' || name !== '_all') {
      const field = readableField(model, name, path)
      const possible =
        aggregate === '_count' || (aggregate !== '_avg' && aggregate !== '_sum') || NUMERIC.has(field.type)
      if (!possible || (field.list && aggregate !== '_count')) unknownName(name, path)
    }
    if (expectBoolean(choice, childPath(path, name))) fields[name] = true
  }
  return fields
}
