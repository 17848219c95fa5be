import { isObject } from '../values/is-object.js'
import { deny } from '../errors/policy-error.js'

/** Arguments of a Prisma client call, or a part of them. */
export type Args = Readonly<Record<string, unknown>>

/**
 * Returns a part of the arguments as an object.
 * @throws PolicyError if the value is not an object
 */
export function asArgs(value: unknown, label: string): Args {
  return isObject(value) ? value : deny(`${label} cannot be verified: it must be an object.`)
}

/** Wraps a single value in an array. Returns an empty array for undefined. */
export function toArray(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/** Returns the properties of arguments that are not undefined. Prisma treats undefined properties as absent. */
export function definedEntries(tree: Args): [string, unknown][] {
  return Object.entries(tree).filter(([, value]) => value !== undefined)
}
