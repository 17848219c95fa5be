/**
 * Typed options for TanStack Query in every framework: queries, and mutations that invalidate the queries they affect. Does not import
 * TanStack Query at run time.
 */
import type { AnyApi, ClientOf } from '../api.js'
import type { ClientTypes } from '../rest/types/api.js'
import { restQueries } from './rest.js'
import type { RestQueries } from './rest-types.js'
import { rpcQueries } from './rpc.js'
import type { RpcQueries } from './rpc-types.js'
import type { QueriesOptionsFor } from './settings.js'

export type { InfiniteData, InfiniteQueryOptions, MutationCallbacks, MutationOptions, QueryOptions } from './options.js'
export type { QueryOverrides } from './options.js'
export type { PageParam, Paging } from './paging.js'
export type { RestRouteQueries, RestRouteVariables, RpcRouteQueries } from './route-types.js'
export { createRestQueriesWithRoutes, createRpcQueriesWithRoutes } from './routes.js'
export type { RestModelQueries, RestQueries } from './rest-types.js'
export type { RpcModelQueries, RpcMutation, RpcQueries, RpcTransactionMutation } from './rpc-types.js'
export type { QueriesOptionsFor } from './settings.js'
export type { QueryClientLike } from './tanstack.js'
export type { Graph } from './impact/graph.js'

/**
 * Creates TanStack Query options for an RPC client.
 * @param client the client from `createRpcClient`
 * @example
 * ```ts
 * import { useQuery } from '@tanstack/react-query'
 * import { createRpcClient } from '@routewright/client'
 * import { createRpcQueries } from '@routewright/client/query'
 * import type { Api } from './routes/client.js'
 * import { graph } from './routes/graph.js'
 *
 * const queries = createRpcQueries(createRpcClient<Api>({ url: '/api/rpc' }), { graph })
 * export const usePosts = () => useQuery(queries.post.findMany.queryOptions({ where: { status: 'PUBLISHED' } }))
 * ```
 * @see [TanStack Query options](docs/tanstack-query.md#options)
 */
export function createRpcQueries<A extends AnyApi, D>(
  client: ClientOf<A, D>,
  options: QueriesOptionsFor<A>,
): RpcQueries<A, D>
export function createRpcQueries(client: object, options: QueriesOptionsFor<AnyApi>): object {
  return rpcQueries(client, options)
}

/**
 * Creates TanStack Query options for a REST client.
 * @param client the client from `createRestClient`
 * @example
 * ```ts
 * import { useQuery } from '@tanstack/react-query'
 * import { createRestClient } from '@routewright/client'
 * import { createRestQueries } from '@routewright/client/query'
 * import type { Api } from './routes/client.js'
 * import { graph } from './routes/graph.js'
 *
 * const queries = createRestQueries(createRestClient<Api>({ url: '/api/rest' }), { graph })
 * export const usePosts = () => useQuery(queries.post.list.queryOptions({ include: ['author'] }))
 * ```
 * @see [TanStack Query with REST](docs/tanstack-query.md#rest)
 */
export function createRestQueries<A extends AnyApi, C extends ClientTypes>(
  client: ClientOf<A, C>,
  options: QueriesOptionsFor<A>,
): RestQueries<A, C>
export function createRestQueries(client: object, options: QueriesOptionsFor<AnyApi>): object {
  return restQueries(client, options)
}
