import { isMembers, toArray, type Members } from './graph.js'

/** Whether two values of a column are the same. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && text(a) === text(b))
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member))
}

/**
 * Whether a row certainly does not meet a condition. Databases differ in what they take for equal, so that texts differ where they do
 * without regard to case, and in nothing else than letters, digits, `_` and `-`. What is not known of the row may be anything.
 */
export function certainlyFails(where: unknown, row: Members): boolean {
  if (!isMembers(where)) return false
  return Object.entries(where).some(([key, condition]) => {
    if (condition === undefined) return false
    if (key === 'AND') return toArray(condition).some((each) => certainlyFails(each, row))
    if (key === 'OR') return toArray(condition).every((each) => certainlyFails(each, row))
    if (key in row) return failsAt(condition, row[key])
    // A unique criterion of several fields has their names, and is an object with them.
    return (
      isMembers(condition) &&
      key.includes('_') &&
      key === Object.keys(condition).join('_') &&
      certainlyFails(condition, row)
    )
  })
}

function failsAt(condition: unknown, value: unknown): boolean {
  if (!isMembers(condition)) return differ(condition, value)
  return Object.entries(condition).some(([operator, operand]) => {
    switch (operator) {
      case 'some':
        // Of rows that were just made, it is known where they lead to none.
        return Array.isArray(value) && value.length === 0
      case 'equals':
        return differ(operand, value)
      case 'in':
        return Array.isArray(operand) && operand.every((each) => differ(each, value))
      case 'not':
        return isPlain(operand) && operand === value
      case 'lt':
        return compareOrder(value, operand) >= 0
      case 'lte':
        return compareOrder(value, operand) > 0
      case 'gt':
        return compareOrder(value, operand) <= 0
      case 'gte':
        return compareOrder(value, operand) < 0
      default:
        return false
    }
  })
}

/** The order of numbers and of times; NaN, which is neither before nor after, for everything else. */
export function compareOrder(a: unknown, b: unknown): number {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0
  return a instanceof Date && b instanceof Date ? a.getTime() - b.getTime() : NaN
}

function differ(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return false
  if (a === null || b === null) return a !== b
  if (typeof a === 'string' && typeof b === 'string') {
    const [one, other] = [a.toLowerCase(), b.toLowerCase()]
    // A Decimal may be a text: 1 and 1.0 are one.
    return one !== other && Number(one) !== Number(other) && /^[\w-]*$/.test(one + other)
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return a !== b
  // Ids are texts in one style.
  if (isNumber(a) && typeof b === 'string') return /^\d+$/.test(b) && Number(b) !== Number(a)
  if (isNumber(b) && typeof a === 'string') return differ(b, a)
  return Math.abs(compareOrder(a, b)) > 0
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || isNumber(value) || typeof value === 'boolean'
}
