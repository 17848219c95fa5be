/** TanStack Query options for the declared custom routes of a client. Apps without such routes do not bundle this file. */
import type { AnyApi, ClientOf } from '../api.js'
import { hasId, hasRows, type RouteDeclaration, type WithRoutes } from '../declarations.js'
import { lazyMembers } from '../lazy-members.js'
import type { ClientTypes } from '../rest/types/api.js'
import type { PlainObject } from './impact/graph.js'
import { toQueryKey } from './key.js'
import { createMutationOptions, invalidateOrAll, type LoadEngine, type MutationInput } from './mutation.js'
import { nextPage, type Paging } from './paging.js'
import { nextLink, restQueries, toTarget } from './rest.js'
import type { RestQueries } from './rest-types.js'
import type { RestRouteQueries, RpcRouteQueries } from './route-types.js'
import { mapModels, rpcQueries, toRouteWrites } from './rpc.js'
import type { RpcQueries } from './rpc-types.js'
import type { QueriesOptions, QueriesOptionsFor } from './settings.js'
import type { QueryClientLike } from './tanstack.js'

/** How the variables and arguments of a route become the arguments of the client's method. */
interface RouteStyle {
  /** Loads the code that updates the cache. */
  readonly engine: LoadEngine
  /** Returns the number of arguments before the options of the request. */
  readonly countArguments: (declaration: RouteDeclaration) => number
  /** Returns the arguments of a mutation before the options of the request. */
  readonly toArguments: (declaration: RouteDeclaration, variables: unknown, input: PlainObject) => readonly unknown[]
  /** Returns how an infinite query loads its pages. */
  readonly toPages: (args: readonly unknown[], id: readonly string[] | undefined, paging: Paging | undefined) => Pages
}

/** How an infinite query loads its pages. */
interface Pages {
  readonly getNextPageParam: unknown
  /** Returns the arguments of the client's method before the options of the request. */
  readonly toArguments: (page: object) => readonly unknown[]
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
    engine: () => import('./rest-invalidation.js'),
    countArguments: (declaration) =>
      [hasId(declaration), declaration.body ?? declaration.query, hasRows(declaration)].filter(Boolean).length,
    toArguments(declaration, variables, { include, fields }) {
      const data: unknown = hasId(declaration) ? Object(variables).data : variables
      return [
        ...(hasId(declaration) ? [toTarget(Object(variables))] : []),
        ...(declaration.body || declaration.query ? [data] : []),
        ...(hasRows(declaration)
          ? [{ ...(include !== undefined && { include }), ...(fields !== undefined && { fields }) }]
          : []),
      ]
    },
    toPages(args) {
      const query: PlainObject = Object(args.at(-1))
      return {
        getNextPageParam: nextLink,
        toArguments: (page) => [...args.slice(0, -1), { ...query, page: { ...Object(query['page']), ...page } }],
      }
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
    engine: () => import('./invalidation.js'),
    countArguments: () => 1,
    toArguments: (_, variables) => [variables],
    toPages([args], id = ['id'], paging = 'cursor') {
      const first: PlainObject = Object(args)
      return { getNextPageParam: nextPage(id, paging, first), toArguments: (page) => [{ ...first, ...page }] }
    },
  })
}

function withRouteQueries(
  client: object,
  options: QueriesOptions & { readonly keyPrefix: string },
  createQueries: (client: object, options: QueriesOptions) => object,
  style: RouteStyle,
): object {
  const { keyPrefix, graph, queryClient, idempotency } = options
  const queries = createQueries(client, options)
  const models = mapModels(graph)
  const scope = { ...options, models }
  const { engine } = style

  const createRoute = (name: string, route: string, declaration: RouteDeclaration) => {
    const call = (...args: readonly unknown[]): Promise<unknown> =>
      Reflect.get(Reflect.get(client, name), route)(...args)
    // Custom routes can read rows of any model. Under a separate key, which names no model, every write invalidates their queries.
    const key = [`${keyPrefix}-routes`, `${name}.${route}`]
    const queryKey = (...args: readonly unknown[]) => [
      ...key,
      ...args.filter((arg) => arg !== undefined).map(toQueryKey),
    ]
    const writes = toRouteWrites(models, name, declaration.writes)
    /** Splits the arguments of `queryOptions` into those of the method and the overrides after them. */
    const split = (all: readonly unknown[]) => {
      const count = style.countArguments(declaration)
      return [Array.from({ length: count }, (_, index) => all[index]), Object(all[count])] as const
    }
    return {
      queryKey,
      queryOptions: (...all: readonly unknown[]) => {
        const [args, overrides] = split(all)
        return {
          ...overrides,
          queryKey: queryKey(...args),
          queryFn: ({ signal }: { signal: AbortSignal }) => call(...args, { signal, headers: overrides.headers }),
        }
      },
      infiniteQueryOptions: (...all: readonly unknown[]) => {
        const [args, { paging, ...overrides }] = split(all)
        const pages = style.toPages(args, graph[getResultModel(declaration)]?.id, paging)
        return {
          initialPageParam: {},
          getNextPageParam: pages.getNextPageParam,
          ...overrides,
          queryKey: [...queryKey(...args), 'infinite'],
          queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: object }) =>
            call(...pages.toArguments(pageParam), { signal, headers: overrides.headers }),
        }
      },
      mutationOptions: (input: MutationInput & PlainObject = {}) =>
        createMutationOptions(
          {
            key,
            send: (variables, sent) =>
              call(...style.toArguments(declaration, variables, input), { headers: input['headers'], ...sent }),
            scope,
            engine,
            writes: () => writes,
            queryClient,
            idempotency,
          },
          input,
        ),
      invalidate: (target: QueryClientLike) => invalidateOrAll(engine, target, scope, writes),
    }
  }

  // A group without a model has no operations, so these are read only for members that are not routes.
  return lazyMembers((name) =>
    lazyMembers((member) => {
      const { declaration }: { declaration?: RouteDeclaration } = Object(findMethod(client, name, member))
      return declaration ? createRoute(name, member, declaration) : Reflect.get(Reflect.get(queries, name), member)
    }),
  )
}

/** Returns the model of the rows that a route returns, or an empty string if it returns none. */
function getResultModel({ result }: RouteDeclaration): string {
  return [result].flat().find((name) => typeof name === 'string') ?? ''
}

/** Returns a method of a client. `$transaction` has none. */
function findMethod(client: object, name: string, method: string): unknown {
  return name.startsWith('$') ? undefined : Object(Reflect.get(client, name))[method]
}
