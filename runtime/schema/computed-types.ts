/*
 * The types of computed fields, for the emitted `client.ts`. This is a separate entry point, so that importing these types does not load
 * those of the runtime.
 */

declare const FIELDS: unique symbol

/** The types of computed fields, by model. Exists only for the compiler. The emitted `Api` takes it as a type argument. */
export interface Computed<F = object> {
  /** Phantom property. Never set. */
  readonly [FIELDS]?: F | undefined
}

/** The types of computed fields, by model, or undefined if there are none. */
export type ComputedFieldTypes<C> = C extends { readonly [FIELDS]?: infer F } ? NonNullable<F> : undefined

/** A client extension with these computed fields, in the form of Prisma's type arguments. */
export interface ExtensionOf<C> {
  result: Results<ComputedFieldTypes<C>>
  model: {}
  query: {}
  client: {}
}

type Results<F> = {
  [K in keyof F as Uncapitalize<K & string>]: { [P in keyof F[K]]: () => { compute: () => F[K][P] } }
}
