import type { Limits } from '../../../limits.js'
import type { Model, ModelRelation } from '../../../schema/model.js'
import type { Field } from '../../../schema/resource.js'
import { isObject } from '../../../values/is-object.js'
import {
  type Args,
  childPath,
  expectList,
  expectNames,
  expectObject,
  mapEntries,
  mapElements,
  mapOneOrMany,
  type Path,
  unknownName,
  invalidValue,
  type Combinator,
  isCombinator,
  isQuantified,
  MANY_QUANTIFIERS,
  ONE_QUANTIFIERS,
} from '../argument-helpers.js'
import { filterableField, readableField, assertReadable } from '../assert-permissions.js'
import { assertFilterRelations } from '../assert-cost.js'
import { scalarFilter, scalarOperand } from './scalar-filter.js'

/**
 * Validates a filter on a model's rows: fields, relations, and combinations with `AND`, `OR` and `NOT`. Also checks that it does not
 * traverse more relations than a database can plan a query for.
 */
export function where(model: Model, value: unknown, path: Path, limits: Limits): Args {
  const filter = conditions(model, value, path, limits)
  assertFilterRelations(model, filter, path, limits)
  return filter
}

function conditions(model: Model, value: unknown, path: Path, limits: Limits): Args {
  return mapEntries(value, path, (key, member, memberPath) => {
    const relation = model.relations.get(key)
    if (isCombinator(key))
      return combined(key, member, memberPath, limits, (part, partPath) => conditions(model, part, partPath, limits))
    if (relation) return relationFilter(relation, member, memberPath, limits)
    return scalarFilter(filterableField(model, key, path), member, memberPath, { limits })
  })
}

/** Validates a unique filter: at least one unique criterion and optional other filters. */
export function whereUnique(model: Model, value: unknown, path: Path, limits: Limits): Args {
  const unique: Args = {}
  const others: Args = {}
  for (const [key, member] of Object.entries(expectObject(value, path))) {
    const fields = model.uniques.get(key)
    const readable = fields?.every((field) => model.fields.get(field)?.writeOnly !== true)
    if (fields && readable) unique[key] = parseCriterion(model, key, fields, member, childPath(path, key))
    else others[key] = member
  }
  if (Object.keys(unique).length === 0) {
    const names = [...model.uniques.keys()].join(', ')
    invalidValue(path, `must contain a unique key of ${model.name}: ${names}`)
  }
  return { ...unique, ...where(model, others, path, limits) }
}

/** Validates a cursor: unique criteria and additional field values. Prisma's query compiler panics on any other filter. */
export function cursor(model: Model, value: unknown, path: Path, limits: Limits): Args {
  for (const [key, member] of Object.entries(expectObject(value, path))) {
    const field = model.fields.get(key)
    const isValue = field && !field.list && field.type !== 'Json' && member !== null && !isObject(member)
    if (isValue || model.uniques.has(key)) continue
    if (field || isCombinator(key) || model.relations.has(key)) {
      invalidValue(childPath(path, key), 'cannot be part of a cursor, which consists of unique keys')
    }
  }
  return whereUnique(model, value, path, limits)
}

/**
 * Validates the filter on groups in `groupBy`: fields and their aggregates, and combinations with `AND`, `OR` and `NOT`. No part may be
 * empty, because Prisma's query compiler would panic.
 */
export function having(model: Model, value: unknown, path: Path, limits: Limits): Args {
  const filter = mapEntries(value, path, (key, member, memberPath) => {
    if (isCombinator(key)) {
      const parts = combined(key, member, memberPath, limits, (part, partPath) => having(model, part, partPath, limits))
      if (Array.isArray(parts) && parts.length === 0) invalidValue(memberPath, 'must not be empty')
      return parts
    }
    const field = filterableField(model, key, path)
    // Prisma's query compiler panics if `having` contains a list field.
    if (field.list) invalidValue(memberPath, 'is a list and cannot be used to filter groups')
    return scalarFilter(field, member, memberPath, { limits, aggregates: true, filled: true })
  })
  if (Object.keys(filter).length === 0) invalidValue(path, 'must not be empty')
  return filter
}

function combined(
  key: Combinator,
  value: unknown,
  path: Path,
  limits: Limits,
  parse: (value: unknown, path: Path) => Args,
): Args | Args[] {
  if (key !== 'OR') return mapOneOrMany(value, path, limits, parse)
  return mapElements(expectList(value, path, limits), path, parse)
}

function parseCriterion(model: Model, key: string, fields: readonly string[], value: unknown, path: Path): unknown {
  const [only] = fields
  if (fields.length === 1 && only === key) return scalarOperand(readableField(model, only, path), value, path)
  const parts: Args = {}
  const input = expectNames(value, fields, path)
  for (const name of fields) {
    if (!Object.hasOwn(input, name)) invalidValue(path, `must contain ${fields.join(' and ')}`)
    parts[name] = scalarOperand(readableField(model, name, path), input[name], childPath(path, name))
  }
  return parts
}

function relationFilter(relation: ModelRelation, value: unknown, path: Path, limits: Limits): unknown {
  assertReadable(relation, path)
  const { target, many, optional } = relation
  if (many) return quantified(target, MANY_QUANTIFIERS, value, path, limits)
  if (value === null) return optional ? null : invalidValue(path, 'must not be null')
  const input = expectObject(value, path)
  if (isQuantified(relation, input)) return quantified(target, ONE_QUANTIFIERS, input, path, limits, optional)
  const filter = conditions(target, input, path, limits)
  // If the target has a field with the name of a quantifier, adding `is` makes the filter unambiguous.
  return ONE_QUANTIFIERS.some((name) => Object.hasOwn(filter, name)) ? { is: filter } : filter
}

