import type { AnyApi, FieldsOf, Member, RelationsOf, ResourceOf, TargetOf } from '../../api.js'
import type { DecimalInput, Id } from './values.js'
import type { JsonFilter } from '../json.js'
import type { AttributeName, KeysWith, RelationName, ToManyName, ToOneName } from './api.js'

/**
 * Conditions on the resources of a list, all of which must hold. A value alone means equality, several values any of them, and null that
 * there is none. Each condition on a to-many relation is about some member, not each time the same one.
 */
export type Filter<A extends AnyApi, N> = Attributes<A, N> & {
  readonly [K in RelationName<A, N>]?: RelationFilter<A, TargetOf<A, N, K>, Member<RelationsOf<A, N>, K>>
} & { readonly id?: IdFilter<A, N> } & Joints<A, N>

/**
 * Conditions inside of `AND`, `OR` and `NOT`: they are one expression, which has to be told of how many members of a to-many relation they
 * are true.
 */
export type JoinedFilter<A extends AnyApi, N> = Attributes<A, N> & {
  readonly [K in ToOneName<A, N>]?:
    | Comparable<Id>
    | (Member<RelationsOf<A, N>, K> extends { readonly optional: true } ? null | NullCondition : never)
    | JoinedFilter<A, TargetOf<A, N, K>>
} & {
  readonly [K in ToManyName<A, N>]?: AnyOf<Id> | MembersFilter<JoinedFilter<A, TargetOf<A, N, K>>>
} & { readonly id?: IdFilter<A, N> } & Joints<A, N>

// One mapped type: beside an empty one, TypeScript would not miss that an object has none of the names of the other.
type Attributes<A extends AnyApi, N> = {
  readonly [K in Filtered<A, N> | JsonPath<A, N>]?: K extends Filtered<A, N>
    ? FieldFilter<Member<FieldsOf<A, N>, K>, Beside<A, N, Member<FieldsOf<A, N>, K>>>
    : PathFilter
}

/** Another field of the same resource and of the same type, instead of a value: `{ updatedAt: { gt: { $field: 'publishedAt' } } }`. */
export interface OtherField<K> {
  readonly $field: K
}

/** The fields that one can be compared with. */
type Beside<A extends AnyApi, N, F> = F extends { readonly type: 'Enum' | 'Json' } | { readonly list: true }
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

/** A condition on a value inside of a Json field. A text means the number or truth value that it spells, too. */
export type PathFilter = Comparable<string | number | boolean> | null | PathConditions

/** What values inside of a Json field are searched with. */
export interface PathConditions
  extends
    Inequality<string | number | boolean>,
    NullCondition,
    Comparisons<string | number>,
    Pick<TextConditions, 'contains' | 'icontains' | 'startsWith' | 'istartsWith' | 'endsWith' | 'iendsWith'> {}

/** What joins conditions. */
interface Joints<A extends AnyApi, N> {
  /** All of these hold. */
  readonly AND?: AnyOf<JoinedFilter<A, N>>
  /** One of these holds, or several do. */
  readonly OR?: readonly JoinedFilter<A, N>[]
  /** This does not hold; of several, none does. */
  readonly NOT?: AnyOf<JoinedFilter<A, N>>
}

/** Of how many members of a to-many relation conditions are true. */
export interface MembersFilter<F> {
  /** Of one or more. Ids will do. */
  readonly some?: F | AnyOf<Id>
  /** Of every one, also where there are none. */
  readonly every?: F
  /** Of none. Ids will do. */
  readonly none?: F | AnyOf<Id>
  /** There are no members at all, or with false there are some. */
  readonly isEmpty?: boolean
}

/** A field that Prisma takes for what joins filters, so that nothing can be filtered by it. */
type Combinator<K extends string> = K extends unknown ? (Uppercase<K> extends 'AND' | 'OR' | 'NOT' ? K : never) : never

/** A value, or several of which any will do. */
export type AnyOf<T> = T | readonly T[]

/** What fields of each type are compared with. */
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

/** Comparisons of what has an order. */
export interface Comparisons<T, O = never> {
  /** Less than. */
  readonly lt?: AnyOf<T> | O
  /** Less than or equal. */
  readonly lte?: AnyOf<T> | O
  /** Greater than. */
  readonly gt?: AnyOf<T> | O
  /** Greater than or equal. */
  readonly gte?: AnyOf<T> | O
  /** Between two values, or one of them. */
  readonly between?: readonly [from: T, to: T]
}

/** What is compared by equality: with a value, or with several of which any will do. */
export type Comparable<T> = AnyOf<T> | Inequality<T>

/** What equals none of some values. */
export interface Inequality<T, O = never> {
  readonly ne?: AnyOf<T> | O
}

/** What texts are searched with. */
export interface TextConditions<O = never> extends Comparisons<string, O> {
  /** Contains it. */
  readonly contains?: AnyOf<string>
  /** Contains it, whatever the case. */
  readonly icontains?: AnyOf<string>
  /** Begins with it. */
  readonly startsWith?: AnyOf<string>
  /** Begins with it, whatever the case. */
  readonly istartsWith?: AnyOf<string>
  /** Ends with it. */
  readonly endsWith?: AnyOf<string>
  /** Ends with it, whatever the case. */
  readonly iendsWith?: AnyOf<string>
  /** Equals it, whatever the case; not on SQLite. */
  readonly iequals?: AnyOf<string>
  /** Full-text search, where the database has it. */
  readonly search?: AnyOf<string>
}

/** What lists are searched with. */
export interface ListConditions<T> {
  /** Has the value; of several, any. */
  readonly has?: [T] extends [JsonFilter] ? readonly T[] : AnyOf<T>
  /** Has every one of the values. */
  readonly hasEvery?: readonly T[]
  /** Has some of the values. */
  readonly hasSome?: readonly T[]
  /** Is empty, or with false is not. */
  readonly isEmpty?: boolean
}

/** Whether there is a value. */
export interface NullCondition {
  /** Is null, or with false is not. */
  readonly isNull?: boolean
}

type Conditions<F, Other = never> = F extends { readonly type: 'Int' | 'BigInt' | 'Float' | 'Decimal' | 'DateTime' }
  ? Comparisons<FilterValue<F>, Other>
  : F extends { readonly type: 'String' }
    ? F extends { readonly uuid: true }
      ? Comparisons<string, Other>
      : TextConditions<Other>
    : never

/** The conditions, and the opposite of each. */
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
