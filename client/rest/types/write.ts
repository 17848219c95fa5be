import type {
  AnyApi,
  FieldsOf,
  Member,
  PrismaPayload,
  RelationsOf,
  ResourceOf,
  UniquesOf,
  Unwritable,
} from '../../api.js'
import type { Invalid, UnknownName } from '../../invalid.js'
import type { ClientTypes, KeysWith } from './api.js'
import type { DecimalInput, ResourceOrId, JsonInput } from './values.js'

/** Attributes and relationships of a resource that is made. {@link CreateChecks} has what depends on what is given besides. */
export type CreateData<A extends AnyApi, C extends ClientTypes, N> = {
  readonly [K in Exclude<RequiredName<A, N>, KeyName<A, N>>]: FieldInput<A, N, K>
} & {
  readonly [K in Exclude<WritableName<A, N>, Exclude<RequiredName<A, N>, KeyName<A, N>>>]?: FieldInput<A, N, K>
} & {
  readonly [K in WritableRelation<A, N>]?: RelationInput<A, C, N, K>
} & {
  readonly [K in HiddenKeyRelation<A, N>]: RelationInput<A, C, N, K>
}

/** Attributes and relationships of a resource that change. {@link UpdateChecks} has what depends on what is given besides. */
export type UpdateData<A extends AnyApi, C extends ClientTypes, N> = {
  readonly [K in Exclude<WritableName<A, N>, 'id'>]?: FieldInput<A, N, K>
} & {
  readonly [K in WritableRelation<A, N>]?: RelationInput<A, C, N, K>
}

/** A required foreign key is given as it is or by its relation, and never both. Nothing else may be given. */
export type CreateChecks<A extends AnyApi, C extends ClientTypes, N, D> = Known<A, N, D, CreateData<A, C, N>> & {
  readonly [K in Exclude<RequiredName<A, N> & KeyName<A, N>, keyof D | KeyOf<A, N, keyof D>>]: FieldInput<A, N, K>
}

/** A foreign key and its relation are the same: only one of them may be given. Nothing else may be given. */
export type UpdateChecks<A extends AnyApi, C extends ClientTypes, N, D> = Known<A, N, D, UpdateData<A, C, N>>

type Known<A extends AnyApi, N, D, All> = {
  readonly [K in keyof D]: K extends KeyOf<A, N, keyof D>
    ? Invalid<`'${K & string}' is the foreign key of a relation that is given too. Give one of the two.`>
    : K extends keyof All
      ? All[K]
      : Invalid<UnknownName<N, 'writable field or relation', K, keyof All>>
}

/** The fields that the foreign keys of these relations are made of. */
type KeyOf<A extends AnyApi, N, R> = R extends keyof RelationsOf<A, N>
  ? RelationsOf<A, N>[R] extends { readonly foreignKey: infer K }
    ? keyof K & string
    : never
  : never

/** The fields that relations can be written in place of. */
type KeyName<A extends AnyApi, N> = KeyOf<A, N, WritableRelation<A, N>>

/** The relations that must be written, because what they are written in place of is hidden. */
type HiddenKeyRelation<A extends AnyApi, N> = {
  [K in WritableRelation<A, N>]: [KeyOf<A, N, K>] extends [never]
    ? never
    : KeyOf<A, N, K> extends KeysWith<FieldsOf<A, N>, { readonly hidden: true }> & NeededName<A, N>
      ? K
      : never
}[WritableRelation<A, N>]

/** The fields that may be written. */
type WritableName<A extends AnyApi, N> = Exclude<keyof FieldsOf<A, N> & string, Unwritable<A, N>>

/** The relations that may be written. */
export type WritableRelation<A extends AnyApi, N> = Exclude<keyof RelationsOf<A, N> & string, Unwritable<A, N>>

/** The fields that have no value unless they are given one. */
type NeededName<A extends AnyApi, N> = Exclude<
  keyof FieldsOf<A, N> & string,
  KeysWith<
    FieldsOf<A, N>,
    | { readonly optional: true }
    | { readonly list: true }
    | { readonly updatedAt: true }
    | { readonly generated: true }
    | { readonly default: string | number | boolean }
    | { readonly hasDefault: true }
  >
>

/** The fields that must be written when a resource is made. */
type RequiredName<A extends AnyApi, N> = WritableName<A, N> & NeededName<A, N>

interface WriteValues {
  readonly String: string
  readonly Boolean: boolean
  readonly Int: number
  readonly BigInt: bigint | number | string
  readonly Float: number
  readonly Decimal: DecimalInput
  readonly DateTime: Date | string
  readonly Bytes: Uint8Array
}

/** What may be written to a field. */
type FieldInput<A extends AnyApi, N, K> =
  Member<FieldsOf<A, N>, K> extends infer F
    ? F extends { readonly type: 'Enum'; readonly values: readonly (infer V)[] }
      ? Listed<F, V>
      : F extends { readonly type: infer T extends keyof WriteValues }
        ? Listed<F, WriteValues[T]>
        : JsonFor<Member<Member<PrismaPayload<A, N>, 'scalars'>, K>>
    : never

/** Any JSON, unless another generator has given the field a type of its own. */
type JsonFor<T> = [string | number | boolean] extends [Exclude<T, null>] ? JsonInput : T

type Listed<F, T> = F extends { readonly list: true }
  ? readonly T[]
  : F extends { readonly optional: true }
    ? T | null
    : T

/** What may be written to a relation. */
export type RelationInput<A extends AnyApi, C extends ClientTypes, N, K> = C['graph'] extends true
  ? Member<RelationsOf<A, N>, K> extends { readonly many: true }
    ? readonly ResourceOrId[]
    : CanBeEmpty<A, N, Member<RelationsOf<A, N>, K>> extends true
      ? ResourceOrId | null
      : ResourceOrId
  : 'To write relationships, give the client the emitted graph: createRestClient<Api>({ url, graph })'

/** Whether a relation to one can hold nothing: where its own row holds the key, a field of that can be null. */
type CanBeEmpty<A extends AnyApi, N, R> = R extends { readonly optional: true }
  ? R extends { readonly foreignKey: infer K }
    ? [keyof K & KeysWith<FieldsOf<A, N>, { readonly optional: true }>] extends [never]
      ? false
      : true
    : true
  : false

/** What an upsert can match by: the fields of a unique criterion. One field alone needs no list. */
export type Match<A extends AnyApi, N> =
  Alone<UniquesOf<A, N>[keyof UniquesOf<A, N>]> | (Member<ResourceOf<A, N>, 'id'> & WritableName<A, N>)

type Alone<U> = U extends readonly [infer K] ? K : U
