import type { Field } from '../schema/resource.js'
import { isObject } from './is-object.js'

/** Operations that compute a number from the current one. */
export const ARITHMETIC: ReadonlySet<string> = new Set(['increment', 'decrement', 'multiply', 'divide'])

/**
 * Returns the arithmetic operation that an update contains for a field, with its operand.
 * @param change the field's value in the data of an update
 */
export function findArithmetic(field: Field | undefined, change: unknown): readonly [string, unknown] | undefined {
  // The runtime increments versions by one.
  if (!field || field.version || field.type === 'Json' || !isObject(change)) return undefined
  return Object.entries(change).find(([key]) => ARITHMETIC.has(key))
}
