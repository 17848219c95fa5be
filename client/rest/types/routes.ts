import type { AnyApi, ClientOf } from '../../api.js'
import type { ComputedInRest } from '../../computed.js'
import type {
  ErrorGuard,
  HasId,
  InputOf,
  ResultOf,
  TransactionCall,
  WithMembers,
  WithRoutes,
} from '../../declarations.js'
import type { CallOptions } from '../../http/options.js'
import type { RestError } from '../error.js'
import type { ClientTypes } from './api.js'
import type { RestCall } from './collection.js'
import type { Fieldsets, Included, IncludeStart, ResponseShape, RouteListQuery, SortStart } from './query.js'
import type { List, Resource } from './result.js'
import type { ResourceOrId } from './values.js'

/** A client `T` with a method for each declared custom route. */
export type RestClientWithRoutes<T, A extends AnyApi, C extends ClientTypes, R> = WithMembers<T, RestRoutes<A, C, R>> &
  ClientOf<A, C> &
  WithRoutes<R>

/** The methods of declared custom routes, by group and route. */
export type RestRoutes<A extends AnyApi, C extends ClientTypes, R> = {
  readonly [D in keyof R]: { readonly [K in keyof R[D]]: RestRoute<A, C, R[D][K]> }
}

/**
 * The method of one route. Its arguments are the id, the body or query, the query of the response if it contains rows, and the options. If
 * the route declares errors, the method has the type guard `isError`. If the route allows transactions, the method has `call`.
 */
export type RestRoute<A extends AnyApi, C extends ClientTypes, R> = RestMethod<A, C, R> &
  ErrorGuard<R, RestError> &
  TransactionCall<R, OperationMethod<A, C, R>>

type RestMethod<A extends AnyApi, C extends ClientTypes, R> =
  ResultOf<R> extends { readonly kind: infer K; readonly model: infer N extends string }
    ? K extends 'list'
      ? ListRoute<A, C, N, R>
      : RowRoute<A, C, N, R>
    : (...args: [...RouteArgs<R>, options?: CallOptions]) => Promise<ValueOf<ResultOf<R>, C>>

interface OperationMethod<A extends AnyApi, C extends ClientTypes, R> {
  /** Returns the call for `$operations` instead of sending it. */
  readonly call: (...args: RouteArgs<R>) => RestCall<OperationResult<A, C, ResultOf<R>>>
}

/** The result of a route in `$operations`. */
type OperationResult<A extends AnyApi, C extends ClientTypes, Result> = Result extends {
  readonly kind: infer Kind
  readonly model: infer N extends string
}
  ? Kind extends 'rows'
    ? readonly Resource<A, C, N>[]
    : Resource<A, C, N> | EmptyOf<Result>
  : Result extends { readonly kind: 'value' }
    ? ValueOf<Result, C>
    : null

interface RowRoute<A extends AnyApi, C extends ClientTypes, N extends string, R> {
  <I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    ...args: [...RouteArgs<R>, query?: ResponseShape<A, N, I, F>, options?: CallOptions]
  ): Promise<RowsOf<ResultOf<R>, Resource<A, C, N, Included<A, N, I>, F>>>
}

interface ListRoute<A extends AnyApi, C extends ClientTypes, N extends string, R> {
  <I extends IncludeStart<A, N>, const F extends Fieldsets<A>, S extends SortStart<A, N>>(
    ...args: [...RouteArgs<R>, query?: RouteListQuery<A, N, I, F, S>, options?: CallOptions]
  ): Promise<List<Resource<A, C, N, Included<A, N, I>, F>>>
}

/** The arguments of a route before those of the response: the id and the input, if the route has them. */
export type RouteArgs<R> = HasId<R> extends true ? [id: ResourceOrId, ...InputArgs<InputOf<R>>] : InputArgs<InputOf<R>>

type InputArgs<T> = [T] extends [never] ? [] : {} extends T ? [input?: T] : [input: T]

/** The result of a route with rows of type `T`. */
export type RowsOf<Result, T> = Result extends { readonly kind: 'rows' } ? List<T> : T | EmptyOf<Result>

/** Null if a route may return no row. */
type EmptyOf<Result> = Result extends { readonly empty: infer E } ? E : never

/** The result of a route without rows. */
export type ValueOf<Result, C extends ClientTypes> = Result extends { readonly kind: 'value'; readonly value: infer T }
  ? ComputedInRest<T, C['decimal']>
  : void
