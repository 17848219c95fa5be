import type { AnyApi, FieldsOf, ModelName, TargetOf } from '../../api.js'
import type { Invalid, JoinNames, UnknownName } from '../../invalid.js'
import type { AttributeName, KeysWith, ComputedName, RelationName, TextName, ToManyName, ToOneName } from './api.js'
import type { Filter } from './filter.js'

/** The included resources and fields of a response. */
export interface ResponseShape<A extends AnyApi, N, I extends string, F> {
  /** The relations to include: `['author', 'comments.author']`. */
  readonly include?: readonly I[] & readonly (IncludePath<A, N, I> | InvalidPath<A, N, I>)[]
  /** Options of included lists, by path: `{ comments: { limit: 5, sort: ['-createdAt'] } }`. */
  readonly lists?: { readonly [P in NoInfer<I>]?: IncludedList<A, ModelAt<A, N, P>> }
  /** To-many relations to count without loading them: `post.$relationships.comments.meta.total`. */
  readonly relatedCount?: readonly ToManyName<A, N>[]
  /** The attributes and relationships in the response, by collection: `{ user: ['name'] }`. Default: all. */
  readonly fields?: F & ExactProperties<F, Fieldsets<A>>
}

/** Options of an included list. */
export interface IncludedList<A extends AnyApi, N> {
  /** Conditions on the related resources. */
  readonly filter?: Filter<A, N>
  /** The sort order. */
  readonly sort?: readonly SortStart<A, N>[]
  /**
   * Maximum number of related resources. If there are more, `post.$relationships.comments.meta.hasMore` is true and `links.next` contains
   * their URL.
   */
  readonly limit?: number
}

/** The target model of a path of relations. */
type ModelAt<A extends AnyApi, N, P> = P extends `${infer H}.${infer R}`
  ? ModelAt<A, TargetOf<A, N, H>, R>
  : TargetOf<A, N, P>

/** The query of a list. */
export interface ListQuery<A extends AnyApi, N, I extends string, F, S extends string> extends ResponseShape<
  A,
  N,
  I,
  F
> {
  /** Conditions, combined with AND. */
  readonly filter?: Filter<A, N>
  /** Full-text search, if the database supports it. Sorts by relevance unless `sort` is given. */
  readonly fullText?: FullText<TextName<A, N>>
  /** The sort order: field names, with `-` for descending. To-one relations can be traversed: `author.name`. */
  readonly sort?: readonly S[] & readonly (SortPath<A, N, S> | InvalidSort<A, N, S>)[]
  /** The page. Default: the first one, with the server's page size. */
  readonly page?: Page
}

/** The query of a declared route that returns a list. Its function counts the resources, and its pages have no cursors. */
export interface RouteListQuery<A extends AnyApi, N, I extends string, F, S extends string> extends ListQuery<
  A,
  N,
  I,
  F,
  S
> {
  /** The page. Default: the first one, with the server's page size. */
  readonly page?: OffsetPage | NumberedPage
}

/** A full-text search. */
export interface FullText<F extends string = string> {
  /** The fields to search together. MySQL requires a full-text index on exactly these fields. */
  readonly fields: readonly F[]
  /** The search in the database's syntax: `fox & !dog` on PostgreSQL, `+fox -dog` on MySQL. */
  readonly search: string
}

/**
 * The page of a list, selected by offset, number or cursor. `total` determines whether the resources are counted. Without a count, the
 * list's `total` is undefined.
 */
export type Page = { readonly total?: 'exact' | 'none' | undefined } & (OffsetPage | NumberedPage | CursorPage)

/** A page that is selected by a cursor. It costs the same at any depth, and concurrent writes do not cause skipped or repeated rows. */
export interface CursorPage {
  /** Starts after this cursor. Empty (`''`) for the first page. */
  readonly after?: string | undefined
  /** Ends before this cursor. Empty for the last page. */
  readonly before?: string | undefined
  /** Maximum number of resources. */
  readonly size?: number | undefined
  readonly offset?: never
  readonly limit?: never
  readonly number?: never
}

/** A page that is selected by an offset. */
export interface OffsetPage {
  /** Number of resources to skip. */
  readonly offset?: number | undefined
  /** Maximum number of resources. */
  readonly limit?: number | undefined
  readonly number?: never
  readonly size?: never
  readonly after?: never
  readonly before?: never
}

/** A page that is selected by its number. */
export interface NumberedPage {
  /** The page number, from 1. */
  readonly number?: number | undefined
  /** Maximum number of resources. */
  readonly size?: number | undefined
  readonly offset?: never
  readonly limit?: never
  readonly after?: never
  readonly before?: never
}

/** The included paths. If a query has no `include`, the compiler infers all possible paths, which this type treats as none. */
export type Included<A extends AnyApi, N, I extends string> = [IncludeStart<A, N>] extends [I] ? never : I

/** The fields of every model that a fieldset can contain. */
export type Fieldsets<A extends AnyApi> = {
  readonly [N in ModelName<A> as Uncapitalize<N>]?: readonly (
    AttributeName<A, N> | RelationName<A, N> | ComputedName<A, N>
  )[]
}

/** Rejects properties that are not in the pattern. Unlike TypeScript's excess property check, it also works for type parameters. */
export type ExactProperties<T, Pattern> = {
  readonly [K in keyof T]: K extends keyof Pattern
    ? Pattern[K]
    : Invalid<`There is no '${K & string}'. Available: ${JoinNames<keyof Pattern & string>}`>
}

/**
 * The valid include paths of a model that share relations with the path `I`. The compiler expands only the paths in use, and never all
 * possible ones.
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

/** The message about the first name in a path that is not a relation; never if all names are relations. */
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

/** The beginning of an include path, which editors complete up to the second relation. {@link IncludePath} checks the whole path. */
export type IncludeStart<A extends AnyApi, N> = RelationName<A, N> | `${RelationName<A, N>}.${string}`

/** The valid sort names of a model, like {@link IncludePath}. */
export type SortPath<A extends AnyApi, N, S extends string> = S extends `-${infer P}`
  ? `-${SortTo<A, N, P>}`
  : SortTo<A, N, S>

/** The beginning of a sort name. */
export type SortStart<A extends AnyApi, N> = `${'' | '-'}${SortName<A, N> | `${ToOneName<A, N>}.${string}`}`

type SortTo<A extends AnyApi, N, S extends string> =
  | SortName<A, N>
  | (S extends `${infer H}.${infer R}`
      ? H extends ToOneName<A, N>
        ? `${H}.${SortTo<A, TargetOf<A, N, H>, R>}`
        : never
      : never)

/** The error type of a sort name that {@link SortPath} does not contain; never for a name that it contains. */
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
