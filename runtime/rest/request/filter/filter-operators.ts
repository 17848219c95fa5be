import type { Dialect } from '../../../prisma/dialect.js'
import type { Field, ScalarType } from '../../../schema/resource.js'
import { fromText } from '../../../values/from-json.js'
import { ANY_NULL } from '../../../values/prisma-values.js'
import type { ParsedScalar } from '../../../values/parse-scalars.js'

/**
 * The operators of contract 4.2, without `$`, and Routewright's additions: case-insensitive operators, equality operators, `between` and
 * `isNull`.
 */
export type Operator = keyof typeof OPERATORS

/** Creates a condition on one field. Returns undefined if the database does not support the operator. */
export type OperatorCondition = (dialect: Dialect) => unknown

interface OperatorSpec {
  /** The field types for which Prisma supports the operator. */
  readonly types: ReadonlySet<ScalarType>
  /** Whether the operator applies to scalar lists instead of single values. */
  readonly list?: true
  /** Parses a value. Default: as a value of the field. */
  readonly read?: (field: Field, text: string) => ParsedScalar
  /** Whether the operator applies only to nullable fields. */
  readonly nullable?: true
  /** Whether all values form one condition, instead of one condition per value. */
  readonly together?: true
  /** The required number of values. Default: unlimited. */
  readonly values?: number
  /**
   * Set for operators that test whether the field equals any of the values (`any`) or no value (`not`). They also apply to
   * relationships and ids.
   */
  readonly equality?: 'any' | 'not'
  readonly condition: (value: unknown, field: Field) => OperatorCondition
}

const ORDERED: ReadonlySet<ScalarType> = new Set(['String', 'Int', 'BigInt', 'Float', 'Decimal', 'DateTime'])
const TEXT: ReadonlySet<ScalarType> = new Set(['String'])
const ALL: ReadonlySet<ScalarType> = new Set([
  'String',
  'Boolean',
  'Int',
  'BigInt',
  'Float',
  'Decimal',
  'DateTime',
  'Json',
  'Bytes',
  'Enum',
])
/**
 * Types for which lists of values are supported. Excludes Boolean, which has only two values, and Json, whose values may contain commas.
 */
const LISTED: ReadonlySet<ScalarType> = new Set([...ORDERED, 'Bytes', 'Enum'])
const INSENSITIVE_MODE: ReadonlySet<string> = new Set(['postgresql', 'postgres', 'cockroachdb', 'mongodb'])
const BACKSLASH_ESCAPES: ReadonlySet<string> = new Set(['postgresql', 'postgres', 'cockroachdb', 'mysql'])
/** The databases that support full-text search. */
const FULL_TEXT: ReadonlySet<string> = new Set(['postgresql', 'postgres', 'mysql'])

/** Excludes Bytes. Prisma writes a list of Bytes in a format that databases reject or that matches nothing. */
const LISTS: ReadonlySet<ScalarType> = new Set([...ALL].filter((type) => type !== 'Bytes'))

const OPERATORS = {
  ne: { types: ALL, equality: 'not', condition: simpleOperator('equals') },
  in: { types: LISTED, equality: 'any', condition: simpleOperator('equals') },
  notIn: { types: LISTED, equality: 'not', condition: simpleOperator('equals') },
  lt: { types: ORDERED, condition: simpleOperator('lt') },
  lte: { types: ORDERED, condition: simpleOperator('lte') },
  gt: { types: ORDERED, condition: simpleOperator('gt') },
  gte: { types: ORDERED, condition: simpleOperator('gte') },
  between: { types: ORDERED, together: true, values: 2, condition: between },
  contains: { types: TEXT, condition: likeOperator('contains') },
  startsWith: { types: TEXT, condition: likeOperator('startsWith') },
  endsWith: { types: TEXT, condition: likeOperator('endsWith') },
  icontains: { types: TEXT, condition: insensitive('contains') },
  istartsWith: { types: TEXT, condition: insensitive('startsWith') },
  iendsWith: { types: TEXT, condition: insensitive('endsWith') },
  iequals: { types: TEXT, condition: insensitiveEquality },
  search: { types: TEXT, condition: search },
  has: { types: ALL, list: true, condition: simpleOperator('has') },
  hasEvery: { types: LISTS, list: true, together: true, condition: simpleOperator('hasEvery') },
  hasSome: { types: LISTS, list: true, together: true, condition: simpleOperator('hasSome') },
  isEmpty: {
    types: ALL,
    list: true,
    read: readBoolean,
    condition: simpleOperator('isEmpty'),
  },
  isNull: { types: ALL, nullable: true, read: readBoolean, condition: isNull },
} satisfies Readonly<Record<string, OperatorSpec>>

