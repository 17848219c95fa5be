import type { AnyApi } from '../../api.js'
import type { ComputedInRest } from '../../computed.js'
import type { HasId, InputOf, ResultOf } from '../../declarations.js'
import type { CallOptions } from '../../http/options.js'
import type { ClientTypes } from './api.js'
import type { Fieldsets, Included, IncludeStart, ResponseShape } from './query.js'
import type { List, Resource } from './result.js'
import type { ResourceOrId } from './values.js'

/** The methods of declared custom routes, by delegate name and route. */
export type RestRoutes<A extends AnyApi, C extends ClientTypes, R> = {
  readonly [D in keyof R]: { readonly [K in keyof R[D]]: RestRoute<A, C, R[D][K]> }
}

/** The method of one route. Its arguments are the id, the body or query, the query of the response if it contains rows, and the options. */
export type RestRoute<A extends AnyApi, C extends ClientTypes, R> =
  ResultOf<R> extends { readonly kind: 'row' | 'rows'; readonly model: infer N extends string }
    ? RowRoute<A, C, N, R>
    : (...args: [...RouteArgs<R>, options?: CallOptions]) => Promise<ValueOf<ResultOf<R>, C>>

interface RowRoute<A extends AnyApi, C extends ClientTypes, N extends string, R> {
  <I extends IncludeStart<A, N>, const F extends Fieldsets<A>>(
    ...args: [...RouteArgs<R>, query?: ResponseShape<A, N, I, F>, options?: CallOptions]
  ): Promise<RowsOf<ResultOf<R>, Resource<A, C, N, Included<A, N, I>, F>>>
}

/** The arguments of a route before those of the response: the id and the input, if the route has them. */
export type RouteArgs<R> = HasId<R> extends true ? [id: ResourceOrId, ...InputArgs<InputOf<R>>] : InputArgs<InputOf<R>>

type InputArgs<T> = [T] extends [never] ? [] : {} extends T ? [input?: T] : [input: T]

/** The result of a route with rows of type `T`. */
export type RowsOf<Result, T> = Result extends { readonly kind: 'rows' } ? List<T> : T | null

/** The result of a route without rows. */
export type ValueOf<Result, C extends ClientTypes> = Result extends { readonly kind: 'value'; readonly value: infer T }
  ? ComputedInRest<T, C['decimal']>
  : void
