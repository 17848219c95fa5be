import { PolicyError } from '../errors/policy-error.js'
import { isObject } from '../values/is-object.js'

/** Arguments of the Prisma client, or a part of them. */
export type Args = Readonly<Record<string, unknown>>

/**
 * A part of the arguments that must be an object.
 * @throws PolicyError where it is anything else
 */
export function asArgs(value: unknown, what: string): Args {
  return isObject(value) ? value : deny(`${what} cannot be verified: it must be an object.`)
}

/** One or many, as a list. */
export function toArray(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

/** The members of arguments that are given: Prisma takes `undefined` as absent. */
export function definedMembers(tree: Args): [string, unknown][] {
  return Object.entries(tree).filter(([, value]) => value !== undefined)
}

/** Denies: see {@link PolicyError}. */
export function deny(message: string): never {
  throw new PolicyError(message)
}
