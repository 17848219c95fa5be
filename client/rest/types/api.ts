import type { AnyApi, ComputedOf, FieldsOf, Member, ModelName, RelationsOf, Unreadable } from '../../api.js'

/** The names of the properties that have a flag. */
export type KeysWith<T, Flag> = { [K in keyof T]: T[K] extends Flag ? K : never }[keyof T]

/** The attributes of a resource: its readable fields except `id`. */
export type AttributeName<A extends AnyApi, N> = Exclude<keyof FieldsOf<A, N> & string, Unreadable<A, N> | 'id'>

/** The computed fields of a resource: attributes that you cannot filter or sort by. */
export type ComputedName<A extends AnyApi, N> = keyof ComputedOf<A, N> & string

/** The attributes that support full-text search. */
export type TextName<A extends AnyApi, N> = {
  [K in AttributeName<A, N>]: Member<FieldsOf<A, N>, K> extends { readonly type: 'String' }
    ? Member<FieldsOf<A, N>, K> extends { readonly list: true } | { readonly uuid: true }
      ? never
      : K
    : never
}[AttributeName<A, N>]

/** The readable relations of a model to exposed models. */
export type RelationName<A extends AnyApi, N> = Exclude<
  keyof RelationsOf<A, N> & string,
  Unreadable<A, N> | UnexposedRelation<A, RelationsOf<A, N>>
>

type UnexposedRelation<A extends AnyApi, L> = {
  [K in keyof L]: Member<L[K], 'model'> extends ModelName<A> ? never : K
}[keyof L]

/** The readable to-many relations. */
export type ToManyName<A extends AnyApi, N> = RelationName<A, N> & KeysWith<RelationsOf<A, N>, { readonly many: true }>

/** The readable to-one relations. */
export type ToOneName<A extends AnyApi, N> = Exclude<RelationName<A, N>, ToManyName<A, N>>

/** Path names of models. Default: the model name in lower case. */
export type NameMapping<A extends AnyApi> = { readonly [N in ModelName<A>]?: string }

/** The type parameters of a client, from its options. */
export interface ClientTypes {
  /** The type of Decimals. */
  readonly decimal: unknown
  /** The server's `modelNameMapping`, or unknown if it has none. */
  readonly names: unknown
  /** Whether the client has the schema's graph. */
  readonly graph: boolean
}

/** The {@link ClientTypes} of a client with only a graph. */
export interface PlainClient {
  readonly decimal: string
  readonly names: unknown
  readonly graph: true
}

/** An API without the models that the mapping `M` omits. The server does not expose them, not even as related resources. */
export type Served<A extends AnyApi, M> = keyof M extends never
  ? A
  : Omit<A, 'models'> & { readonly models: Pick<A['models'], keyof M & keyof A['models']> }

/** The resource type of a model. */
export type TypeName<C extends ClientTypes, N> = N extends keyof C['names']
  ? C['names'][N] & string
  : Lowercase<N & string>
