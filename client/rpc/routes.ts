import type { AnyApi, ClientOf, Member, PrismaPayload, ResourceOf, UniquesOf } from '../api.js'
import type { ComputedInRpc } from '../computed.js'
import type { HasId, InputOf, ModelOf, ResultOf, RouteDeclarations, WithRoutes } from '../declarations.js'
import type { CallOptions } from '../http/options.js'
import { lazyMembers } from '../lazy-members.js'
import type { Caller } from './call.js'
import type { RowOf } from './results.js'

/** The methods of declared custom routes, by delegate name and route. */
export type RpcRoutes<A extends AnyApi, D, R> = {
  readonly [M in keyof R]: { readonly [K in keyof R[M]]: RpcRoute<A, ModelOf<A, M>, D, R[M][K]> }
}

/** The method of one route. Its arguments are the id and the properties of the body or query. */
export type RpcRoute<A extends AnyApi, M, D, R> = (
  ...args: {} extends RouteArgs<A, M, R>
    ? [args?: RouteArgs<A, M, R>, options?: CallOptions]
    : [args: RouteArgs<A, M, R>, options?: CallOptions]
) => Promise<RouteResult<A, D, ResultOf<R>>>

/** The arguments of a route: the id, if the path contains it, and the properties of the body or query. */
export type RouteArgs<A extends AnyApi, M, R> = (HasId<R> extends true ? IdArg<A, M> : unknown) &
  ([InputOf<R>] extends [never] ? {} : InputOf<R>)

/** The id of a model under the name that it has in a `where`. */
type IdArg<A extends AnyApi, M> = {
  readonly [K in Member<ResourceOf<A, M>, 'id'> & string]: K extends keyof UniquesOf<A, M>
    ? { readonly [F in Member<UniquesOf<A, M>[K], number> & string]: ScalarOf<A, M, F> }
    : ScalarOf<A, M, K>
}

type ScalarOf<A extends AnyApi, M, F> = Member<Member<PrismaPayload<A, M>, 'scalars'>, F>

/** The result of a route. `D` is the type of Decimals. */
export type RouteResult<A extends AnyApi, D, Result> = Result extends { readonly kind: 'row'; readonly model: infer N }
  ? RowOf<A, N, {}, D> | null
  : Result extends { readonly kind: 'rows'; readonly model: infer N }
    ? RowOf<A, N, {}, D>[]
    : Result extends { readonly kind: 'value'; readonly value: infer T }
      ? ComputedInRpc<T, D>
      : null

/**
 * Adds a method for each declared custom route to an RPC client. Its arguments are the model's id, if the path of the route contains it,
 * and the properties of the body or query.
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
): T & RpcRoutes<A, D, R> & WithRoutes<R>
export function withRpcRoutes(client: object, declarations: RouteDeclarations): object {
  const call: Caller['call'] = Reflect.get(client, '$call')
  return lazyMembers((model) => {
    const operations: object = Reflect.get(client, model)
    const routes = Object.hasOwn(declarations, model) ? declarations[model] : undefined
    if (!routes) return operations
    return lazyMembers((name) => {
      const declaration = Object.hasOwn(routes, name) ? routes[name] : undefined
      if (!declaration) return Reflect.get(operations, name)
      const send = (args?: unknown, options?: CallOptions) => call(model, name, args, options, declaration.method)
      return Object.assign(send, { declaration })
    })
  })
}
