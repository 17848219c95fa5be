import type { Dialect } from '../../orm/dialect.js'
import type { Field, ScalarType } from '../../schema/resource.js'
import { fromText } from '../../values/from-text.js'
import { ANY_NULL } from '../../values/null.js'
import type { ParsedScalar } from '../../values/parse.js'

/** The operators of contract 4.2, without their `$`, and ours: those of equality and of no case, `between`, `isNull`. */
export type Operator = keyof typeof OPERATORS

/** Makes a condition on one field; undefined where the database has no such operator. */
export type OperatorCondition = (dialect: Dialect) => unknown

interface OperatorSpec {
  /** The types that Prisma has it for. */
  readonly types: ReadonlySet<ScalarType>
  /** Whether it is for scalar lists; otherwise for single values. */
  readonly list?: true
  /** Reads one of its values; by default, a value of the field. */
  readonly read?: (field: Field, text: string) => ParsedScalar
  /** Whether it is for fields that may be empty. */
  readonly nullable?: true
  /** All its values at once, instead of one condition for each. */
  readonly together?: true
  /** How many values it takes, where that is not any number. */
  readonly values?: number
  /** It says that the field equals any of its values, or that it does `not`; relationships and ids have it too. */
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
/** What a list of values is asked for: of Booleans there are two, and a Json value may hold commas. */
const LISTED: ReadonlySet<ScalarType> = new Set([...ORDERED, 'Bytes', 'Enum'])
const INSENSITIVE_MODE: ReadonlySet<string> = new Set(['postgresql', 'postgres', 'cockroachdb', 'mongodb'])
const BACKSLASH_ESCAPES: ReadonlySet<string> = new Set(['postgresql', 'postgres', 'cockroachdb', 'mysql'])
/** The databases that search texts. */
const FULL_TEXT: ReadonlySet<string> = new Set(['postgresql', 'postgres', 'mysql'])

/** Not Bytes: the client writes a list of them so that the database does not read it, or finds nothing. */
const LISTS: ReadonlySet<ScalarType> = new Set([...ALL].filter((type) => type !== 'Bytes'))

const OPERATORS = {
  ne: { types: ALL, equality: 'not', condition: plain('equals') },
  in: { types: LISTED, equality: 'any', condition: plain('equals') },
  notIn: { types: LISTED, equality: 'not', condition: plain('equals') },
  lt: { types: ORDERED, condition: plain('lt') },
  lte: { types: ORDERED, condition: plain('lte') },
  gt: { types: ORDERED, condition: plain('gt') },
  gte: { types: ORDERED, condition: plain('gte') },
  between: { types: ORDERED, together: true, values: 2, condition: between },
  contains: { types: TEXT, condition: like('contains') },
  startsWith: { types: TEXT, condition: like('startsWith') },
  endsWith: { types: TEXT, condition: like('endsWith') },
  icontains: { types: TEXT, condition: insensitive('contains') },
  istartsWith: { types: TEXT, condition: insensitive('startsWith') },
  iendsWith: { types: TEXT, condition: insensitive('endsWith') },
  iequals: { types: TEXT, condition: insensitiveEquality },
  search: { types: TEXT, condition: search },
  has: { types: ALL, list: true, condition: plain('has') },
  hasEvery: { types: LISTS, list: true, together: true, condition: plain('hasEvery') },
  hasSome: { types: LISTS, list: true, together: true, condition: plain('hasSome') },
  isEmpty: {
    types: ALL,
    list: true,
    read: readBoolean,
    condition: plain('isEmpty'),
  },
  isNull: { types: ALL, nullable: true, read: readBoolean, condition: isNull },
} satisfies Readonly<Record<string, OperatorSpec>>

/** Whether a text names an operator. */
export function isOperator(name: string): name is Operator {
  return Object.hasOwn(OPERATORS, name)
}

/** What is known of an operator. */
export function operatorSpec(operator: Operator): OperatorSpec {
  return OPERATORS[operator]
}

/** The operators that a field can be filtered with. */
export function operatorsForField(field: Field): Operator[] {
  return Object.keys(OPERATORS)
    .filter(isOperator)
    .filter((name) => {
      const spec = operatorSpec(name)
      // A UUID is ordered, but no text to look into.
      if (field.uuid && spec.types === TEXT) return false
      if (spec.nullable && !mayBeNull(field)) return false
      return spec.types.has(field.type) && (spec.list ?? false) === (field.list ?? false)
    })
}

/** What is shown as null: for Json, the value null too, which a column that must not be empty may hold. */
function mayBeNull({ type, optional }: Field): boolean {
  return optional === true || type === 'Json'
}

function isNull(value: unknown, { type }: Field): OperatorCondition {
  const nothing = type === 'Json' ? ANY_NULL : null
  return () => (value === true ? { equals: nothing } : { not: nothing })
}

function readBoolean(_field: Field, text: string): ParsedScalar {
  return fromText({ type: 'Boolean' }, text)
}

function plain(operator: string): (value: unknown) => OperatorCondition {
  return (value) => () => ({ [operator]: value })
}

/** Prisma leaves `%` and `_` as the wildcards that LIKE has; where LIKE has an escape, they are made to mean themselves. */
function like(operator: string): (value: unknown) => OperatorCondition {
  return (value) => (dialect) => ({ [operator]: escapeLike(value, dialect) })
}

/** Elsewhere LIKE ignores case already, as SQLite's does, or leaves it to the collation of the column. */
function insensitive(operator: string): (value: unknown) => OperatorCondition {
  return (value) => (dialect) => {
    const text = escapeLike(value, dialect)
    return INSENSITIVE_MODE.has(dialect.provider) ? { [operator]: text, mode: 'insensitive' } : { [operator]: text }
  }
}

/** By ILIKE, or by a collation that ignores case. SQLite has neither for equality. */
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

/** A text for LIKE, whose wildcards are escaped where the database knows an escape. */
export function escapeLike(value: unknown, dialect: Dialect): string {
  const text = String(value)
  return BACKSLASH_ESCAPES.has(dialect.provider) ? text.replaceAll(/[\\%_]/g, (char) => `\\${char}`) : text
}
