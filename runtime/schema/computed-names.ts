import type { Computed } from './computed-types.js'
import type { Schema } from './model.js'
import type { Resource } from './resource.js'

/** The key of the client that the names of computed fields were read from. Absent if the app listed the names itself. */
export const SOURCE_CLIENT = Symbol('client')

/** Names of computed fields, by model: the option `computed` of both handlers. `F` has their types if they were read from a client. */
export type ComputedNames<N extends string = string, F = unknown> = { readonly [K in N]?: readonly string[] } & {
  readonly [SOURCE_CLIENT]?: unknown
} & Computed<F>

/** Checks that a client can serve the exposed computed fields. Throws an Error if it cannot. */
export type CheckClient = (client: unknown) => void

/** The feature `computed`: exposes computed fields of the client. */
export interface ComputedFeature {
  /** Parses the option `computed`, and returns the names of the computed fields by model. */
  readonly parse: (
    option: ComputedNames | undefined,
    resources: Iterable<Resource>,
  ) => ReadonlyMap<string, ReadonlySet<string>>
  /** Creates a check that a client has the exposed computed fields. Undefined if no computed field is exposed. */
  readonly createClientCheck: (schema: Schema, option: ComputedNames | undefined) => CheckClient | undefined
}

/**
 * Lists computed fields of a client for the option `computed`. When the handler is created, it checks that client.
 * Called by the emitted `exposeComputed`.
 * @returns the names with the client
 */
export function computedFields<N extends string, F>(client: unknown, names: ComputedNames<N, F>): ComputedNames<N, F> {
  return { ...names, [SOURCE_CLIENT]: client }
}
