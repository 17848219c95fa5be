import type { Member, ModelName, TypeMap } from './client-types.js'

/** Names of a client's computed fields (`$extends({ result })`), by model: the fields of its rows that are not in the schema. */
export type ComputedFieldsOf<T extends TypeMap, C, N extends ModelName<T>> = {
  readonly [K in N]?: readonly (Exclude<
    keyof RowOf<Member<C, Uncapitalize<K>>>,
    keyof Member<Member<T['model'][K], 'payload'>, 'scalars'>
  > &
    string)[]
}

/** Checks that the keys of inferred names are models of the schema. TypeScript does not report excess properties of an inferred type. */
export type OfModels<Names, N extends string> = { readonly [K in keyof Names]: K extends N ? Names[K] : never }

/** Extracts the type of a delegate's rows in the same way as `Prisma.Result`. */
type RowOf<D> = D extends {
  readonly [K: symbol]: { readonly types: { readonly payload: { readonly scalars: infer S } } }
}
  ? S
  : never

/** The types of a client's computed fields, by model. Uses `infer`, so that emitted declarations contain the types and not the client. */
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
