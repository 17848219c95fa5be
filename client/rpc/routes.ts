import type { AnyApi, ClientOf, FieldsOf, KeysWith, Member, PrismaPayload, ResourceOf, UniquesOf } from '../api.js'
import type { ComputedInRpc } from '../computed.js'
import type {
  ErrorGuard,
  HasId,
  InputOf,
  ModelOf,
  ResultOf,
  RouteDeclarations,
  TransactionCall,
  WithMembers,
  WithRoutes,
} from '../declarations.js'
import type { CallOptions } from '../http/options.js'
import { lazyMembers } from '../lazy-members.js'
import type { OperationArgs, PrismaArgs } from './args.js'
import type { Caller, PendingCall } from './call.js'
import type { Exact } from './exact.js'
import type { OneSelection, RpcCall } from './methods.js'
import type { DefaultRowOf, RowOf } from './results.js'
import { RpcError } from './rpc-error.js'

/** A client `T` with a method for each declared custom route. */
export type RpcClientWithRoutes<T, A extends AnyApi, D, R> = WithMembers<T, RpcRoutes<A, D, R>> &
  ClientOf<A, D> &
  WithRoutes<R>

/** The methods of declared custom routes, by group and route. */
export type RpcRoutes<A extends AnyApi, D, R> = {
  readonly [M in keyof R]: { readonly [K in keyof R[M]]: RpcRoute<A, ModelOf<A, M>, D, R[M][K]> }
}

/**
 * The method of one route. Its arguments are the id and the properties of the body or query, and those of `findMany` if the route has list
 * parameters. If the route declares errors, the method has the type guard `isError`. If the route allows transactions, the method has `call`.
 */
export type RpcRoute<A extends AnyApi, M, D, R> = RpcMethod<A, M, D, R> &
  ErrorGuard<R, RpcError> &
  TransactionCall<R, TransactionMethod<A, M, D, R>>

interface TransactionMethod<A extends AnyApi, M, D, R> {
  /** Returns the call for `$transaction` instead of sending it. */
  readonly call: (
    ...args: {} extends RouteArgs<A, M, R> ? [args?: RouteArgs<A, M, R>] : [args: RouteArgs<A, M, R>]
  ) => RpcCall<RouteResult<A, D, ResultOf<R>>>
}

type RpcMethod<A extends AnyApi, M, D, R> =
  ResultOf<R> extends { readonly kind: 'list'; readonly model: infer N }
    ? ListRoute<A, N, RouteArgs<A, M, R>, D>
    : (
        ...args: {} extends RouteArgs<A, M, R>
          ? [args?: RouteArgs<A, M, R>, options?: CallOptions]
          : [args: RouteArgs<A, M, R>, options?: CallOptions]
      ) => Promise<RouteResult<A, D, ResultOf<R>>>

interface ListRoute<A extends AnyApi, N, Local, D> {
  <T extends ListArgs<A, N, Local>>(
    ...args: {} extends Local
      ? [args?: CheckedListArgs<A, N, Local, T>, options?: CallOptions]
      : [args: CheckedListArgs<A, N, Local, T>, options?: CallOptions]
  ): Promise<RowOf<A, N, T, D>[]>
}

/** The arguments of a route with list parameters: those of `findMany` and its own. */
export type ListArgs<A extends AnyApi, N, Local> = OperationArgs<A, N, 'findMany'> & Local

/** Checks on the arguments of a call in addition to their type. Only those of `findMany` contain names of the model. */
export type CheckedListArgs<A extends AnyApi, N, Local, T> = T &
  NoInfer<Exact<A, N, Omit<T, keyof Local>, keyof PrismaArgs<A, N, 'findMany'>> & OneSelection<T>>

/**
 * The arguments of a route: the id, if the path contains it, the version of the row, if the route can change it, and the properties of the
 * body or query.
 */
export type RouteArgs<A extends AnyApi, M, R> = (HasId<R> extends true
  ? IdArg<A, M> & (R extends { readonly method: 'GET' } ? unknown : VersionArg<A, M>)
  : unknown) &
  ([InputOf<R>] extends [never] ? {} : InputOf<R>)

