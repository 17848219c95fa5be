import type { Limits } from '../../../limits.js'
import type { Model, ModelRelation } from '../../../schema/schema.js'
import { isObject } from '../../../values/is-object.js'
import { type Combinator, isCombinator, isQuantified, MANY_QUANTIFIERS, ONE_QUANTIFIERS } from './filter-names.js'
import { filterableField, readableField, assertReadable } from '../permissions.js'
import { assertFilterRelations } from '../relation-count.js'
import {
  type Args,
  childPath,
  expectList,
  expectObject,
  mapMembers,
  mapOneOrMany,
  type Path,
  unknownName,
  invalidValue,
} from '../arguments.js'
import { scalarFilter, scalarOperand } from './scalar-filter.js'
import { filterCoverage } from '../filter-coverage.js'

/**
 * Checks a filter of a model's rows: fields, relations, and `AND`, `OR`, `NOT` of such filters; and that it does not reach into
 * more relations than a database can plan a query for.
 */
export function where(model: Model, value: unknown, at: Path, limits: Limits): Args {
  const filter = conditions(model, value, at, limits)
  assertFilterRelations(model, filter, at, limits)
  return filter
}

function conditions(model: Model, value: unknown, at: Path, limits: Limits): Args {
  return mapMembers(value, at, (key, member, path) => {
    const relation = model.relations.get(key)
    if (isCombinator(key)) return combined(key, member, path, limits, (part, at) => conditions(model, part, at, limits))
    if (relation) return relationFilter(relation, member, path, limits)
    return scalarFilter(filterableField(model, key, at), member, path, { limits })
  })
}

/** Checks what identifies one row: at least one unique criterion, and any other filter beside it. */
export function whereUnique(model: Model, value: unknown, at: Path, limits: Limits): Args {
  const unique: Args = {}
  const others: Args = {}
  for (const [key, member] of Object.entries(expectObject(value, at))) {
    const fields = model.uniques.get(key)
    const readable = fields?.every((field) => model.fields.get(field)?.writeOnly !== true)
    if (fields && readable) unique[key] = criterion(model, key, fields, member, childPath(at, key))
    else others[key] = member
  }
  if (Object.keys(unique).length === 0) {
    const names = [...model.uniques.keys()].join(', ')
    invalidValue(at, `must hold a unique criterion of ${model.name}: ${names}`)
  }
  return { ...unique, ...where(model, others, at, limits) }
}

/**
 * Checks what identifies the row that others are counted from: unique criteria, and values beside them. Of any other filter Prisma's
 * query compiler makes a panic.
 */
export function cursor(model: Model, value: unknown, at: Path, limits: Limits): Args {
  for (const [key, member] of Object.entries(expectObject(value, at))) {
    const field = model.fields.get(key)
    const isValue = field && !field.list && field.type !== 'Json' && member !== null && !isObject(member)
    if (isValue || model.uniques.has(key)) continue
    if (field || isCombinator(key) || model.relations.has(key)) {
      invalidValue(childPath(at, key), 'cannot be part of a cursor, which is of unique criteria')
    }
  }
  return whereUnique(model, value, at, limits)
}

/**
 * Checks the filter of groups, in `groupBy`: fields and their aggregates, and `AND`, `OR`, `NOT` of such filters. None of it may
 * be empty: Prisma's query compiler panics where it is.
 */
export function having(model: Model, value: unknown, at: Path, limits: Limits): Args {
  const filter = mapMembers(value, at, (key, member, path) => {
    if (isCombinator(key)) {
      const parts = combined(key, member, path, limits, (part, at) => having(model, part, at, limits))
      if (Array.isArray(parts) && parts.length === 0) invalidValue(path, 'must not be empty')
      return parts
    }
    const field = filterableField(model, key, at)
    // Prisma's query compiler panics.
    if (field.list) invalidValue(path, 'is a list, by which no groups can be filtered')
    return scalarFilter(field, member, path, { limits, aggregates: true, filled: true })
  })
  if (Object.keys(filter).length === 0) invalidValue(at, 'must not be empty')
  return filter
}

function combined(
  key: Combinator,
  value: unknown,
  at: Path,
  limits: Limits,
  parse: (value: unknown, at: Path) => Args,
): Args | Args[] {
  if (key !== 'OR') return mapOneOrMany(value, at, limits, parse)
  return expectList(value, at, limits).map((element, index) => parse(element, childPath(at, index)))
}

function criterion(model: Model, key: string, fields: readonly string[], value: unknown, at: Path): unknown {
  const [only] = fields
  if (fields.length === 1 && only === key) return scalarOperand(readableField(model, only, at), value, at)
  const parts: Args = {}
  const given = expectObject(value, at)
  for (const name of Object.keys(given)) if (!fields.includes(name)) unknownName(name, at)
  for (const name of fields) {
    if (!Object.hasOwn(given, name)) invalidValue(at, `must hold ${fields.join(' and ')}`)
    parts[name] = scalarOperand(readableField(model, name, at), given[name], childPath(at, name))
  }
  return parts
}

function relationFilter(relation: ModelRelation, value: unknown, at: Path, limits: Limits): unknown {
  assertReadable(relation, at)
  const { target, many, optional } = relation
  if (many) return quantified(target, MANY_QUANTIFIERS, value, at, limits)
  if (value === null) return optional ? null : invalidValue(at, 'must not be null')
  const given = expectObject(value, at)
  if (isQuantified(relation, given)) return quantified(target, ONE_QUANTIFIERS, given, at, limits, optional)
  const filter = conditions(target, given, at, limits)
  // Fields are called so: whoever reads the filter after us does not have to find out once more.
  return ONE_QUANTIFIERS.some((name) => Object.hasOwn(filter, name)) ? { is: filter } : filter
}

function quantified(
  target: Model,
  quantifiers: readonly string[],
  value: unknown,
  at: Path,
  limits: Limits,
  optional?: true,
): Args {
  return mapMembers(value, at, (key, member, path) => {
    if (!quantifiers.includes(key)) unknownName(key, at)
    return member === null && optional ? null : conditions(target, member, path, limits)
  })
}

/**
 * Checks a filter of rows that are changed together. `{}` is the explicit "all" (design, section 5); a filter that only looks
 * like a condition, as `{ AND: [] }` or `{ id: { notIn: [] } }`, would mean the same by accident, and ends the request.
 */
export function changedWhere(model: Model, value: unknown, at: Path, limits: Limits): Args {
  if (!isObject(value)) return invalidValue(at, 'must be given; {} stands for all rows')
  const filter = where(model, value, at, limits)
  if (Object.keys(filter).length === 0) return filter
  const verdict = filterCoverage(model, filter)
  if (verdict === 'some' || verdict === 'none') return filter
  return invalidValue(at, 'must hold a condition that not all rows meet; {} stands for all rows')
}
