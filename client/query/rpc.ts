import { lazyMembers } from '../lazy-members.js'
import type { PendingCall } from '../rpc/call.js'
import { isRead } from '../rpc/is-read.js'
import { toQueryKey } from './key.js'
import type { Write } from './invalidation.js'
import { type Mutation, type MutationInput, createMutationOptions, invalidateOrAll } from './mutation.js'
import { nextPage, type Paging } from './paging.js'
import type { QueriesOptions } from './settings.js'
import type { QueryClientLike } from './tanstack.js'
import { toArray, type PlainObject } from './impact/graph.js'

type Method = (args?: unknown, options?: object) => Promise<unknown>

interface Overrides {
  readonly headers?: HeadersInit
}

/**
 * Creates the query and mutation options of an RPC client. At run time, every operation has all kinds of options. The types expose only the
 * useful ones.
 */
export function rpcQueries(
  client: object,
  { keyPrefix = 'rpc', queryClient, idempotency, ...impact }: QueriesOptions,
): object {
  const { graph } = impact
  const models = mapModels(graph)
  const scope = { ...impact, keyPrefix, models }
  const engine = () => import('./invalidation.js')
  const parts = { scope, engine, queryClient, idempotency }

  const createOperation = (delegate: string, model: string, operation: string) => {
    const call: Method = (args, options) => Reflect.get(Reflect.get(client, delegate), operation)(args, options)
    const queryKey = (args?: unknown) => [
      keyPrefix,
      delegate,
      operation,
      ...(args === undefined ? [] : [toQueryKey(args)]),
    ]
    const infiniteQueryKey = (args: unknown = {}) => [...queryKey(args), 'infinite']
    return {
      queryKey,
      infiniteQueryKey,
      queryOptions: (args?: unknown, overrides: Overrides = {}) => ({
        ...overrides,
        queryKey: queryKey(args),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(args, { signal, headers: overrides.headers }),
      }),
      infiniteQueryOptions: (
        args: PlainObject = {},
        { paging = 'cursor', ...overrides }: Overrides & { paging?: Paging } = {},
      ) => ({
        initialPageParam: {},
        getNextPageParam: nextPage(graph[model]?.id ?? ['id'], paging, args),
        ...overrides,
        queryKey: infiniteQueryKey(args),
        queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: object }) =>
          call({ ...args, ...pageParam }, { signal, headers: overrides.headers }),
      }),
      mutationOptions: ({ select, include, omit, ...input }: MutationInput & PlainObject = {}) => {
        if (input.optimistic && !/^(up|del)/.test(operation)) {
          throw new TypeError(`optimistic cannot predict the result of ${operation}.`)
        }
        const selection = Object.entries({ select, include, omit }).filter(([, value]) => value)
        const mutation: Mutation = {
          key: queryKey(),
          send: (args, sent) =>
            call({ ...Object(args), ...Object.fromEntries(selection) }, { headers: input['headers'], ...sent }),
          writes: (args, result) => [{ model, operation, args: Object(args), result }],
          ...parts,
        }
        return createMutationOptions(mutation, input)
      },
      invalidate: (client: QueryClientLike, args?: unknown, result?: unknown) =>
        invalidateOrAll(engine, client, scope, [{ model, operation, args: Object(args), result }]),
    }
  }

  // Reads do not affect other queries.
  const toWrites = (calls: unknown, results?: unknown) =>
    toArray(calls).flatMap((call, index): readonly Write[] => {
      const { model: delegate, op, args, writes }: PendingCall = Object(call)
      if (writes) return toRouteWrites(models, delegate, writes)
      const model = models.get(delegate)
      if (model === undefined || isRead(op)) return []
      return [{ model, operation: op, args: Object(args), result: Object(results)[index] }]
    })
  const transaction = {
    mutationOptions: (input: MutationInput & PlainObject = {}) => {
      const mutation: Mutation = {
        key: [keyPrefix, '$transaction'],
        send: (calls, sent) => Reflect.get(client, '$transaction')(calls, { headers: input['headers'], ...sent }),
        writes: toWrites,
        ...parts,
      }
      return createMutationOptions(mutation, input)
    },
    invalidate: (client: QueryClientLike, calls: unknown, results?: unknown) =>
      invalidateOrAll(engine, client, scope, toWrites(calls, results)),
  }

  return lazyMembers((delegate) => {
    if (delegate === '$transaction') return transaction
    const model = models.get(delegate)
    if (model === undefined) throw new TypeError(`graph does not contain "${delegate}".`)
    return lazyMembers((name) =>
      name === 'queryKey' ? () => [keyPrefix, delegate] : createOperation(delegate, model, name),
    )
  })
}

/** Maps delegate names to model names: `postLike` → `PostLike`. */
export function mapModels(graph: QueriesOptions['graph']): ReadonlyMap<string, string> {
  return new Map(Object.keys(graph).map((model) => [model.charAt(0).toLowerCase() + model.slice(1), model]))
}

/**
 * Returns the writes of a custom route, whose effects are unknown.
 * @param group the group of the route: a delegate name, or the name of a group without a model
 */
export function toRouteWrites(
  models: ReadonlyMap<string, string>,
  group: string,
  writes: readonly string[] = [group],
): readonly Write[] {
  return writes
    .flatMap((name) => models.get(name) ?? (name === group ? [] : name))
    .map((model) => ({ model, operation: 'any', args: {} }))
}
