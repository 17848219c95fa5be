import type { AnyApi, FieldsOf, Member, RelationsOf, ResourceOf, TargetOf } from '../../api.js'
import type { DecimalInput, Id } from './values.js'
import type { JsonFilter } from '../json.js'
import type { AttributeName, KeysWith, RelationName, ToManyName, ToOneName } from './api.js'

/**
 * Conditions on the resources of a list, combined with AND. A plain value means equality, an array means any of its values, and null means
 * that the field or relation has no value. Each condition on a to-many relation can match a different related resource.
 */
export type Filter<A extends AnyApi, N> = Attributes<A, N> & {
  readonly [K in RelationName<A, N>]?: RelationFilter<A, TargetOf<A, N, K>, Member<RelationsOf<A, N>, K>>
} & { readonly id?: IdFilter<A, N> } & Combinations<A, N>

/**
 * Conditions inside `AND`, `OR` and `NOT`. They are sent as one expression, in which conditions on a to-many relation need a quantifier
 * such as `some`.
 */
export type JoinedFilter<A extends AnyApi, N> = Attributes<A, N> & {
  readonly [K in ToOneName<A, N>]?:
    | Comparable<Id>
    | (Member<RelationsOf<A, N>, K> extends { readonly optional: true } ? null | NullCondition : never)
    | JoinedFilter<A, TargetOf<A, N, K>>
} & {
  readonly [K in ToManyName<A, N>]?: AnyOf<Id> | MembersFilter<JoinedFilter<A, TargetOf<A, N, K>>>
} & { readonly id?: IdFilter<A, N> } & Combinations<A, N>

// A single mapped type, because TypeScript would not report unknown names in an intersection with an empty one.
type Attributes<A extends AnyApi, N> = {
  readonly [K in Filtered<A, N> | JsonPath<A, N>]?: K extends Filtered<A, N>
    ? FieldFilter<Member<FieldsOf<A, N>, K>, ComparableField<A, N, Member<FieldsOf<A, N>, K>>>
    : PathFilter
}

/** Another field of the same resource with the same type, instead of a value: `{ updatedAt: { gt: { $field: 'publishedAt' } } }`. */
export interface OtherField<K> {
  readonly $field: K
}

/** The fields that a field can be compared with. */
type ComparableField<A extends AnyApi, N, F> = F extends { readonly type: 'Enum' | 'Json' } | { readonly list: true }
  ? never
  : OtherField<Extract<Filtered<A, N>, KeysWith<FieldsOf<A, N>, SameType<F>>>>

type SameType<F> = F extends { readonly type: infer T; readonly uuid: true }
  ? { readonly type: T; readonly uuid: true; readonly list?: never }
  : F extends { readonly type: infer T }
    ? { readonly type: T; readonly uuid?: never; readonly list?: never }
    : never

type Filtered<A extends AnyApi, N> = Exclude<AttributeName<A, N>, Combinator<AttributeName<A, N>>>

/** A path into a Json field: `settings.theme`. */
type JsonPath<
  A extends AnyApi,
  N,
> = `${Extract<KeysWith<FieldsOf<A, N>, { readonly type: 'Json'; readonly list?: never }>, AttributeName<A, N>>}.${string}`

/** A condition on a value inside a Json field. A string such as `'1'` or `'true'` also matches the number or boolean. */
export type PathFilter = Comparable<string | number | boolean> | null | PathConditions

/** The operators for values inside a Json field. */
export interface PathConditions
  extends
    Inequality<string | number | boolean>,
    NullCondition,
    Comparisons<string | number>,
    Pick<TextConditions, 'contains' | 'icontains' | 'startsWith' | 'istartsWith' | 'endsWith' | 'iendsWith'> {}

/** Logical operators. */
interface Combinations<A extends AnyApi, N> {
  /** All of these are true. */
  readonly AND?: AnyOf<JoinedFilter<A, N>>
  /** At least one of these is true. */
  readonly OR?: readonly JoinedFilter<A, N>[]
  /** All of these are false. */
  readonly NOT?: AnyOf<JoinedFilter<A, N>>
}

/** Quantifiers for the resources of a to-many relation. */
export interface MembersFilter<F> {
  /** At least one related resource matches. Accepts ids. */
  readonly some?: F | AnyOf<Id>
  /** All related resources match, or there are none. */
  readonly every?: F
  /** No related resource matches. Accepts ids. */
  readonly none?: F | AnyOf<Id>
  /** Whether there are no related resources. */
  readonly isEmpty?: boolean
}

