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

/** The data of a new resource. {@link CreateChecks} adds the rules that depend on the given properties. */
export type CreateData<A extends AnyApi, C extends ClientTypes, N> = {
  readonly [K in Exclude<RequiredName<A, N>, KeyName<A, N>>]: FieldInput<A, N, K>
} & {
  readonly [K in Exclude<WritableName<A, N>, Exclude<RequiredName<A, N>, KeyName<A, N>>>]?: FieldInput<A, N, K>
} & {
  readonly [K in WritableRelation<A, N>]?: RelationInput<A, C, N, K>
} & {
  readonly [K in HiddenKeyRelation<A, N>]: RelationInput<A, C, N, K>
}

/** The data of an update. {@link UpdateChecks} adds the rules that depend on the given properties. */
export type UpdateData<A extends AnyApi, C extends ClientTypes, N> = {
  readonly [K in Exclude<WritableName<A, N>, 'id'>]?: FieldInput<A, N, K>
} & {
  readonly [K in WritableRelation<A, N>]?: RelationInput<A, C, N, K>
}

/** Checks that a required foreign key is given either directly or by its relation, and that no unknown properties are given. */
export type CreateChecks<A extends AnyApi, C extends ClientTypes, N, D> = ExactData<A, N, D, CreateData<A, C, N>> & {
  readonly [K in Exclude<RequiredName<A, N> & KeyName<A, N>, keyof D | KeyOf<A, N, keyof D>>]: FieldInput<A, N, K>
}

/** Checks that a foreign key and its relation are not both given, and that no unknown properties are given. */
export type UpdateChecks<A extends AnyApi, C extends ClientTypes, N, D> = ExactData<A, N, D, UpdateData<A, C, N>>

type ExactData<A extends AnyApi, N, D, All> = {
  readonly [K in keyof D]: K extends KeyOf<A, N, keyof D>
    ? Invalid<`'${K & string}' is the foreign key of a relation that is also given. Use only one of them.`>
    : K extends keyof All
      ? All[K]
      : Invalid<UnknownName<N, 'writable field or relation', K, keyof All>>
}

/** The foreign key fields of relations. */
type KeyOf<A extends AnyApi, N, R> = R extends keyof RelationsOf<A, N>
  ? RelationsOf<A, N>[R] extends { readonly foreignKey: infer K }
    ? keyof K & string
    : never
  : never

/** The foreign key fields of writable relations. */
type KeyName<A extends AnyApi, N> = KeyOf<A, N, WritableRelation<A, N>>

/** The relations that must be given, because their required foreign key is hidden. */
type HiddenKeyRelation<A extends AnyApi, N> = {
  [K in WritableRelation<A, N>]: [KeyOf<A, N, K>] extends [never]
    ? never
    : KeyOf<A, N, K> extends KeysWith<FieldsOf<A, N>, { readonly hidden: true }> & NeededName<A, N>
      ? K
      : never
}[WritableRelation<A, N>]

/** The writable fields. */
type WritableName<A extends AnyApi, N> = Exclude<keyof FieldsOf<A, N> & string, Unwritable<A, N>>

/** The writable relations. */
export type WritableRelation<A extends AnyApi, N> = Exclude<keyof RelationsOf<A, N> & string, Unwritable<A, N>>

/** The fields without a default. */
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

/** The fields that a new resource requires. */
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

/** The input type of a field. */
type FieldInput<A extends AnyApi, N, K> =
  Member<FieldsOf<A, N>, K> extends infer F
    ? F extends { readonly type: 'Enum'; readonly values: readonly (infer V)[] }
      ? ListOrScalar<F, V>
      : F extends { readonly type: infer T extends keyof WriteValues }
        ? ListOrScalar<F, WriteValues[T]>
        : JsonFor<Member<Member<PrismaPayload<A, N>, 'scalars'>, K>>
    : never

/** Any JSON value, or the field's type if another generator has set one. */
type JsonFor<T> = [string | number | boolean] extends [Exclude<T, null>] ? JsonInput : T

type ListOrScalar<F, T> = F extends { readonly list: true }
  ? readonly T[]
  : F extends { readonly optional: true }
    ? T | null
    : T

/** The input type of a relation. */
export type RelationInput<A extends AnyApi, C extends ClientTypes, N, K> = C['graph'] extends true
  ? Member<RelationsOf<A, N>, K> extends { readonly many: true }
    ? readonly ResourceOrId[]
    : CanBeEmpty<A, N, Member<RelationsOf<A, N>, K>> extends true
      ? ResourceOrId | null
      : ResourceOrId
  : 'To write relationships, pass the generated graph to the client: createRestClient<Api>({ url, graph })'

/** Whether a to-one relation can be null. If its model has the foreign key, at least one field of the key must be optional. */
type CanBeEmpty<A extends AnyApi, N, R> = R extends { readonly optional: true }
  ? R extends { readonly foreignKey: infer K }
    ? [keyof K & KeysWith<FieldsOf<A, N>, { readonly optional: true }>] extends [never]
      ? false
      : true
    : true
  : false

/** The fields that an upsert can match by: a unique criterion whose fields can be written. A single field needs no array. */
export type Match<A extends AnyApi, N> =
  | MatchableKey<UniquesOf<A, N>[keyof UniquesOf<A, N>], WritableName<A, N>>
  | (Member<ResourceOf<A, N>, 'id'> & WritableName<A, N>)

type MatchableKey<U, W> = U extends readonly W[] ? (U extends readonly [infer K] ? K : U) : never
