import type { AnyApi } from '../api.js'
import type { HasId, InputOf, ModelOf, ResultOf } from '../declarations.js'
import type { ClientTypes } from '../rest/types/api.js'
import type {
  Fieldsets,
  Included,
  IncludeStart,
  ResponseShape,
  RouteListQuery,
  SortStart,
} from '../rest/types/query.js'
import type { List, Resource } from '../rest/types/result.js'
import type { RouteArgs as RestArgs, RowsOf, ValueOf } from '../rest/types/routes.js'
import type { RowOf } from '../rpc/results.js'
import type { CheckedListArgs, ListArgs, RouteArgs as RpcArgs, RouteResult } from '../rpc/routes.js'
import type {
  InfiniteQueryOptions,
  MutationCallbacks,
  MutationOptions,
  QueryOptions,
  QueryOverrides,
  RequestHeaders,
} from './options.js'
import type { PageParam, Paging } from './paging.js'
import type { LinkedPage, MutationTarget } from './rest-types.js'
import type { QueryClientLike } from './tanstack.js'
import type { Tagged } from './tag.js'

type Key = readonly [prefix: string, route: string, ...args: unknown[]]
type InfiniteKey = readonly [...Key, 'infinite']

/** Queries and mutations of the declared routes of a REST client: `queries.post.publish.mutationOptions()`. */
export type RestRouteQueries<A extends AnyApi, C extends ClientTypes, R> = {
  readonly [D in keyof R]: {
    readonly [K in keyof R[D]]: R[D][K] extends { readonly method: 'GET' }
      ? RestRouteQuery<A, C, R[D][K]>
      : RestRouteMutation<A, C, R[D][K]>
  }
}

/** Query options of a declared GET route. */
export type RestRouteQuery<A extends AnyApi, C extends ClientTypes, R> =
  ResultOf<R> extends { readonly kind: infer K; readonly model: infer N extends string }
    ? K extends 'list'
      ? RestListQuery<A, C, N, R>
      : RestRowsQuery<A, C, N, R>
    : RestValueQuery<R, ValueOf<ResultOf<R>, C>>

interface RestListQuery<A extends AnyApi, C extends ClientTypes, N extends string, R> {
  /** Returns the options of the query. The arguments are those of the client's method. */
  queryOptions<
    I extends IncludeStart<A, N>,
    const F extends Fieldsets<A>,
    S extends SortStart<A, N>,
    V extends object = {},
  >(
    ...args: [
      ...RestArgs<R>,
      query?: RouteListQuery<A, N, I, F, S>,
      overrides?: V & QueryOverrides<List<Resource<A, C, N, Included<A, N, I>, F>>>,
    ]
  ): QueryOptions<Key, List<Resource<A, C, N, Included<A, N, I>, F>>> & V
  /** Returns the options of an infinite query, which follows the `next` links. The server sends them if the route returns a total. */
  infiniteQueryOptions<
    I extends IncludeStart<A, N>,
    const F extends Fieldsets<A>,
    S extends SortStart<A, N>,
    V extends object = {},
  >(
    ...args: [...RestArgs<R>, query?: RouteListQuery<A, N, I, F, S>, overrides?: V & RequestHeaders]
  ): InfiniteQueryOptions<InfiniteKey, List<Resource<A, C, N, Included<A, N, I>, F>>, LinkedPage> & V
  /** Returns the key of the query, typed with its data. Without arguments, the key matches all queries of the route. */
  queryKey<I extends IncludeStart<A, N>, const F extends Fieldsets<A>, S extends SortStart<A, N>>(
    ...args: Partial<[...RestArgs<R>, query?: RouteListQuery<A, N, I, F, S>]>
  ): Tagged<Key, List<Resource<A, C, N, Included<A, N, I>, F>>>
}

interface RestRowsQuery<A extends AnyApi, C extends ClientTypes, N extends string, R> {
  /** Returns the options of the query. The arguments are those of the client's method. */
  queryOptions<I extends IncludeStart<A, N>, const F extends Fieldsets<A>, V extends object = {}>(
    ...args: [
      ...RestArgs<R>,
      query?: ResponseShape<A, N, I, F>,
      overrides?: V & QueryOverrides<RowsOf<ResultOf<R>, Resource<A, C, N, Included<A, N, I>, F>>>,
    ]
  ): QueryOptions<Key, RowsOf<ResultOf<R>, Resource<A, C, N, Included<A, N, I>, F>>> & V
  /** Returns the key of the query, typed with its data. Without arguments, the key matches all queries of the route. */
  queryKey<I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    ...args: Partial<[...RestArgs<R>, query?: ResponseShape<A, N, I, F>]>
  ): Tagged<Key, RowsOf<ResultOf<R>, Resource<A, C, N, Included<A, N, I>, F>>>
}

