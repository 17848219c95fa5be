import type { Model } from '../schema/model.js'
import { type ComputedField, type ComputedFields, computedFieldsOf } from './internals.js'

/** Returns the computed fields of the model with the given delegate. */
export type ComputedLookup = (delegate: string) => ComputedFields | undefined

/**
 * Caches the lookup per client, because access to a Prisma client goes through its proxies, which is slow, especially inside a transaction.
 */
const lookupCache = new WeakMap<object, { readonly lookup: ComputedLookup | undefined }>()

/**
 * Returns the lookup of a client's computed fields.
 * @param client a Prisma client; computed fields of other clients are not detected
 * @returns undefined if there are no extensions
 */
export function computedLookup(client: unknown): ComputedLookup | undefined {
  if (typeof client !== 'object' || client === null) return undefined
  const found = lookupCache.get(client) ?? { lookup: computedFieldsOf(client) }
  lookupCache.set(client, found)
  return found.lookup
}

/** Whether a computed field depends on a hidden or write-only field. */
export function exposesHiddenField({ needs }: ComputedField, { omit = {} }: Model): boolean {
  return needs.some((name) => Object.hasOwn(omit, name))
}
