import type { Limits } from '../../../limits.js'
import type { Field, ScalarType } from '../../../schema/resource.js'
import { scalarFromJson } from '../../../values/from-json.js'
import { ANY_NULL, namedNull } from '../../../values/prisma-values.js'
import { isObject } from '../../../values/is-object.js'
import {
  type Args,
  childPath,
  expectBoolean,
  expectEnum,
  expectList,
  expectObject,
  mapElements,
  mapEntries,
  type Path,
  invalidArguments,
  unknownName,
  invalidValue,
} from '../argument-helpers.js'

const ORDER = ['lt', 'lte', 'gt', 'gte'] as const
const EQUALITY = ['equals', 'in', 'notIn', 'not'] as const
const TEXT = ['contains', 'startsWith', 'endsWith', 'search'] as const

/** The operators of each type. They take one value of the field's type; `in` and `notIn` take a list of values. */
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

/** The types of a field's aggregates, for `having`. */
const AGGREGATES: Readonly<Record<string, (field: Field) => Field>> = {
  _count: () => INT,
  _avg: (field) => ({ type: field.type === 'Decimal' ? 'Decimal' : 'Float', optional: true }),
  _sum: (field) => ({ ...field, optional: true }),
  _min: (field) => ({ ...field, optional: true }),
  _max: (field) => ({ ...field, optional: true }),
}

/** The context of a filter. */
export interface FilterScope {
  readonly limits: Limits
  /** Whether aggregates of the field can be filtered too. Set in `having`. */
  readonly aggregates?: true
  /**
   * Whether to reject a filter without operators. Set in `having`, where such a filter makes Prisma's query compiler panic. In `where`, it
   * has no effect.
   */
  readonly filled?: true
}

/**
 * Validates a filter on a scalar field: a value or operators, as in the Prisma client (contract 4.3). On databases that do not support
 * `mode`, `search` or `path`, Prisma itself rejects these operators.
 */
export function scalarFilter(field: Field, value: unknown, path: Path, scope: FilterScope): unknown {
  if (field.list) return listFilter(field, value, path, scope.limits)
  if (field.type !== 'Json' && !isObject(value)) return operand(field, value, path)
  const filter =
    field.type === 'Json'
      ? jsonFilter(field, value, path)
      : operatorFilter(field, OPERATORS[field.type], value, path, scope)
  // Without an operator, `mode` has the same effect as an empty filter.
  if (scope.filled && Object.keys(filter).every((key) => key === 'mode')) invalidValue(path, 'must contain an operator')
  return filter
}

function operatorFilter(
  field: Field,
  operators: ReadonlySet<string>,
  value: unknown,
  path: Path,
  scope: FilterScope,
): Args {
  const filter = mapEntries(value, path, (key, member, memberPath) => {
    if (operators.has(key)) return operator(field, key, member, memberPath, scope)
    if (!scope.aggregates || !Object.hasOwn(AGGREGATES, key)) return unknownName(key, path)
    const aggregate = AGGREGATES[key]?.(field) ?? field
    return scalarFilter(aggregate, expectObject(member, memberPath), memberPath, { limits: scope.limits, filled: true })
  })
  if (filter['mode'] === 'insensitive' && searches(filter)) {
    invalidValue(path, 'must not combine "search" with an insensitive "mode"')
  }
  return filter
}

/** Whether a filter contains `search`, at any depth. Together with `mode: 'insensitive'`, it makes Prisma's query compiler panic. */
function searches(filter: Args): boolean {
  return Object.entries(filter).some(([key, member]) => key === 'search' || (isObject(member) && searches(member)))
}

function operator(field: Field, key: string, value: unknown, path: Path, scope: FilterScope): unknown {
  switch (key) {
    case 'in':
    case 'notIn':
      if (value === null && field.optional) return null
      return scalarElements(field, value, path, scope.limits)
    case 'not':
      return scalarFilter(field, value, path, scope)
    case 'mode':
      return expectEnum(value, ['default', 'insensitive'], path)
    case 'equals':
      return operand(field, value, path)
    default:
      return scalarOperand(field, value, path)
  }
}

/** Parses a value of the field. Accepts null if the field is optional. */
function operand(field: Field, value: unknown, path: Path): unknown {
  if (value !== null) return scalarOperand(field, value, path)
  return field.optional ? null : invalidValue(path, 'must not be null')
}

/**
 * Parses a value of the field other than null. The field's `@zod` rule does not apply, because a filter may contain values that cannot be
 * stored.
 */
export function scalarOperand(field: Field, value: unknown, path: Path): unknown {
  if (value === undefined) return invalidValue(path, 'is required')
  if (value === null) return invalidValue(path, 'must not be null')
  if (field.type !== 'Json' && (isObject(value) || Array.isArray(value)))
    return invalidValue(path, 'must be a single value')
  const parsed = scalarFromJson(field, value)
  return parsed.ok ? parsed.value : invalidArguments('invalid-value', `${path} ${parsed.message}.`, path)
}

function scalarElements(field: Field, value: unknown, path: Path, limits: Limits): unknown[] {
  return mapElements(expectList(value, path, limits), path, (element, elementPath) =>
    scalarOperand(field, element, elementPath),
  )
}

function listFilter(field: Field, value: unknown, path: Path, limits: Limits): Args {
  return mapEntries(value, path, (key, member, memberPath) => {
    const elements = () => scalarElements(field, member, memberPath, limits)
    switch (key) {
      case 'equals':
        return member === null ? null : elements()
      case 'has':
        return member === null ? null : scalarOperand(field, member, memberPath)
      case 'hasEvery':
      case 'hasSome':
        return elements()
      case 'isEmpty':
        return expectBoolean(member, memberPath)
      default:
        return unknownName(key, path)
    }
  })
}

/**
 * Validates a filter on a Json field, which always consists of operators. In `equals` and `not`, `null` matches both kinds of null in
 * a Json column.
 */
function jsonFilter(field: Field, value: unknown, path: Path): Args {
  const nullValue = namedNull(value)
  if (nullValue) return { equals: nullValue }
  if (value === null) return { equals: ANY_NULL }
  return mapEntries(value, path, (key, member, memberPath) => {
    switch (key) {
      case 'equals':
      case 'not':
        return member === null ? ANY_NULL : (namedNull(member) ?? scalarOperand(field, member, memberPath))
      case 'array_contains':
      case 'array_starts_with':
      case 'array_ends_with':
        return member === null ? null : scalarOperand(field, member, memberPath)
      case 'lt':
      case 'lte':
      case 'gt':
      case 'gte':
        return orderedJson(member, memberPath)
      case 'string_contains':
      case 'string_starts_with':
      case 'string_ends_with':
        return scalarOperand({ type: 'String' }, member, memberPath)
      case 'path':
        return Array.isArray(member)
          ? member.map((step, index) => scalarOperand({ type: 'String' }, step, childPath(memberPath, index)))
          : scalarOperand({ type: 'String' }, member, memberPath)
      case 'mode':
        return expectEnum(member, ['default', 'insensitive'], memberPath)
      default:
        return unknownName(key, path)
    }
  })
}

/** Parses the operand of a Json comparison. Prisma's query compiler panics on other values. */
function orderedJson(value: unknown, path: Path): string | number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  return typeof value === 'string' ? value : invalidValue(path, 'must be a string or a finite number')
}
