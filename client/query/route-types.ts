import type { AnyApi } from '../api.js'
import type { HasId, InputOf, ModelOf, ResultOf } from '../declarations.js'
import type { ClientTypes } from '../rest/types/api.js'
import type { Fieldsets, Included, IncludeStart, ResponseShape } from '../rest/types/query.js'
import type { Resource } from '../rest/types/result.js'
import type { RouteArgs as RestArgs, RowsOf, ValueOf } from '../rest/types/routes.js'
import type { Id } from '../rest/types/values.js'
import type { RouteArgs as RpcArgs, RouteResult } from '../rpc/routes.js'
import type { MutationCallbacks, MutationOptions, QueryOptions, QueryOverrides } from './options.js'
import type { QueryClientLike } from './tanstack.js'
import type { Tagged } from './tag.js'

type Key = readonly [prefix: string, route: string, ...args: unknown[]]

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
  ResultOf<R> extends { readonly kind: 'row' | 'rows'; readonly model: infer N extends string }
    ? RestRowsQuery<A, C, N, R>
    : RestValueQuery<R, ValueOf<ResultOf<R>, C>>

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
  HasId<R> extends true
    ? {
        readonly id: Id
        /** The version of the resource when it was read. The server rejects the request if the resource has changed since. */
        readonly version?: string | undefined
      } & DataOf<InputOf<R>>
    : [InputOf<R>] extends [never]
      ? void
      : InputOf<R>

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
      ? RpcRouteQuery<RpcArgs<A, ModelOf<A, M>, R[M][K]>, RouteResult<A, D, ResultOf<R[M][K]>>>
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
