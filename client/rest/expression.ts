import { COMBINATORS } from './combinators.js'
import { valueOrJsonToText } from './text.js'

/** Operators of `filter[…]` that have a different function name in expressions. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  lt: 'lessThan',
  lte: 'lessOrEqual',
  gt: 'greaterThan',
  gte: 'greaterOrEqual',
}

/** Functions that take one value. Several values are combined with `or`. */
const SINGLE_VALUE = /^([lg]te?|i?(contains|startsWith|endsWith)|iequals|search|has)$/

/** Functions that take several values. */
const MULTI_VALUE = /^(between|has(Some|Every))$/

/**
 * Builds an expression from conditions: `and(equals(title,'a'),or(…))`.
 * @param prefix the path before the fields of the conditions: `author.`
 * @param label the name of the filter in error messages
 * @throws TypeError if a condition is empty or has a value that cannot be compared
 */
export function buildExpression(filter: unknown, prefix = '', label = 'filter'): string {
  return joinEntries(filter, label, (name, value) => {
    if (!COMBINATORS.test(name)) return buildCondition(prefix + name, value)
    const all = join(name === 'AND' ? 'and' : 'or', [value].flat(), prefix + name, (operand) =>
      buildExpression(operand, prefix, name),
    )
    // Several conditions in `NOT` must all be false, as in Prisma.
    return name === 'NOT' ? `not(${all})` : all
  })
}

function joinEntries(object: unknown, label: string, write: (name: string, value: unknown) => string): string {
  return join('and', Object.entries(Object(object)), label, ([name, value]) => write(name, value))
}

function join<T>(name: string, parts: readonly T[], label: string, write: (part: T) => string): string {
  const texts = parts.map(write)
  if (texts.length === 0) throw new TypeError(`"${label}" has no condition.`)
  return texts.length > 1 ? `${name}(${texts})` : `${texts}`
}

/** Builds the conditions on one field or relation. */
function buildCondition(path: string, value: unknown): string {
  if (value === null) return `equals(${path},null)`
  if (Array.isArray(value)) return buildCall('any', path, value)
  if (hasTextForm(value)) return buildCall('equals', path, [value])
  return joinEntries(value, path, (name, operand) => {
    const values = [operand].flat()
    const hasRelated = () =>
      hasTextForm(values[0]) ? buildCondition(path, operand) : `has(${path},${buildExpression(operand, '', path)})`
    if (name === '$field') return buildCall('equals', path, [{ $field: operand }])
    if (name === 'some') return hasRelated()
    if (name === 'none') return `not(${hasRelated()})`
    if (name === 'every') return `every(${path},${buildExpression(operand, '', path)})`
    if (name === 'not' || name === 'ne') return `not(${buildCondition(path, operand)})`
    if (name === 'isNull' || name === 'isEmpty') {
      const empty = name === 'isNull' ? buildCondition(path, null) : `isEmpty(${path})`
      return operand ? empty : `not(${empty})`
    }
    if (MULTI_VALUE.test(name)) return buildCall(name, path, values)
    if (SINGLE_VALUE.test(name))
      return join('or', values, path, (value) => buildCall(FUNCTIONS[name] ?? name, path, [value]))
    return buildExpression({ [name]: operand }, `${path}.`)
  })
}

function buildCall(name: string, path: string, values: readonly unknown[]): string {
  const texts = values.map((value) => {
    const { $field: other }: { $field?: unknown } = Object(value)
    // The other field belongs to the same resource, so it has the same prefix.
    if (typeof other === 'string') return path.replace(/[^.]*$/, other)
    if (!hasTextForm(value)) throw new TypeError(`"${path}" cannot be compared with ${value}.`)
    return `'${valueOrJsonToText(value)?.replaceAll("'", "''")}'`
  })
  if (texts.length === 0) throw new TypeError(`"${path}" requires a value.`)
  return `${name}(${path},${texts})`
}

/** Whether a value can be written as text in an expression. */
function hasTextForm(value: unknown): boolean {
  return value !== undefined && valueOrJsonToText(value) !== undefined
}
