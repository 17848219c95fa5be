import type { Field } from '../schema/resource.js'
import { isObject } from './is-object.js'

/** Operations that compute a number from the current one. */
export const ARITHMETIC: ReadonlySet<string> = new Set(['increment', 'decrement', 'multiply', 'divide'])

/**
 * Returns the arithmetic operation in the change of a field, with its operand.
 * @param change the field's value in the data of an update
 * @returns undefined if the change is not arithmetic, or the field is a version
 */
export function findArithmetic(field: Field | undefined, change: unknown): readonly [string, unknown] | undefined {
  // Only the runtime increments versions. In a Json field, `{ increment: 1 }` is a plain value.
  if (!field || field.version || field.type === 'Json' || !isObject(change)) return undefined
  return Object.entries(change).find(([key]) => ARITHMETIC.has(key))
}
