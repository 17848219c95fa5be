import type { Feature } from '../../http/feature.js'
import type { Limits } from '../../limits.js'
import type { Dialect } from '../../prisma/dialect.js'
import { anyOf, negate, type FilterCondition, type Where } from '../../rest/request/filter/combine-conditions.js'
import { type Comparison, conditionExcludingNull } from '../../rest/request/filter/field-condition.js'
import {
  singleValue,
  invalidValue,
  missingOperator,
  parsedValue,
  type Subject,
  unsupportedOperator,
} from '../../rest/request/filter/filter-errors.js'
import { escapeLike, type Operator } from '../../rest/request/filter/filter-operators.js'
import { limitError } from '../../rest/request/request-errors.js'
import { malformedParameter } from '../../rest/request/query/parse-query.js'
import { restFeature } from '../../rest/rest-features.js'
import type { NamedField } from '../../rest/rest-model.js'
import { fromText } from '../../values/from-json.js'
import { ANY_NULL } from '../../values/prisma-values.js'

/**
 * Enables filters by values inside Json fields: `filter[settings.theme]=dark`.
 * Called by the emitted `index.ts`.
 */
export function jsonFilters(): Feature<'jsonFilters'> {
  return restFeature('jsonFilters', {
    assertValid,
    equals: jsonEquality,
    hasPaths: ({ type, list }) => type === 'Json' && !list,
    pathCondition: jsonPathCondition,
  })
}

/** Checks that Json values are not nested too deeply, because the time that Prisma needs grows with the square of the depth. */
function assertValid(
  { wire, field: { type, list } }: NamedField,
  { subject, values }: Comparison,
  { depth }: Limits,
  next?: string,
): void {
  if (type !== 'Json') return
  for (const text of [subject.value, ...values]) {
    if (nestingDepth(text) > depth)
      throw limitError('depth', `A value must not nest deeper than ${depth} levels.`, subject.name)
  }
  if (next !== undefined && !list)
    throw malformedParameter(subject, `A path into "${wire}" uses dots: filter[${wire}.${next}].`)
}

/** Returns the nesting depth of JSON, or an arbitrary number for other text. A list only counts if it is in another list. */
function nestingDepth(text: string): number {
  let [level, deepest] = [0, 0]
  const open: (readonly [token: string, before: number])[] = []
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') {
      const isLevel = token === '{' || open.at(-1)?.[0] === '['
      open.push([token, level])
      if (isLevel) deepest = Math.max(deepest, ++level)
    } else if (token === ']' || token === '}') level = open.pop()?.[1] ?? 0
  }
  return deepest
}

/** Compares the whole value of a Json field. The value in the request may contain commas. */
function jsonEquality({ name, field }: NamedField, subject: Subject): FilterCondition {
  const value = parsedValue(subject, fromText(field, subject.value))
  // Responses show both kinds of null in a Json column as null.
  if (value === null) return () => ({ [name]: { equals: ANY_NULL } })
  return conditionExcludingNull(name, field, { [name]: { equals: value } })
}

type TextOperator = 'string_contains' | 'string_starts_with' | 'string_ends_with'

/** Prisma's text operators for Json values. */
const TEXT: Readonly<Record<string, TextOperator>> = {
  contains: 'string_contains',
  startsWith: 'string_starts_with',
  endsWith: 'string_ends_with',
}

const OPERATORS: readonly Operator[] = [
  ...(['ne', 'in', 'notIn', 'lt', 'lte', 'gt', 'gte', 'between'] as const),
  ...(['contains', 'startsWith', 'endsWith', 'icontains', 'istartsWith', 'iendsWith', 'isNull'] as const),
]

