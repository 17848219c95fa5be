/*
 * The types of computed fields, for the emitted `client.ts`. An entry point of their own: what imports them need not read the runtime.
 */

declare const FIELDS: unique symbol

/** What is known of computed fields, for the compiler alone: `F` has their types, by model. The emitted `Api` takes it. */
export interface Computed<F = object> {
  /** Never there. */
  readonly [FIELDS]?: F | undefined
}

/** The types of computed fields, by model; undefined where there are none. */
export type ComputedFieldTypes<C> = C extends { readonly [FIELDS]?: infer F } ? NonNullable<F> : undefined

/** An extension of the client with these computed fields, as the arguments of Prisma's own types have it. */
export interface ExtensionOf<C> {
  result: Results<ComputedFieldTypes<C>>
  model: {}
  query: {}
  client: {}
}

type Results<F> = {
  [K in keyof F as Uncapitalize<K & string>]: { [P in keyof F[K]]: () => { compute: () => F[K][P] } }
}
