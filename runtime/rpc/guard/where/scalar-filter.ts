import type { Limits } from '../../../limits.js'
import type { Field, ScalarType } from '../../../schema/resource.js'
import { scalarFromJson } from '../../../values/from-json.js'
import { ANY_NULL, namedNull } from '../../../values/null.js'
import { isObject } from '../../../values/is-object.js'
import {
  type Args,
  childPath,
  expectBoolean,
  expectEnum,
  expectList,
  expectObject,
  mapMembers,
  type Path,
  invalidArguments,
  unknownName,
  invalidValue,
} from '../arguments.js'

const ORDER = ['lt', 'lte', 'gt', 'gte'] as const
const EQUALITY = ['equals', 'in', 'notIn', 'not'] as const
const TEXT = ['contains', 'startsWith', 'endsWith', 'search'] as const

/** The operators of each type whose operand is one value of the field, or for `in` and `notIn` a list of them. */
const OPERATORS: Readonly<Record<Exclude<ScalarType, 'Json'>, ReadonlySet<string>>> = {
  String: new Set([...EQUALITY, ...ORDER, ...TEXT, 'mode']),
  Boolean: new Set(['equals', 'not']),
  Int: new Set([...EQUALITY, ...ORDER]),
  BigInt: new Set([...EQUALITY, ...ORDER]),
  Float: new Set([...EQUALITY, ...ORDER]),
  Decimal: new Set([...EQUALITY, ...ORDER]),
  DateTime: new Set([...EQUALITY, ...ORDER]),
  Bytes: new Set(EQUALITY),
  Enum: new Set(EQUALITY),
}

const INT: Field = { type: 'Int', optional: true }

/** The type that an aggregate of a field has, for `having`. */
const AGGREGATES: Readonly<Record<string, (field: Field) => Field>> = {
  _count: () => INT,
  _avg: (field) => ({ type: field.type === 'Decimal' ? 'Decimal' : 'Float', optional: true }),
  _sum: (field) => ({ ...field, optional: true }),
  _min: (field) => ({ ...field, optional: true }),
  _max: (field) => ({ ...field, optional: true }),
}

/** What a filter is part of. */
export interface FilterScope {
  readonly limits: Limits
  /** In `having`: the aggregates of the field may be filtered too. */
  readonly aggregates?: true
  /** In `having`: a filter without an operator makes Prisma's query compiler panic, where in `where` it means nothing. */
  readonly filled?: true
}

/**
 * Checks a filter of one scalar field: a value, or operators (contract 4.3: as the Prisma client has them).
 * Operators that a database does not have (`mode`, `search`, `path`) are left to the client, which refuses them.
 */
export function scalarFilter(field: Field, value: unknown, at: Path, scope: FilterScope): unknown {
  if (field.list) return listFilter(field, value, at, scope.limits)
  if (field.type === 'Json') return jsonFilter(field, value, at)
  if (!isObject(value)) return operand(field, value, at)
  const operators = OPERATORS[field.type]
  const filter = mapMembers(value, at, (key, member, path) => {
    if (operators.has(key)) return operator(field, key, member, path, scope)
    if (!scope.aggregates || !Object.hasOwn(AGGREGATES, key)) return unknownName(key, at)
    const aggregate = AGGREGATES[key]?.(field) ?? field
    return scalarFilter(aggregate, expectObject(member, path), path, { limits: scope.limits, filled: true })
  })
  if (scope.filled && Object.keys(filter).length === 0) invalidValue(at, 'must not be empty')
  if (filter['mode'] === 'insensitive' && searches(filter)) {
    invalidValue(at, 'must not hold "search" where "mode" is "insensitive": searches ignore case as it is')
  }
  return filter
}

/** Whether a filter searches texts, itself or in a part of it. Where it is to ignore case, Prisma's query compiler panics. */
function searches(filter: Args): boolean {
  return Object.entries(filter).some(([key, member]) => key === 'search' || (isObject(member) && searches(member)))
}

function operator(field: Field, key: string, value: unknown, at: Path, scope: FilterScope): unknown {
  switch (key) {
    case 'in':
    case 'notIn':
      if (value === null && field.optional) return null
      return expectList(value, at, scope.limits).map((element, index) =>
        scalarOperand(field, element, childPath(at, index)),
      )
    case 'not':
      return scalarFilter(field, value, at, scope)
    case 'mode':
      return expectEnum(value, ['default', 'insensitive'], at)
    case 'equals':
      return operand(field, value, at)
    default:
      return scalarOperand(field, value, at)
  }
}

/** A value of the field, null included where the field may be null. */
function operand(field: Field, value: unknown, at: Path): unknown {
  if (value !== null) return scalarOperand(field, value, at)
  return field.optional ? null : invalidValue(at, 'must not be null')
}

/** A value of the field, and not null. Its `@zod` rule does not count: what is sought need not be what may be stored. */
export function scalarOperand(field: Field, value: unknown, at: Path): unknown {
  if (value === undefined) return invalidValue(at, 'must be given')
  if (value === null) return invalidValue(at, 'must not be null')
  if (field.type !== 'Json' && (isObject(value) || Array.isArray(value)))
    return invalidValue(at, 'must be a single value')
  const parsed = scalarFromJson(field, value)
  return parsed.ok ? parsed.value : invalidArguments('invalid-value', `${at} ${parsed.message}.`, at)
}

function listFilter(field: Field, value: unknown, at: Path, limits: Limits): Args {
  return mapMembers(value, at, (key, member, path) => {
    const elements = (): unknown[] =>
      expectList(member, path, limits).map((element, index) => scalarOperand(field, element, childPath(path, index)))
    switch (key) {
      case 'equals':
        return member === null ? null : elements()
      case 'has':
        return member === null ? null : scalarOperand(field, member, path)
      case 'hasEvery':
      case 'hasSome':
        return elements()
      case 'isEmpty':
        return expectBoolean(member, path)
      default:
        return unknownName(key, at)
    }
  })
}

/**
 * A filter of a Json field is always one of operators. `null` beside `equals` and `not` is either of the two nulls that a
 * Json column may hold.
 */
function jsonFilter(field: Field, value: unknown, at: Path): Args {
  const named = namedNull(value)
  if (named) return { equals: named }
  if (value === null) return { equals: ANY_NULL }
  return mapMembers(value, at, (key, member, path) => {
    switch (key) {
      case 'equals':
      case 'not':
        return member === null ? ANY_NULL : (namedNull(member) ?? scalarOperand(field, member, path))
      case 'array_contains':
      case 'array_starts_with':
      case 'array_ends_with':
        return member === null ? null : scalarOperand(field, member, path)
      case 'lt':
      case 'lte':
      case 'gt':
      case 'gte':
        return orderedJson(member, path)
      case 'string_contains':
      case 'string_starts_with':
      case 'string_ends_with':
        return scalarOperand({ type: 'String' }, member, path)
      case 'path':
        return Array.isArray(member)
          ? member.map((step, index) => scalarOperand({ type: 'String' }, step, childPath(path, index)))
          : scalarOperand({ type: 'String' }, member, path)
      case 'mode':
        return expectEnum(member, ['default', 'insensitive'], path)
      default:
        return unknownName(key, at)
    }
  })
}

/** What a Json value is ordered by: any other value makes Prisma's query compiler panic. */
function orderedJson(value: unknown, at: Path): string | number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  return typeof value === 'string' ? value : invalidValue(at, 'must be a string or a finite number')
}
