/** TanStack Query options for the declared custom routes of a client. Apps without such routes do not bundle this file. */
import type { AnyApi, ClientOf } from '../api.js'
import { hasId, hasRows, type RouteDeclaration, type WithRoutes } from '../declarations.js'
import { lazyMembers } from '../lazy-members.js'
import type { ClientTypes } from '../rest/types/api.js'
import type { PlainObject } from './impact/graph.js'
import { toQueryKey } from './key.js'
import { createMutationOptions, invalidateOrAll, type Mutation, type MutationInput } from './mutation.js'
import { restQueries } from './rest.js'
import type { RestQueries } from './rest-types.js'
import type { RestRouteQueries, RpcRouteQueries } from './route-types.js'
import { mapModels, rpcQueries } from './rpc.js'
import type { RpcQueries } from './rpc-types.js'
import { type QueriesOptions, type QueriesOptionsFor, STYLES } from './settings.js'
import type { QueryClientLike } from './tanstack.js'

/** How the variables and arguments of a route become the arguments of the client's method. */
interface RouteStyle {
  /** Returns the number of arguments before the options of the request. */
  readonly countArguments: (declaration: RouteDeclaration) => number
  /** Returns the arguments of a mutation before the options of the request. */
  readonly toArguments: (declaration: RouteDeclaration, variables: unknown, input: PlainObject) => readonly unknown[]
}

/**
 * Creates TanStack Query options for a REST client with declared routes: those of `createRestQueries`, and those of each route.
 * @param client the client from `withRestRoutes`
 * @example
 * ```ts
 * import { createRestClient, withRestRoutes } from '@routewright/client'
 * import { createRestQueriesWithRoutes } from '@routewright/client/query'
 * import type { Api } from './routes/client.js'
 * import { graph } from './routes/graph.js'
 *
 * const rest = withRestRoutes(createRestClient<Api>({ url: '/api/rest', graph }), {})
 * export const queries = createRestQueriesWithRoutes(rest, { graph })
 * ```
 * @see [Custom routes in TanStack Query](docs/tanstack-query.md#custom-routes)
 */
export function createRestQueriesWithRoutes<A extends AnyApi, C extends ClientTypes, R>(
  client: ClientOf<A, C> & WithRoutes<R>,
  options: QueriesOptionsFor<A>,
): RestQueries<A, C> & RestRouteQueries<A, C, R>
export function createRestQueriesWithRoutes(client: object, options: QueriesOptionsFor<AnyApi>): object {
  return withRouteQueries(client, { ...options, keyPrefix: options.keyPrefix ?? 'rest' }, restQueries, {
    countArguments: (declaration) =>
      [hasId(declaration), declaration.body ?? declaration.query, hasRows(declaration)].filter(Boolean).length,
    toArguments(declaration, variables, { include, fields }) {
      const { id, version, data } = hasId(declaration) ? Object(variables) : { data: variables }
      return [
        ...(hasId(declaration) ? [version === undefined ? id : { id, $meta: { version } }] : []),
        ...(declaration.body || declaration.query ? [data] : []),
        ...(hasRows(declaration)
          ? [{ ...(include !== undefined && { include }), ...(fields !== undefined && { fields }) }]
          : []),
      ]
    },
  })
}

/**
 * Creates TanStack Query options for an RPC client with declared routes: those of `createRpcQueries`, and those of each route.
 * @param client the client from `withRpcRoutes`
 * @example
 * ```ts
 * import { createRpcClient, withRpcRoutes } from '@routewright/client'
 * import { createRpcQueriesWithRoutes } from '@routewright/client/query'
 * import type { Api } from './routes/client.js'
 * import { graph } from './routes/graph.js'
 *
 * const api = withRpcRoutes(createRpcClient<Api>({ url: '/api/rpc' }), {})
 * export const queries = createRpcQueriesWithRoutes(api, { graph })
 * ```
 * @see [Custom routes in TanStack Query](docs/tanstack-query.md#custom-routes)
 */
