import { ANY_NULL } from '../../../values/null.js'
import type { Field } from '../../../schema/resource.js'
import type { Limits } from '../../../limits.js'
import type { Dialect } from '../../../orm/dialect.js'
import type { NamedField } from '../../model.js'
import { limitError } from '../limit-error.js'
import type { Comparison } from '../filter-conditions.js'
import { escapeLike, type Operator } from '../operators.js'
import { malformed } from '../query.js'
import { singleValue } from './quantifiers.js'
import { anyOf, negated, type FilterCondition, type Where } from './condition.js'
import { invalidValue, missingOperator, type Subject, unsupportedOperator } from './subject.js'

type TextOperator = 'string_contains' | 'string_starts_with' | 'string_ends_with'

/** Prisma's words for texts inside of a Json value. */
const TEXT: Readonly<Record<string, TextOperator>> = {
  contains: 'string_contains',
  startsWith: 'string_starts_with',
  endsWith: 'string_ends_with',
}

const OPERATORS: readonly Operator[] = [
  ...(['ne', 'in', 'notIn', 'lt', 'lte', 'gt', 'gte', 'between'] as const),
  ...(['contains', 'startsWith', 'endsWith', 'icontains', 'istartsWith', 'iendsWith', 'isNull'] as const),
]

/** A key that all databases understand between double quotes. */
const KEY = /^[^"\\\p{Cc}]+$/u

/** A place of a list, as Postgres reads one: MySQL takes what is no list for a list of one. */
const PLACE = /^\s*[+-]?\d+\s*$/

/**
 * A condition on a value inside of a Json field: `filter[settings.theme]=dark`. The field is one that is no list.
 * @param keys the names that lead from the field to the value
 * @throws RequestError 400 or 422
 */
export function jsonPathCondition(
  named: NamedField,
  keys: readonly string[],
  comparison: Comparison,
  limits: Limits,
): FilterCondition {
  const { subject, values, operator } = comparison
  if (keys.length > limits.depth) {
    throw limitError('depth', `A path into a Json value has at most ${limits.depth} names.`, subject.name)
  }
  const odd = keys.find((key) => !KEY.test(key) || PLACE.test(key))
  if (odd !== undefined) {
    const mend = 'A path has names of members, without quotes and backslashes; places of lists cannot be asked for.'
    throw malformed(subject, `"${odd}" cannot stand in the path "${[named.wire, ...keys].join('.')}". ${mend}`)
  }
  const filterOf = (condition: object) => (dialect: Dialect) => ({
    [named.name]: { path: pathIn(keys, dialect), ...condition },
  })
  const isPresent = filterOf({ not: ANY_NULL })

  if (operator === undefined || operator === 'in') return equalsAny()
  if (operator === 'ne' || operator === 'notIn') return negated(equalsAny())
  if (operator === 'isNull') {
    const value = singleValue(values, subject)
    if (value !== 'true' && value !== 'false') throw invalidValue(subject, 'is neither true nor false')
    return value === 'true' ? filterOf({ equals: ANY_NULL }) : isPresent
  }
  if (operator === 'between') {
    const [from, to] = values
    if (values.length !== 2 || from === undefined || to === undefined) {
      throw malformed(subject, `"between" takes 2 values, and there are ${values.length}.`)
    }
    const [gte, lte] = [orderedBy(from), orderedBy(to)]
    if (typeof gte !== typeof lte) throw invalidValue(subject, 'has a number and a text, which have no order')
    return positive(ordered(filterOf({ gte, lte }), operator))
  }
  if (isOrder(operator)) {
    const wheres = values.map((text) => filterOf({ [operator]: orderedBy(text) }))
    return anyOf(wheres.map((where) => positive(ordered(where, operator))))
  }
  const isAnyCase = operator.startsWith('i')
  const text = TEXT[isAnyCase ? operator.slice(1) : operator]
  if (!text) {
    const known = OPERATORS.map((one) => `$${one}`).join(', ')
    const detail = `A value inside of a Json field has no operator "$${operator}". Its operators: ${known}.`
    throw unsupportedOperator(subject, detail)
  }
  const mode = isAnyCase ? { mode: 'insensitive' } : {}
  return anyOf(
    values.map((value) => positive((dialect) => filterOf({ [text]: escapeLike(value, dialect), ...mode })(dialect))),
  )

  function equalsAny(): FilterCondition {
    const wheres = values.flatMap(scalarsOf).map((equals) => filterOf({ equals }))
    return (dialect, exact) => {
      const found = wheres.map((where) => where(dialect))
      const [only] = found
      const where = found.length === 1 && only ? only : { OR: found }
      // False, and not unknown, where the path leads to nothing.
      return exact ? { AND: [where, isPresent(dialect)] } : where
    }
  }

  function ordered(part: (dialect: Dialect) => Where, name: string): (dialect: Dialect) => Where {
    return (dialect) => {
      if (ordersJson(dialect)) return part(dialect)
      throw missingOperator(subject, name)
    }
  }

  /** The client makes SQL of these that holds for texts or for numbers alone, as does its opposite: nothing says what is neither. */
  function positive(part: (dialect: Dialect) => Where): FilterCondition {
    return (dialect, exact) => {
      if (!exact) return part(dialect)
      const detail = `Inside of a Json field, "${operator}" has no opposite: values of other types would be neither.`
      throw unsupportedOperator(subject, detail)
    }
  }
}

/**
 * Refuses whole Json values that nest too deep: the client takes a time for them that grows with the square of their depth.
 * @param values as the request spells them
 * @throws RequestError 400
 */
export function assertShallowJson(
  { type }: Field,
  subject: Subject,
  values: readonly string[],
  { depth }: Limits,
): void {
  if (type !== 'Json') return
  for (const text of [subject.value, ...values]) {
    if (nesting(text) > depth) throw limitError('depth', `A value may nest at most ${depth} levels.`, subject.name)
  }
}

/** Returns the nesting depth of a JSON text, or an arbitrary number for other texts. A list only counts if it is in another list. */
function nesting(text: string): number {
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

/** Whether paths lead into a field. */
export function isJson({ type, list }: Field): boolean {
  return type === 'Json' && !list
}

/** What a text may mean in JSON: itself, or the number or truth value that it spells. */
function scalarsOf(text: string): readonly (string | number | boolean)[] {
  const number = numberOf(text)
  if (number !== undefined) return [text, number]
  return text === 'true' || text === 'false' ? [text, text === 'true'] : [text]
}

function orderedBy(text: string): string | number {
  return numberOf(text) ?? text
}

function numberOf(text: string): number | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return undefined
  const number = Number(text)
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined
}

function isOrder(operator: string): boolean {
  return ['lt', 'lte', 'gt', 'gte'].includes(operator)
}

/** SQLite's client orders no Json. */
function ordersJson({ provider }: Dialect): boolean {
  return provider !== 'sqlite'
}

/** A path as Prisma takes it. */
function pathIn(keys: readonly string[], { provider }: Dialect): readonly string[] | string {
  if (provider === 'mysql' || provider === 'sqlite') return `$${keys.map((key) => `."${key}"`).join('')}`
  return keys
}
