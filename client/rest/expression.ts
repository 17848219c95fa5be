import { COMBINATORS } from './combinators.js'
import { valueOrJsonToText } from './text.js'

/** Operators of `filter[…]` whose function in expressions has another name. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  lt: 'lessThan',
  lte: 'lessOrEqual',
  gt: 'greaterThan',
  gte: 'greaterOrEqual',
}

/** Functions with one value. Several values are combined with `or`. */
const SINGLE_VALUE = /^([lg]te?|i?(contains|startsWith|endsWith)|iequals|search|has)$/

/** Functions with several values. */
const ALL_VALUES = /^(between|has(Some|Every))$/

/**
 * Builds an expression from conditions: `and(equals(title,'a'),or(…))`.
 * @param path the prefix of the conditions' fields: `author.`
 * @param about the name for error messages
 * @throws TypeError if a condition is empty or has a value that cannot be compared
 */
export function buildExpression(filter: unknown, path = '', about = 'filter'): string {
  return joinEntries(filter, about, (name, value) => {
    if (!COMBINATORS.test(name)) return buildCondition(path + name, value)
    const all = join(name === 'AND' ? 'and' : 'or', [value].flat(), path + name, (one) =>
      buildExpression(one, path, name),
    )
    // Several conditions in `NOT` must all be false, as in Prisma.
    return name === 'NOT' ? `not(${all})` : all
  })
}

function joinEntries(object: unknown, chain: string, write: (name: string, value: unknown) => string): string {
  return join('and', Object.entries(Object(object)), chain, ([name, value]) => write(name, value))
}

function join<T>(name: string, parts: readonly T[], chain: string, write: (part: T) => string): string {
  const texts = parts.map(write)
  if (texts.length === 0) throw new TypeError(`"${chain}" has no condition.`)
  return texts.length > 1 ? `${name}(${texts})` : `${texts}`
}

/** Builds the conditions on one field or relation. */
function buildCondition(chain: string, value: unknown): string {
  if (value === null) return `equals(${chain},null)`
  if (Array.isArray(value)) return call('any', chain, value)
  if (isText(value)) return call('equals', chain, [value])
  return joinEntries(value, chain, (name, operand) => {
    const values = [operand].flat()
    const members = () =>
      isText(values[0]) ? buildCondition(chain, operand) : `has(${chain},${buildExpression(operand, '', chain)})`
    if (name === '$field') return call('equals', chain, [{ $field: operand }])
    if (name === 'some') return members()
    if (name === 'none') return `not(${members()})`
    if (name === 'every') return `every(${chain},${buildExpression(operand, '', chain)})`
    if (name === 'not' || name === 'ne') return `not(${buildCondition(chain, operand)})`
    if (name === 'isNull' || name === 'isEmpty') {
      const empty = name === 'isNull' ? buildCondition(chain, null) : `isEmpty(${chain})`
      return operand ? empty : `not(${empty})`
    }
    if (ALL_VALUES.test(name)) return call(name, chain, values)
    if (SINGLE_VALUE.test(name))
      return join('or', values, chain, (value) => call(FUNCTIONS[name] ?? name, chain, [value]))
    return buildExpression({ [name]: operand }, `${chain}.`)
  })
}

function call(name: string, chain: string, values: readonly unknown[]): string {
  const texts = values.map((value) => {
    const { $field: other }: { $field?: unknown } = Object(value)
    // A field of the same resource.
    if (typeof other === 'string') return chain.replace(/[^.]*$/, other)
    if (!isText(value)) throw new TypeError(`"${chain}" cannot be compared with ${value}.`)
    return `'${valueOrJsonToText(value)?.replaceAll("'", "''")}'`
  })
  if (texts.length === 0) throw new TypeError(`"${chain}" requires a value.`)
  return `${name}(${chain},${texts})`
}

function isText(value: unknown): boolean {
  return value !== undefined && valueOrJsonToText(value) !== undefined
}