interface RestValueQuery<R, T> {
  /** Returns the options of the query. The arguments are those of the client's method. */
  queryOptions<V extends object = {}>(
    ...args: [...RestArgs<R>, overrides?: V & QueryOverrides<T>]
  ): QueryOptions<Key, T> & V
  /** Returns the key of the query, typed with its data. Without arguments, the key matches all queries of the route. */
  queryKey(...args: Partial<RestArgs<R>>): Tagged<Key, T>
}

/** The variables of a mutation: the id, the version and the body or query as `data`. Without an id, the body or query itself. */
export type RestRouteVariables<R> =
  HasId<R> extends true ? MutationTarget & DataOf<InputOf<R>> : [InputOf<R>] extends [never] ? void : InputOf<R>

type DataOf<T> = [T] extends [never] ? {} : {} extends T ? { readonly data?: T } : { readonly data: T }

/** Mutation options of a declared route with another method than GET. */
export type RestRouteMutation<A extends AnyApi, C extends ClientTypes, R> =
  ResultOf<R> extends { readonly kind: 'row' | 'rows'; readonly model: infer N extends string }
    ? RestRowsMutation<A, C, N, R>
    : RouteMutation<RestRouteVariables<R>, ValueOf<ResultOf<R>, C>>

interface RestRowsMutation<A extends AnyApi, C extends ClientTypes, N extends string, R> extends Invalidate {
  /** Returns the options of the mutation, which select the related resources and fields of the result. */
  mutationOptions<I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    options?: ResponseShape<A, N, I, F> &
      MutationCallbacks<RowsOf<ResultOf<R>, Resource<A, C, N, Included<A, N, I>, F>>, RestRouteVariables<R>>,
  ): MutationOptions<RowsOf<ResultOf<R>, Resource<A, C, N, Included<A, N, I>, F>>, RestRouteVariables<R>>
}

interface RouteMutation<Variables, T> extends Invalidate {
  /** Returns the options of the mutation. */
  mutationOptions(options?: MutationCallbacks<T, Variables>): MutationOptions<T, Variables>
}

interface Invalidate {
  /** Invalidates the queries that a direct call to the route may affect. Mutations with `mutationOptions` do this automatically. */
  invalidate(client: QueryClientLike): Promise<void>
}

/** Queries and mutations of the declared routes of an RPC client: `queries.post.publish.mutationOptions()`. */
export type RpcRouteQueries<A extends AnyApi, D, R> = {
  readonly [M in keyof R]: {
    readonly [K in keyof R[M]]: R[M][K] extends { readonly method: 'GET' }
      ? ResultOf<R[M][K]> extends { readonly kind: 'list'; readonly model: infer N }
        ? RpcListQuery<A, N, RpcArgs<A, ModelOf<A, M>, R[M][K]>, D>
        : RpcRouteQuery<RpcArgs<A, ModelOf<A, M>, R[M][K]>, RouteResult<A, D, ResultOf<R[M][K]>>>
      : RouteMutation<Variables<RpcArgs<A, ModelOf<A, M>, R[M][K]>>, RouteResult<A, D, ResultOf<R[M][K]>>>
  }
}

type Variables<T> = {} extends T ? T | void : T

interface RpcRouteQuery<Args, T> {
  /** Returns the options of the query. The arguments are those of the client's method. */
  queryOptions<V extends object = {}>(
    ...args: {} extends Args
      ? [args?: Args, overrides?: V & QueryOverrides<T>]
      : [args: Args, overrides?: V & QueryOverrides<T>]
  ): QueryOptions<Key, T> & V
  /** Returns the key of the query, typed with its data. Without arguments, the key matches all queries of the route. */
  queryKey(args?: Args): Tagged<Key, T>
}

interface RpcListQuery<A extends AnyApi, N, Local, D> {
  /** Returns the options of the query. The arguments are those of the client's method. */
  queryOptions<T extends ListArgs<A, N, Local>, V extends object = {}>(
    ...args: {} extends Local
      ? [args?: CheckedListArgs<A, N, Local, T>, overrides?: V & QueryOverrides<RowOf<A, N, T, D>[]>]
      : [args: CheckedListArgs<A, N, Local, T>, overrides?: V & QueryOverrides<RowOf<A, N, T, D>[]>]
  ): QueryOptions<Key, RowOf<A, N, T, D>[]> & V
  /** Returns the options of an infinite query with pages of `take` rows. Default of `paging`: `cursor`. */
  infiniteQueryOptions<T extends ListArgs<A, N, Local> & { take: number }, V extends object = {}>(
    args: CheckedListArgs<A, N, Local, T>,
    overrides?: V & RequestHeaders & { readonly paging?: Paging },
  ): InfiniteQueryOptions<InfiniteKey, RowOf<A, N, T, D>[], PageParam> & Omit<V, 'paging'>
  /** Returns the key of the query, typed with its data. Without arguments, the key matches all queries of the route. */
  queryKey<T extends ListArgs<A, N, Local>>(args?: CheckedListArgs<A, N, Local, T>): Tagged<Key, RowOf<A, N, T, D>[]>
}
