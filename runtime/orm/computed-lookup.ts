import type { Model } from '../schema/model.js'

/** A result field that a client extension computes (`$extends({ result })`). */
export interface ComputedField {
  readonly name: string
  /** The schema fields that it depends on, directly or through other computed fields. */
  readonly needs: readonly string[]
}

/** The computed fields of a model, by name. The object is the same for clients with the same extensions. */
export type ComputedFields = Readonly<Record<string, ComputedField>>

/** Returns the computed fields of the model with the given delegate. */
export type ComputedLookup = (delegate: string) => ComputedFields | undefined

/** Prisma's undocumented properties that list a client's extensions. */
interface PrismaLike {
  readonly _extensions?: {
    isEmpty?(): boolean
    getAllComputedFields?(model: string): ComputedFields | undefined
  }
}

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
  const found = lookupCache.get(client) ?? { lookup: readLookup(client) }
  lookupCache.set(client, found)
  return found.lookup
}

function readLookup(client: PrismaLike): ComputedLookup | undefined {
  const { _extensions: extensions } = client
  if (!extensions?.getAllComputedFields || extensions.isEmpty?.()) return undefined
  return (delegate) => extensions.getAllComputedFields?.(delegate)
}

/** Whether a computed field depends on a hidden or write-only field. */
export function exposesHiddenField({ needs }: ComputedField, { omit = {} }: Model): boolean {
  return needs.some((name) => Object.hasOwn(omit, name))
}