/** A field that Prisma would treat as a logical operator. You cannot filter by it. */
type Combinator<K extends string> = K extends unknown ? (Uppercase<K> extends 'AND' | 'OR' | 'NOT' ? K : never) : never

/** A value, or an array that means any of its values. */
export type AnyOf<T> = T | readonly T[]

/** Field type → value to compare with. */
interface FilterValues {
  readonly String: string
  readonly Boolean: boolean
  readonly Int: number
  readonly BigInt: bigint | number | string
  readonly Float: number
  readonly Decimal: DecimalInput
  readonly DateTime: Date | string
  readonly Json: JsonFilter
  readonly Bytes: Uint8Array
}

type FilterValue<F> = F extends { readonly type: 'Enum'; readonly values: readonly (infer V)[] }
  ? V
  : F extends { readonly type: infer T extends keyof FilterValues }
    ? FilterValues[T]
    : never

/** Operators for ordered types. */
export interface Comparisons<T, O = never> {
  /** Less than. */
  readonly lt?: AnyOf<T> | O
  /** Less than or equal to. */
  readonly lte?: AnyOf<T> | O
  /** Greater than. */
  readonly gt?: AnyOf<T> | O
  /** Greater than or equal to. */
  readonly gte?: AnyOf<T> | O
  /** Between two values, inclusive. */
  readonly between?: readonly [from: T, to: T]
}

/** An equality condition: a value, an array that means any of its values, or an inequality. */
export type Comparable<T> = AnyOf<T> | Inequality<T>

/** The inequality operator. With several values, the field must differ from all of them. */
export interface Inequality<T, O = never> {
  readonly ne?: AnyOf<T> | O
}

/** Operators for strings. */
export interface TextConditions<O = never> extends Comparisons<string, O> {
  /** Contains the value. */
  readonly contains?: AnyOf<string>
  /** Contains the value, case-insensitively. */
  readonly icontains?: AnyOf<string>
  /** Starts with the value. */
  readonly startsWith?: AnyOf<string>
  /** Starts with the value, case-insensitively. */
  readonly istartsWith?: AnyOf<string>
  /** Ends with the value. */
  readonly endsWith?: AnyOf<string>
  /** Ends with the value, case-insensitively. */
  readonly iendsWith?: AnyOf<string>
  /** Equals the value, case-insensitively. Not supported on SQLite. */
  readonly iequals?: AnyOf<string>
  /** Full-text search, if the database supports it. */
  readonly search?: AnyOf<string>
}

/** Operators for scalar lists. */
export interface ListConditions<T> {
  /** Contains the value, or any of several values. */
  readonly has?: [T] extends [JsonFilter] ? readonly T[] : AnyOf<T>
  /** Contains all values. */
  readonly hasEvery?: readonly T[]
  /** Contains at least one of the values. */
  readonly hasSome?: readonly T[]
  /** Whether the list is empty. */
  readonly isEmpty?: boolean
}

/** The null operator. */
export interface NullCondition {
  /** Whether the value is null. */
  readonly isNull?: boolean
}

type Conditions<F, Other = never> = F extends { readonly type: 'Int' | 'BigInt' | 'Float' | 'Decimal' | 'DateTime' }
  ? Comparisons<FilterValue<F>, Other>
  : F extends { readonly type: 'String' }
    ? F extends { readonly uuid: true }
      ? Comparisons<string, Other>
      : TextConditions<Other>
    : never

/** The operators and their negations. */
type Negatable<T, O, Other = never> = Inequality<T, Other> & ([O] extends [never] ? unknown : O & { readonly not?: O })

type FieldFilter<F, Other> = F extends { readonly list: true }
  ? ListConditions<FilterValue<F>>
  : F extends { readonly type: 'Json' }
    ? Comparable<JsonFilter> | null | NullCondition
    : | AnyOf<FilterValue<F>>
      | Other
      | Negatable<FilterValue<F>, Conditions<F, Other>, Other>
      | (F extends { readonly optional: true }
          ? null | (Negatable<FilterValue<F>, Conditions<F, Other>, Other> & NullCondition)
          : never)

type IdFilter<A extends AnyApi, N> =
  AnyOf<Id> | Negatable<Id, Conditions<Member<FieldsOf<A, N>, Member<ResourceOf<A, N>, 'id'>>>>

type RelationFilter<A extends AnyApi, T, R> = R extends { readonly many: true }
  ? AnyOf<Id> | Filter<A, T> | MembersFilter<Filter<A, T>>
  : Comparable<Id> | (R extends { readonly optional: true } ? null | (Filter<A, T> & NullCondition) : Filter<A, T>)