export function createRpcQueriesWithRoutes<A extends AnyApi, D, R>(
  client: ClientOf<A, D> & WithRoutes<R>,
  options: QueriesOptionsFor<A>,
): RpcQueries<A, D> & RpcRouteQueries<A, D, R>
export function createRpcQueriesWithRoutes(client: object, options: QueriesOptionsFor<AnyApi>): object {
  return withRouteQueries(client, { ...options, keyPrefix: options.keyPrefix ?? 'rpc' }, rpcQueries, {
    countArguments: () => 1,
    toArguments: (_, variables) => [variables],
  })
}

function withRouteQueries(
  client: object,
  options: QueriesOptions & { readonly keyPrefix: string },
  createQueries: (client: object, options: QueriesOptions) => object,
  style: RouteStyle,
): object {
  const { keyPrefix, graph, relatedModels = {}, queryClient, idempotency } = options
  // Custom routes can read rows of any model. Under a separate key, which names no model, every mutation invalidates their queries.
  const routesKey = `${keyPrefix}-routes`
  const otherKeys = [...(options.otherKeys ?? STYLES), routesKey]
  const queries = createQueries(client, { ...options, otherKeys })
  const models = mapModels(graph)

  const createRoute = (name: string, route: string, declaration: RouteDeclaration) => {
    const call = (...args: readonly unknown[]): Promise<unknown> =>
      Reflect.get(Reflect.get(client, name), route)(...args)
    const key = [routesKey, `${name}.${route}`]
    const queryKey = (...args: readonly unknown[]) => [
      ...key,
      ...args.filter((arg) => arg !== undefined).map(toQueryKey),
    ]
    const written = declaration.writes ?? [models.get(name) ?? name]
    const related = written.map((model) => [model, [model, ...(relatedModels[model] ?? [])]])
    const parts: Pick<Mutation, 'scope' | 'engine' | 'writes'> = {
      // The effect of a route is unknown, so queries are invalidated by model, like those of other clients.
      scope: {
        graph,
        models,
        prefix: [key],
        otherKeys: [keyPrefix, ...otherKeys],
        relatedModels: Object.fromEntries(related),
      },
      engine: () => import('./invalidation.js'),
      writes: () => written.map((model) => ({ model, operation: route, args: {} })),
    }
    return {
      queryKey,
      queryOptions: (...all: readonly unknown[]) => {
        const count = style.countArguments(declaration)
        const args = Array.from({ length: count }, (_, index) => all[index])
        const overrides = Object(all[count])
        return {
          ...overrides,
          queryKey: queryKey(...args),
          queryFn: ({ signal }: { signal: AbortSignal }) => call(...args, { signal, headers: overrides.headers }),
        }
      },
      mutationOptions: (input: MutationInput & PlainObject = {}) =>
        createMutationOptions(
          {
            key,
            send: (variables, sent) =>
              call(...style.toArguments(declaration, variables, input), { headers: input['headers'], ...sent }),
            ...parts,
            queryClient,
            idempotency,
          },
          input,
        ),
      invalidate: (target: QueryClientLike) =>
        invalidateOrAll(
          parts.engine,
          target,
          parts.scope,
          parts.writes(undefined).map((write) => ({ ...write, result: undefined })),
        ),
    }
  }

  return lazyMembers((name) => {
    const operations: object = Reflect.get(queries, name)
    return lazyMembers((member) => {
      const { declaration }: { declaration?: RouteDeclaration } = Object(findMethod(client, name, member))
      return declaration ? createRoute(name, member, declaration) : Reflect.get(operations, member)
    })
  })
}

/** Returns a method of a client. `$transaction` has none. */
function findMethod(client: object, name: string, method: string): unknown {
  return name.startsWith('$') ? undefined : Object(Reflect.get(client, name))[method]
}