/** Whether an operator has this name. */
export function isOperator(name: string): name is Operator {
  return Object.hasOwn(OPERATORS, name)
}

/** Returns the specification of an operator. */
export function operatorSpec(operator: Operator): OperatorSpec {
  return OPERATORS[operator]
}

/** Returns the operators that a field can be filtered with. */
export function operatorsForField(field: Field): Operator[] {
  return Object.keys(OPERATORS)
    .filter(isOperator)
    .filter((name) => {
      const spec = operatorSpec(name)
      // UUIDs can be compared by order, but not searched as text.
      if (field.uuid && spec.types === TEXT) return false
      if (spec.nullable && !mayBeNull(field)) return false
      return spec.types.has(field.type) && (spec.list ?? false) === (field.list ?? false)
    })
}

/** Whether responses may show null for a field. A required Json column may contain the JSON value null. */
function mayBeNull({ type, optional }: Field): boolean {
  return optional === true || type === 'Json'
}

function isNull(value: unknown, { type }: Field): OperatorCondition {
  const nullValue = type === 'Json' ? ANY_NULL : null
  return () => (value === true ? { equals: nullValue } : { not: nullValue })
}

function readBoolean(_field: Field, text: string): ParsedScalar {
  return fromText({ type: 'Boolean' }, text)
}

function simpleOperator(operator: string): (value: unknown) => OperatorCondition {
  return (value) => () => ({ [operator]: value })
}

/** Escapes `%` and `_`, which Prisma passes to LIKE as wildcards, on databases that support escapes in LIKE. */
function likeOperator(operator: string): (value: unknown) => OperatorCondition {
  return (value) => (dialect) => ({ [operator]: escapeLike(value, dialect) })
}

/** Uses the mode `insensitive` if the database has it. Otherwise, LIKE ignores case (SQLite) or depends on the collation of the column. */
function insensitive(operator: string): (value: unknown) => OperatorCondition {
  return (value) => (dialect) => {
    const text = escapeLike(value, dialect)
    return INSENSITIVE_MODE.has(dialect.provider) ? { [operator]: text, mode: 'insensitive' } : { [operator]: text }
  }
}

/** Uses ILIKE, or relies on a case-insensitive collation (MySQL). SQLite supports neither for equality. */
function insensitiveEquality(value: unknown): OperatorCondition {
  return (dialect) => {
    if (dialect.provider === 'mysql') return { equals: value }
    if (!INSENSITIVE_MODE.has(dialect.provider)) return undefined
    return { equals: escapeLike(value, dialect), mode: 'insensitive' }
  }
}

function between(values: unknown): OperatorCondition {
  const [gte, lte]: readonly unknown[] = Array.isArray(values) ? values : []
  return () => ({ gte, lte })
}

function search(value: unknown): OperatorCondition {
  return (dialect) => (FULL_TEXT.has(dialect.provider) ? { search: value } : undefined)
}

/** Converts a value to a LIKE pattern that matches it literally, if the database supports escapes. */
export function escapeLike(value: unknown, dialect: Dialect): string {
  const text = String(value)
  return BACKSLASH_ESCAPES.has(dialect.provider) ? text.replaceAll(/[\\%_]/g, (char) => `\\${char}`) : text
}