function quantified(
  target: Model,
  quantifiers: readonly string[],
  value: unknown,
  path: Path,
  limits: Limits,
  optional?: true,
): Args {
  return mapEntries(value, path, (key, member, memberPath) => {
    if (!quantifiers.includes(key)) unknownName(key, path)
    return member === null && optional ? null : conditions(target, member, memberPath, limits)
  })
}

/**
 * Validates the filter of a bulk write. `{}` explicitly selects all rows. Filters that look like a condition but match
 * all rows, such as `{ AND: [] }` or `{ id: { notIn: [] } }`, are rejected because they could be accidental.
 */
export function changedWhere(model: Model, value: unknown, path: Path, limits: Limits): Args {
  if (!isObject(value)) return invalidValue(path, 'is required; use {} for all rows')
  const filter = where(model, value, path, limits)
  if (Object.keys(filter).length === 0) return filter
  const verdict = filterSelectivity(model, filter)
  if (verdict === 'some' || verdict === 'none') return filter
  return invalidValue(path, 'must contain a condition that not all rows match; use {} for all rows')
}

/**
 * The rows that match a filter, determined without a query: `all`, `none`, or possibly only `some`. An `empty` filter has no condition: Prisma
 * ignores it in any position, and by itself it matches all rows. A `void` filter contains an `OR` without conditions. Depending on its
 * position, Prisma matches no rows or all rows, so the result is unknown.
 */
type FilterSelectivity = 'all' | 'none' | 'some' | 'empty' | 'void'

/**
 * Determines which rows a filter matches. `{ AND: [] }`, `{ id: { notIn: [] } }` and `{ NOT: { OR: [] } }` look like conditions, but match
 * every row.
 * @param filter a validated filter
 */
function filterSelectivity(model: Model, filter: unknown): FilterSelectivity {
  if (!isObject(filter)) return 'some'
  return allOf(Object.entries(filter).map(([key, member]) => entryVerdict(model, key, member)))
}

function entryVerdict(model: Model, key: string, member: unknown): FilterSelectivity {
  const parts = (): FilterSelectivity[] => [member].flat().map((part) => filterSelectivity(model, part))
  if (key === 'AND') return allOf(parts())
  if (key === 'OR') return anyOf(parts())
  if (key === 'NOT') return allOf(parts().map(not))
  const relation = model.relations.get(key)
  if (relation) return relationVerdict(relation, member)
  const field = model.fields.get(key)
  return field ? scalarVerdict(field, member) : 'some'
}

/** Combines the selectivities of filters with AND. */
function allOf(verdicts: readonly FilterSelectivity[]): FilterSelectivity {
  if (verdicts.includes('void')) return 'void'
  const conditions = verdicts.filter((verdict) => verdict !== 'empty')
  if (conditions.length === 0) return 'empty'
  if (conditions.includes('none')) return 'none'
  return conditions.every((verdict) => verdict === 'all') ? 'all' : 'some'
}

function anyOf(verdicts: readonly FilterSelectivity[]): FilterSelectivity {
  const conditions = verdicts.filter((verdict) => verdict !== 'empty')
  if (conditions.length === 0 || conditions.includes('void')) return 'void'
  if (conditions.includes('all')) return 'all'
  return conditions.every((verdict) => verdict === 'none') ? 'none' : 'some'
}

function not(verdict: FilterSelectivity): FilterSelectivity {
  if (verdict === 'all') return 'none'
  return verdict === 'none' ? 'all' : verdict
}

function relationVerdict(relation: ModelRelation, filter: unknown): FilterSelectivity {
  if (!isObject(filter)) return 'some'
  const { target, optional } = relation
  if (!isQuantified(relation, filter)) {
    const inner = filterSelectivity(target, filter)
    return inner === 'all' && optional ? 'some' : inner
  }
  return allOf(
    Object.entries(filter).map(([quantifier, part]) => {
      const inner = part === null ? 'some' : filterSelectivity(target, part)
      const matches = inner === 'all' || inner === 'empty'
      if (inner === 'void') return 'void'
      switch (quantifier) {
        case 'some':
          return inner === 'none' ? 'none' : 'some'
        case 'every':
          return matches ? 'all' : 'some'
        case 'none':
          return inner === 'none' ? 'all' : 'some'
        case 'is':
          return inner === 'none' ? 'none' : matches && !optional ? 'all' : 'some'
        default:
          return inner === 'none' ? 'all' : matches && !optional ? 'none' : 'some'
      }
    }),
  )
}

/** Operators that only modify other conditions. */
const NO_CONDITION: ReadonlySet<string> = new Set(['mode', 'path'])

function scalarVerdict(field: Field, filter: unknown): FilterSelectivity {
  if (!isObject(filter)) return 'some'
  return allOf(Object.entries(filter).map(([operator, operand]) => operatorVerdict(field, operator, operand)))
}

function operatorVerdict(field: Field, operator: string, operand: unknown): FilterSelectivity {
  if (NO_CONDITION.has(operator)) return 'empty'
  const isEmptyList = Array.isArray(operand) && operand.length === 0
  switch (operator) {
    case 'in':
    case 'hasSome':
      return isEmptyList ? 'none' : 'some'
    case 'notIn':
    case 'hasEvery':
      return isEmptyList ? 'all' : 'some'
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return operand === '' && !field.optional ? 'all' : 'some'
    case 'not':
      if (field.type === 'Json' || !isObject(operand)) return 'some'
      return allOf(Object.entries(operand).map(([key, part]) => not(operatorVerdict(field, key, part))))
    default:
      return 'some'
  }
}
