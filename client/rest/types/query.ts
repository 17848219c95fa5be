import type { AnyApi, FieldsOf, ModelName, TargetOf } from '../../api.js'
import type { Invalid, JoinNames, UnknownName } from '../../invalid.js'
import type { AttributeName, KeysWith, ComputedName, RelationName, TextName, ToManyName, ToOneName } from './api.js'
import type { Filter } from './filter.js'

/** What an answer shows of resources and of what they lead to. */
export interface ResponseShape<A extends AnyApi, N, I extends string, F> {
  /** The relations to include: `['author', 'comments.author']`. */
  readonly include?: readonly I[] & readonly (IncludePath<A, N, I> | InvalidPath<A, N, I>)[]
  /** What is asked of lists that are included, by their paths: `{ comments: { limit: 5, sort: ['-createdAt'] } }`. */
  readonly lists?: { readonly [P in NoInfer<I>]?: IncludedList<A, ModelAt<A, N, P>> }
  /** Lists to count without loading them: `post.$relationships.comments.meta.total`. */
  readonly relatedCount?: readonly ToManyName<A, N>[]
  /** The attributes and relationships to show, by the collections they are of: `{ user: ['name'] }`. All, where it is silent. */
  readonly fields?: F & ExactMembers<F, Fieldsets<A>>
}

/** What an included list is to hold. */
export interface IncludedList<A extends AnyApi, N> {
  /** Conditions on its members. */
  readonly filter?: Filter<A, N>
  /** Their order. */
  readonly sort?: readonly SortStart<A, N>[]
  /** How many at most. `post.$relationships.comments.meta.hasMore` tells whether there are more, and `links.next` where. */
  readonly limit?: number
}

/** The model that a path of relations leads to. */
type ModelAt<A extends AnyApi, N, P> = P extends `${infer H}.${infer R}`
  ? ModelAt<A, TargetOf<A, N, H>, R>
  : TargetOf<A, N, P>

/** What a list is to hold. */
export interface ListQuery<A extends AnyApi, N, I extends string, F, S extends string> extends ResponseShape<
  A,
  N,
  I,
  F
> {
  /** Conditions, all of which must hold. */
  readonly filter?: Filter<A, N>
  /** Words to search texts for, where the database can. What fits best comes first, unless `sort` says another order. */
  readonly fullText?: FullText<TextName<A, N>>
  /** The order: names of fields, with a minus before what descends; through relations to one as well, `author.name`. */
  readonly sort?: readonly S[] & readonly (SortPath<A, N, S> | InvalidSort<A, N, S>)[]
  /** Which page. The first one, of the server's size, where it is silent. */
  readonly page?: Page
}

/** Words that are searched for. */
export interface FullText<F extends string = string> {
  /** The fields to search, together. MySQL has to have a full-text index over just these. */
  readonly fields: readonly F[]
  /** What to search for, in the syntax of the database: `fox & !dog` on PostgreSQL, `+fox -dog` on MySQL. */
  readonly search: string
}

/**
 * Which page of a list: by what is left out before it, by its number, or by a cursor. `total` says whether to count; `estimated` takes a server
 * that shows estimates, and has the database's number in `document.meta`, and none in the list's own `total`.
 */
export type Page = { readonly total?: 'exact' | 'none' | 'estimated' | undefined } & (
  OffsetPage | NumberedPage | CursorPage
)

/** A page by cursors: however deep, it costs what the first does, and rows that others write meanwhile are neither skipped nor repeated. */
export interface CursorPage {
  /** It begins behind this cursor; empty (`''`) for the first page. */
  readonly after?: string | undefined
  /** It ends before this cursor; empty for the last page. */
  readonly before?: string | undefined
  /** How many at most. */
  readonly size?: number | undefined
  readonly offset?: never
  readonly limit?: never
  readonly number?: never
}

/** A page by what is left out before it. */
export interface OffsetPage {
  /** How many to leave out before it. */
  readonly offset?: number | undefined
  /** How many at most. */
  readonly limit?: number | undefined
  readonly number?: never
  readonly size?: never
  readonly after?: never
  readonly before?: never
}

/** A page by its number. */
export interface NumberedPage {
  /** Its number, from 1. */
  readonly number?: number | undefined
  /** How many at most. */
  readonly size?: number | undefined
  readonly offset?: never
  readonly limit?: never
  readonly after?: never
  readonly before?: never
}

/** The paths that are included. Where a query has none, the compiler takes all that could be. */
export type Included<A extends AnyApi, N, I extends string> = [IncludeStart<A, N>] extends [I] ? never : I

/** The fields of every model that a fieldset can name. */
export type Fieldsets<A extends AnyApi> = {
  readonly [N in ModelName<A> as Uncapitalize<N>]?: readonly (
    AttributeName<A, N> | RelationName<A, N> | ComputedName<A, N>
  )[]
}

/** Refuses members that are not in the pattern: an error for a type parameter, as for what is written out. */
export type ExactMembers<T, Pattern> = {
  readonly [K in keyof T]: K extends keyof Pattern
    ? Pattern[K]
    : Invalid<`There is no '${K & string}'. Available: ${JoinNames<keyof Pattern & string>}`>
}

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

/** The error type of a path that {@link IncludePath} does not contain; never for a path that it contains. */
export type InvalidPath<A extends AnyApi, N, I extends string> = I extends unknown
  ? I & UnknownRelation<A, N, I>
  : never

/** The message about the first name of a path that is not a relation; never if all names are relations. */
export type UnknownRelation<A extends AnyApi, N, I extends string> =
  I extends RelationName<A, N>
    ? never
    : I extends `${infer H}.${infer R}`
      ? H extends RelationName<A, N>
        ? UnknownRelation<A, TargetOf<A, N, H>, R>
        : Invalid<UnknownName<N, 'relation', H, RelationName<A, N>>>
      : string extends I
        ? never
        : Invalid<UnknownName<N, 'relation', I, RelationName<A, N>>>

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

/** The error type of an order that {@link SortPath} does not contain; never for an order that it contains. */
export type InvalidSort<A extends AnyApi, N, S extends string> = S extends unknown
  ? S & UnknownSort<A, N, S extends `-${infer P}` ? P : S>
  : never

type UnknownSort<A extends AnyApi, N, S extends string> =
  S extends SortName<A, N>
    ? never
    : S extends `${infer H}.${infer R}`
      ? H extends ToOneName<A, N>
        ? UnknownSort<A, TargetOf<A, N, H>, R>
        : Invalid<UnknownName<N, 'to-one relation', H, ToOneName<A, N>>>
      : string extends S
        ? never
        : Invalid<UnknownName<N, 'sortable field or relation', S, SortName<A, N>>>

type SortName<A extends AnyApi, N> = 'id' | Sortable<A, N> | ToOneName<A, N>

type Sortable<A extends AnyApi, N> = Exclude<
  AttributeName<A, N>,
  KeysWith<FieldsOf<A, N>, { readonly list: true } | { readonly type: 'Json' }>
>