/** The id of a model under the name that it has in a `where`. */
type IdArg<A extends AnyApi, M> = {
  readonly [K in Member<ResourceOf<A, M>, 'id'> & string]: K extends keyof UniquesOf<A, M>
    ? { readonly [F in Member<UniquesOf<A, M>[K], number> & string]: ScalarOf<A, M, F> }
    : ScalarOf<A, M, K>
}

/** The version of the row. Required if the model requires it in every write. */
type VersionArg<A extends AnyApi, M> =
  FieldsOf<A, M> extends UnversionedFields
    ? unknown
    : {
        readonly [K in KeysWith<FieldsOf<A, M>, { readonly version: 'required' }>]: ScalarOf<A, M, K>
      } & { readonly [K in KeysWith<FieldsOf<A, M>, { readonly version: true }>]?: ScalarOf<A, M, K> }

/** Most models have no version. One comparison with this type is cheaper for the compiler than checking each field. */
type UnversionedFields = Readonly<Record<string, { readonly [Some: string]: unknown; readonly version?: never }>>

type ScalarOf<A extends AnyApi, M, F> = Member<Member<PrismaPayload<A, M>, 'scalars'>, F>

/** The result of a route without list parameters. `D` is the type of Decimals. */
export type RouteResult<A extends AnyApi, D, Result> = Result extends {
  readonly kind: 'row'
  readonly model: infer N
  readonly empty: infer E
}
  ? DefaultRowOf<A, N, D> | E
  : Result extends { readonly kind: 'rows'; readonly model: infer N }
    ? DefaultRowOf<A, N, D>[]
    : Result extends { readonly kind: 'value'; readonly value: infer T }
      ? ValueResult<T, D>
      : null

/** The value of a route. Responses contain null instead of undefined. */
type ValueResult<T, D> = T extends undefined | void ? null : ComputedInRpc<T, D>

/**
 * Adds a method for each declared custom route to an RPC client. Its arguments are the model's id, if the path of the route contains it,
 * and the properties of the body or query. A route with list parameters also has those of `findMany`. Methods of routes with `transaction`
 * also have a `call` method, for `$transaction`.
 * @param client the client from `createRpcClient`
 * @param declarations the result of the generated `declareRoutes`
 * @example
 * ```ts
 * import { createRpcClient, withRpcRoutes } from '@routewright/client'
 * import type { Api } from './routes/client.js'
 * import { declareRoutes } from './routes/declare-routes.js'
 *
 * const declarations = declareRoutes({ post: { publish: { method: 'POST', path: '/:id/publish', result: 'Post' } } })
 * const api = withRpcRoutes(createRpcClient<Api>({ url: '/api/rpc' }), declarations)
 * const post = await api.post.publish({ id: 7 })
 * ```
 * @see [Custom routes of the RPC client](docs/rpc-client.md#custom-routes)
 */
export function withRpcRoutes<T extends object, A extends AnyApi, D, const R extends RouteDeclarations>(
  client: T & ClientOf<A, D>,
  declarations: R,
): RpcClientWithRoutes<T, A, D, R>
export function withRpcRoutes(client: object, declarations: RouteDeclarations): object {
  const call: Caller['call'] = Reflect.get(client, '$call')
  return lazyMembers((model) => {
    const operations: object = Reflect.get(client, model)
    const routes = Object.hasOwn(declarations, model) ? declarations[model] : undefined
    if (!routes) return operations
    return lazyMembers((name) => {
      const declaration = Object.hasOwn(routes, name) ? routes[name] : undefined
      if (!declaration) return Reflect.get(operations, name)
      const { method, errors, transaction, writes = [model] } = declaration
      const send = (args?: unknown, options?: CallOptions) => call(model, name, args, options, method)
      const isError = (error: unknown) => error instanceof RpcError && errors?.[error.code ?? ''] === error.status
      const pending = (args?: unknown): PendingCall => ({ model, op: name, args, writes })
      return Object.assign(send, { declaration }, errors && { isError }, transaction && { call: pending })
    })
  })
}
