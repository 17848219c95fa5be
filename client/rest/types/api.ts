import type { AnyApi, ComputedOf, FieldsOf, Member, ModelName, RelationsOf, Unreadable } from '../../api.js'

/** The names of the members that have a flag. */
export type KeysWith<T, Flag> = { [K in keyof T]: T[K] extends Flag ? K : never }[keyof T]

/** The attributes of a resource: the fields that it shows beside its id. */
export type AttributeName<A extends AnyApi, N> = Exclude<keyof FieldsOf<A, N> & string, Unreadable<A, N> | 'id'>

/** The computed fields of a resource: attributes by which nothing can be found or ordered. */
export type ComputedName<A extends AnyApi, N> = keyof ComputedOf<A, N> & string

/** The attributes that words are searched in. */
export type TextName<A extends AnyApi, N> = {
  [K in AttributeName<A, N>]: Member<FieldsOf<A, N>, K> extends { readonly type: 'String' }
    ? Member<FieldsOf<A, N>, K> extends { readonly list: true } | { readonly uuid: true }
      ? never
      : K
    : never
}[AttributeName<A, N>]

/** The relations that may be read: those to models that are served, where they offer it. */
export type RelationName<A extends AnyApi, N> = Exclude<
  keyof RelationsOf<A, N> & string,
  Unreadable<A, N> | UnservedRelation<A, RelationsOf<A, N>>
>

type UnservedRelation<A extends AnyApi, L> = {
  [K in keyof L]: Member<L[K], 'model'> extends ModelName<A> ? never : K
}[keyof L]

/** The readable relations that lead to many. */
export type ToManyName<A extends AnyApi, N> = RelationName<A, N> & KeysWith<RelationsOf<A, N>, { readonly many: true }>

/** The readable relations that lead to one. */
export type ToOneName<A extends AnyApi, N> = Exclude<RelationName<A, N>, ToManyName<A, N>>

/** The path names of models, where they are not the models' names in lower case. */
export type NameMapping<A extends AnyApi> = { readonly [N in ModelName<A>]?: string }

/** What the options of a client say to the compiler. */
export interface ClientTypes {
  /** The type of Decimals. */
  readonly decimal: unknown
  /** The path names of the models, as the server's option `modelNameMapping` has them; unknown where it has none. */
  readonly names: unknown
  /** Whether the client was given the graph of the schema. */
  readonly graph: boolean
}

/** What a client without further options says. */
export interface PlainClient {
  readonly decimal: string
  readonly names: unknown
  readonly graph: true
}

/** An API of which a mapping `M` leaves out models: they are not served, and are not on the wire as related ones either. */
export type Served<A extends AnyApi, M> = keyof M extends never
  ? A
  : Omit<A, 'models'> & { readonly models: Pick<A['models'], keyof M & keyof A['models']> }

/** The `type` of a model's resources. */
export type TypeName<C extends ClientTypes, N> = N extends keyof C['names']
  ? C['names'][N] & string
  : Lowercase<N & string>
