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
export type { RestModelQueries, RestQueries } from './rest-types.js'
export type { RpcModelQueries, RpcMutation, RpcQueries, RpcTransactionMutation } from './rpc-types.js'
export type { QueriesOptionsFor } from './settings.js'
export type { QueryClientLike } from './tanstack.js'
export type { Graph } from './impact/graph.js'

/**
 * Creates TanStack Query options for an RPC client.
 *
 *     const queries = createRpcQueries(api, { graph })
 *     const posts = useQuery(queries.post.findMany.queryOptions({ where: { status: 'PUBLISHED' } }))
 *     const update = useMutation(queries.post.update.mutationOptions())
 *
 * @param client the client from `createRpcClient`
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
 *
 *     const queries = createRestQueries(rest, { graph })
 *     const posts = useQuery(queries.post.list.queryOptions({ include: ['author'] }))
 *     const update = useMutation(queries.post.update.mutationOptions())
 *
 * @param client the client from `createRestClient`
 */
export function createRestQueries<A extends AnyApi, C extends ClientTypes>(
  client: ClientOf<A, C>,
  options: QueriesOptionsFor<A>,
): RestQueries<A, C>
export function createRestQueries(client: object, options: QueriesOptionsFor<AnyApi>): object {
  return restQueries(client, options)
}
