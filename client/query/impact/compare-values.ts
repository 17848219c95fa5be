import { isPlainObject, toArray, type PlainObject } from './graph.js'

/** Whether two values of a column are equal. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && text(a) === text(b))
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, property: unknown) => (typeof property === 'bigint' ? `${property}n` : property))
}

/**
 * Whether it is certain that a row does not meet a condition. Collations differ between databases, so two strings count as different only
 * if they differ even when case is ignored, and contain only letters, digits, `_` and `-`. Values that the row lacks are unknown and never
 * rule out a match.
 */
export function cannotMatch(where: unknown, row: PlainObject): boolean {
  if (!isPlainObject(where)) return false
  return Object.entries(where).some(([key, condition]) => {
    if (condition === undefined) return false
    if (key === 'AND') return toArray(condition).some((operand) => cannotMatch(operand, row))
    if (key === 'OR') return toArray(condition).every((operand) => cannotMatch(operand, row))
    if (key in row) return cannotMatchValue(condition, row[key])
    // A compound unique criterion is named after its fields and contains their values.
    return (
      isPlainObject(condition) &&
      key.includes('_') &&
      key === Object.keys(condition).join('_') &&
      cannotMatch(condition, row)
    )
  })
}

function cannotMatchValue(condition: unknown, value: unknown): boolean {
  if (!isPlainObject(condition)) return areDifferent(condition, value)
  return Object.entries(condition).some(([operator, operand]) => {
    switch (operator) {
      case 'some':
        // New rows have an empty array for a relation without related rows.
        return Array.isArray(value) && value.length === 0
      case 'equals':
        return areDifferent(operand, value)
      case 'in':
        return Array.isArray(operand) && operand.every((element) => areDifferent(element, value))
      case 'not':
        return isPlainText(operand) && operand === value
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

/** Compares numbers or dates. Returns NaN for all other types. */
export function compareOrder(a: unknown, b: unknown): number {
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0
  return a instanceof Date && b instanceof Date ? a.getTime() - b.getTime() : NaN
}

function areDifferent(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return false
  if (a === null || b === null) return a !== b
  if (typeof a === 'string' && typeof b === 'string') {
    const [left, right] = [a.toLowerCase(), b.toLowerCase()]
    // Decimals can be strings: "1" and "1.0" are equal.
    return left !== right && Number(left) !== Number(right) && /^[\w-]*$/.test(left + right)
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return a !== b
  // In REST, ids are strings.
  if (isNumber(a) && typeof b === 'string') return /^\d+$/.test(b) && Number(b) !== Number(a)
  if (isNumber(b) && typeof a === 'string') return areDifferent(b, a)
  return Math.abs(compareOrder(a, b)) > 0
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

function isPlainText(value: unknown): boolean {
  return typeof value === 'string' || isNumber(value) || typeof value === 'boolean'
}
