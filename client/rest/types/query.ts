import type { AnyApi, FieldsOf, ModelName, TargetOf } from '../../api.js'
import type { AttributeName, KeysWith, RelationName, ToOneName } from './api.js'
import type { Filter } from './filter.js'

/** What an answer shows of resources and of what they lead to. */
export interface Shape<A extends AnyApi, N, I extends string, F> {
  /** The relations to include: `['author', 'comments.author']`. */
  readonly include?: readonly I[] & readonly IncludePath<A, N, I>[]
  /** The attributes and relationships to show, by the collections they are of: `{ user: ['name'] }`. All, where it is silent. */
  readonly fields?: F & Checked<F, Fieldsets<A>>
}

/** What a list is to hold. */
export interface ListQuery<A extends AnyApi, N, I extends string, F, S extends string> extends Shape<A, N, I, F> {
  /** Conditions, all of which must hold. */
  readonly filter?: Filter<A, N>
  /** The order: names of fields, with a minus before what descends; through relations to one as well, `author.name`. */
  readonly sort?: readonly S[] & readonly SortPath<A, N, S>[]
  /** Which page. The first one, of the server's size, where it is silent. */
  readonly page?: Page
}

/** Which page of a list: by what is left out before it, or by its number. */
export type Page = OffsetPage | NumberedPage

/** A page by what is left out before it. */
export interface OffsetPage {
  /** How many to leave out before it. */
  readonly offset?: number | undefined
  /** How many at most. */
  readonly limit?: number | undefined
  readonly number?: never
  readonly size?: never
}

/** A page by its number. */
export interface NumberedPage {
  /** Its number, from 1. */
  readonly number?: number | undefined
  /** How many at most. */
  readonly size?: number | undefined
  readonly offset?: never
  readonly limit?: never
}

/** The paths that are included. Where a query has none, the compiler takes all that could be. */
export type Included<A extends AnyApi, N, I extends string> = [IncludeStart<A, N>] extends [I] ? never : I

/** The fields of every model that a fieldset can name. */
export type Fieldsets<A extends AnyApi> = {
  readonly [N in ModelName<A> as Uncapitalize<N>]?: readonly (AttributeName<A, N> | RelationName<A, N>)[]
}

/** Refuses members that are not in the pattern: an error for a type parameter, as for what is written out. */
export type Checked<T, Pattern> = { readonly [K in keyof T]: K extends keyof Pattern ? Pattern[K] : never }

/**
 * What may stand in the place of a path: the relations, and behind the relations that it names itself, those of their models. So the
 * compiler looks at the paths that are there, and never at all that could be.
 */
export type IncludePath<A extends AnyApi, N, I extends string> =
  | RelationName<A, N>
  | (I extends `${infer H}.${infer R}`
      ? H extends RelationName<A, N>
        ? `${H}.${IncludePath<A, TargetOf<A, N, H>, R>}`
        : never
      : never)

/** What a path looks like at its beginning: what editors complete, to the second relation. {@link IncludePath} looks at all of it. */
export type IncludeStart<A extends AnyApi, N> = RelationName<A, N> | `${RelationName<A, N>}.${string}`

/** The same of the names of an order. */
export type SortPath<A extends AnyApi, N, S extends string> = S extends `-${infer P}`
  ? `-${SortTo<A, N, P>}`
  : SortTo<A, N, S>

/** What the name of an order looks like at its beginning. */
export type SortStart<A extends AnyApi, N> = `${'' | '-'}${SortName<A, N> | `${ToOneName<A, N>}.${string}`}`

type SortTo<A extends AnyApi, N, S extends string> =
  | SortName<A, N>
  | (S extends `${infer H}.${infer R}`
      ? H extends ToOneName<A, N>
        ? `${H}.${SortTo<A, TargetOf<A, N, H>, R>}`
        : never
      : never)

type SortName<A extends AnyApi, N> = 'id' | Sortable<A, N> | ToOneName<A, N>

type Sortable<A extends AnyApi, N> = Exclude<
  AttributeName<A, N>,
  KeysWith<FieldsOf<A, N>, { readonly list: true } | { readonly type: 'Json' }>
>
