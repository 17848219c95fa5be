import type { Member, ModelName, TypeMap } from './client-types.js'

/**
 * Computed fields of a client, by model: names of fields that its own type has of a row (`$extends({ result })`), and the schema has
 * not.
 */
export type ComputedFieldsOf<T extends TypeMap, C, N extends ModelName<T>> = {
  readonly [K in N]?: readonly (Exclude<
    keyof RowOf<Member<C, Uncapitalize<K>>>,
    keyof Member<Member<T['model'][K], 'payload'>, 'scalars'>
  > &
    string)[]
}

/** The names that are given, where the models are those of the schema: of what it infers, the compiler misses none. */
export type OfModels<Names, N extends string> = { readonly [K in keyof Names]: K extends N ? Names[K] : never }

/** Prisma's own way from a delegate's type to that of its rows, which is how `Prisma.Result` goes. */
type RowOf<D> = D extends {
  readonly [K: symbol]: { readonly types: { readonly payload: { readonly scalars: infer S } } }
}
  ? S
  : never

/** The types that a client's own results have of computed fields, by model. By `infer`, so that declarations show types, and no client. */
export type ComputedTypes<C, Names> = Names extends infer N
  ? {
      [K in keyof N]: {
        [F in N[K] extends readonly (infer E extends string)[] ? E : never]: Member<
          RowOf<Member<C, Uncapitalize<K & string>>>,
          F
        >
      }
    }
  : never