/** Matches keys that all databases accept between double quotes. */
const KEY = /^[^"\\\p{Cc}]+$/u

/**
 * Matches list indices as Postgres parses them. Such keys are rejected, because MySQL treats a value that is not a list as a list of one
 * value.
 */
const LIST_INDEX = /^\s*[+-]?\d+\s*$/

/**
 * Returns a condition on a value inside a Json field that is not a list: `filter[settings.theme]=dark`.
 * @param keys the path from the field to the value
 * @throws RequestError 400 or 422
 */
function jsonPathCondition(
  named: NamedField,
  keys: readonly string[],
  comparison: Comparison,
  limits: Limits,
): FilterCondition {
  const { subject, values, operator } = comparison
  if (keys.length > limits.depth) {
    throw limitError('depth', `A path into a Json value can have at most ${limits.depth} keys.`, subject.name)
  }
  const invalidKey = keys.find((key) => !KEY.test(key) || LIST_INDEX.test(key))
  if (invalidKey !== undefined) {
    const hint = 'A path consists of keys without quotes or backslashes. List indices are not supported.'
    throw malformedParameter(
      subject,
      `"${invalidKey}" is not allowed in the path "${[named.wire, ...keys].join('.')}". ${hint}`,
    )
  }
  const toFilter = (condition: object) => (dialect: Dialect) => ({
    [named.name]: { path: pathIn(keys, dialect), ...condition },
  })
  const isPresent = toFilter({ not: ANY_NULL })

  if (operator === undefined || operator === 'in') return equalsAny()
  if (operator === 'ne' || operator === 'notIn') return negate(equalsAny())
  if (operator === 'isNull') {
    const value = singleValue(values, subject)
    if (value !== 'true' && value !== 'false') throw invalidValue(subject, 'must be true or false')
    return value === 'true' ? toFilter({ equals: ANY_NULL }) : isPresent
  }
  if (operator === 'between') {
    const [from, to] = values
    if (values.length !== 2 || from === undefined || to === undefined) {
      throw malformedParameter(subject, `"between" requires 2 values, but has ${values.length}.`)
    }
    const [gte, lte] = [orderedBy(from), orderedBy(to)]
    if (typeof gte !== typeof lte) throw invalidValue(subject, 'must not mix numbers and strings')
    return positive(ordered(toFilter({ gte, lte }), operator))
  }
  if (isOrder(operator)) {
    const wheres = values.map((text) => toFilter({ [operator]: orderedBy(text) }))
    return anyOf(wheres.map((where) => positive(ordered(where, operator))))
  }
  const isAnyCase = operator.startsWith('i')
  const text = TEXT[isAnyCase ? operator.slice(1) : operator]
  if (!text) {
    const operatorList = OPERATORS.map((one) => `$${one}`).join(', ')
    const detail = `A value inside a Json field has no operator "$${operator}". Its operators: ${operatorList}.`
    throw unsupportedOperator(subject, detail)
  }
  const mode = isAnyCase ? { mode: 'insensitive' } : {}
  return anyOf(
    values.map((value) => positive((dialect) => toFilter({ [text]: escapeLike(value, dialect), ...mode })(dialect))),
  )

  function equalsAny(): FilterCondition {
    const wheres = values.flatMap(parseScalars).map((equals) => toFilter({ equals }))
    return (dialect, exact) => {
      const found = wheres.map((where) => where(dialect))
      const [only] = found
      const where = found.length === 1 && only ? only : { OR: found }
      // The condition must be false instead of unknown if the path does not exist.
      return exact ? { AND: [where, isPresent(dialect)] } : where
    }
  }

  function ordered(part: (dialect: Dialect) => Where, name: string): (dialect: Dialect) => Where {
    return (dialect) => {
      if (ordersJson(dialect)) return part(dialect)
      throw missingOperator(subject, name)
    }
  }

  /**
   * Wraps a condition that has no exact form. Prisma compiles these operators to SQL that is true only for strings or only for numbers. The
   * negated SQL has the same restriction.
   */
  function positive(part: (dialect: Dialect) => Where): FilterCondition {
    return (dialect, exact) => {
      if (!exact) return part(dialect)
      const detail = `Inside a Json field, "${operator}" cannot be negated.`
      throw unsupportedOperator(subject, detail)
    }
  }
}

/** Returns the JSON values that a string may represent: the string itself, and the number or Boolean that it spells, if any. */
function parseScalars(text: string): readonly (string | number | boolean)[] {
  const number = parseNumber(text)
  if (number !== undefined) return [text, number]
  return text === 'true' || text === 'false' ? [text, text === 'true'] : [text]
}

function orderedBy(text: string): string | number {
  return parseNumber(text) ?? text
}

function parseNumber(text: string): number | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return undefined
  const number = Number(text)
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined
}

function isOrder(operator: string): boolean {
  return ['lt', 'lte', 'gt', 'gte'].includes(operator)
}

/** Whether Prisma can compare Json values by order. On SQLite, it cannot. */
function ordersJson({ provider }: Dialect): boolean {
  return provider !== 'sqlite'
}

/** Returns a path in the format that Prisma expects for the database. */
function pathIn(keys: readonly string[], { provider }: Dialect): readonly string[] | string {
  if (provider === 'mysql' || provider === 'sqlite') return `$${keys.map((key) => `."${key}"`).join('')}`
  return keys
}
