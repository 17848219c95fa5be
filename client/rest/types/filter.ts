import type { AnyApi, FieldsOf, Member, RelationsOf, ResourceOf, TargetOf } from '../../api.js'
import type { DecimalInput, Id } from './values.js'
import type { JsonFilter } from '../json.js'
import type { AttributeName, RelationName } from './api.js'

/**
 * Conditions on the resources of a list, all of which must hold. A value alone means equality, several values any of them, and null that
 * there is none. Each condition on a to-many relation is about some member, not each time the same one.
 */
export type Filter<A extends AnyApi, N> = {
  readonly [K in AttributeName<A, N> as Exclude<K, Combinator<K>>]?: FieldFilter<Member<FieldsOf<A, N>, K>>
} & {
  readonly [K in RelationName<A, N>]?: RelationFilter<A, TargetOf<A, N, K>, Member<RelationsOf<A, N>, K>>
} & { readonly id?: IdFilter<A, N> }

/** A field that Prisma takes for what joins filters, so that nothing can be filtered by it. */
type Combinator<K extends string> = Uppercase<K> extends 'AND' | 'OR' | 'NOT' ? K : never

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
export interface Comparisons<T> {
  /** Less than. */
  readonly lt?: AnyOf<T>
  /** Less than or equal. */
  readonly lte?: AnyOf<T>
  /** Greater than. */
  readonly gt?: AnyOf<T>
  /** Greater than or equal. */
  readonly gte?: AnyOf<T>
}

/** What texts are searched with. */
export interface TextConditions extends Comparisons<string> {
  /** Contains it. */
  readonly contains?: AnyOf<string>
  /** Contains it, whatever the case. */
  readonly icontains?: AnyOf<string>
  /** Begins with it. */
  readonly startsWith?: AnyOf<string>
  /** Ends with it. */
  readonly endsWith?: AnyOf<string>
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

type Conditions<F> = F extends { readonly type: 'Int' | 'BigInt' | 'Float' | 'Decimal' | 'DateTime' }
  ? Comparisons<FilterValue<F>>
  : F extends { readonly type: 'String' }
    ? F extends { readonly uuid: true }
      ? Comparisons<string>
      : TextConditions
    : never

type FieldFilter<F> = F extends { readonly list: true }
  ? ListConditions<FilterValue<F>>
  : F extends { readonly type: 'Json' }
    ? JsonFilter | null | NullCondition
    : F extends { readonly optional: true }
      ? AnyOf<FilterValue<F>> | null | (Conditions<F> extends never ? NullCondition : Conditions<F> & NullCondition)
      : AnyOf<FilterValue<F>> | Conditions<F>

type IdFilter<A extends AnyApi, N> = AnyOf<Id> | Conditions<Member<FieldsOf<A, N>, Member<ResourceOf<A, N>, 'id'>>>

type RelationFilter<A extends AnyApi, T, R> =
  AnyOf<Id> | (R extends { readonly optional: true } ? null | (Filter<A, T> & NullCondition) : Filter<A, T>)
