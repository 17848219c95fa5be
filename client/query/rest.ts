import { lazyMembers } from '../lazy-members.js'
import { getId } from '../rest/id.js'
import type { Write } from './invalidation.js'
import { toQueryKey } from './key.js'
import { type MutationInput, createMutationOptions, type SendOptions, invalidateOrAll } from './mutation.js'
import type { MutationTarget } from './rest-types.js'
import { mapModels } from './rpc.js'
import type { QueriesOptions } from './settings.js'
import type { QueryClientLike } from './tanstack.js'
import type { PlainObject } from './impact/graph.js'

type Method = (...args: readonly unknown[]) => Promise<unknown>

/**
 * Creates the query and mutation options of a REST client. At run time, every method has all kinds of options. The types expose only the
 * useful ones.
 */
export function restQueries(
  client: object,
  { keyPrefix = 'rest', queryClient, idempotency, ...impact }: QueriesOptions,
): object {
  const { graph } = impact
  const models = mapModels(graph)
  const scope = { ...impact, keyPrefix, models }
  const engine = () => import('./rest-invalidation.js')

  const createMethod = (name: string, model: string, method: string) => {
    const collection = (): object => Reflect.get(client, name)
    const call: Method = (...args) => Reflect.get(collection(), method)(...args)
    const queryKey = (...args: readonly unknown[]) => [
      keyPrefix,
      name,
      method,
      ...args.filter((arg) => arg !== undefined).map(toQueryKey),
    ]
    /** Splits the arguments of `queryOptions` into those of the method and the overrides after them. */
    const split = (args: readonly unknown[]) => {
      const length = method === 'list' ? 1 : method === 'get' ? 2 : 3
      return [Array.from({ length }, (_, index) => args[index]), args[length]] as const
    }
    const toWrite = ({ relation, change }: PlainObject, variables: unknown, result: unknown): Write => ({
      model,
      operation: method,
      args: { variables, relation, change },
      result,
    })
    const send = (
      input: PlainObject,
      variables: unknown,
      sendOptions: SendOptions | false | undefined,
    ): Promise<unknown> => {
      const { data, members }: PlainObject = Object(variables)
      const { include, fields, match, relation, change, headers } = input
      const options = { headers, ...sendOptions }
      const query = { ...(include !== undefined && { include }), ...(fields !== undefined && { fields }) }
      if (method === 'create') return call(variables, query, options)
      if (method === 'update') return call(toTarget(Object(variables)), data, query, options)
      if (method === 'upsert') return call(data, { ...query, match }, options)
      if (method === 'delete') return call(variables, options)
      const relationship = Reflect.get(collection(), 'relationship')(toTarget(Object(variables)), relation)
      return Reflect.get(relationship, String(change))(members, options)
    }
    return {
      queryKey,
      infiniteQueryKey: (...args: readonly unknown[]) => [...queryKey(...split(args)[0]), 'infinite'],
      queryOptions: (...all: readonly unknown[]) => {
        const [args, overrides] = split(all)
        return {
          ...Object(overrides),
          queryKey: queryKey(...args),
          queryFn: ({ signal }: { signal: AbortSignal }) =>
            call(...args, { signal, headers: Object(overrides).headers }),
        }
      },
      infiniteQueryOptions: (...all: readonly unknown[]) => {
        const [args, overrides] = split(all)
        const query: PlainObject = Object(args.at(-1))
        const before = args.slice(0, -1)
        return {
          initialPageParam: {},
          getNextPageParam: nextLink,
          ...Object(overrides),
          queryKey: [...queryKey(...args), 'infinite'],
          queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: object }) =>
            call(
              ...before,
              { ...query, page: { ...Object(query['page']), ...pageParam } },
              { signal, headers: Object(overrides).headers },
            ),
        }
      },
      mutationOptions: (input: MutationInput & PlainObject = {}) => {
        if (input.optimistic && method !== 'update' && method !== 'delete') {
          throw new TypeError(`optimistic cannot predict the result of ${method}.`)
        }
        return createMutationOptions(
          {
            key: queryKey(),
            send: (variables, sent) => send(input, variables, sent),
            scope,
            engine,
            writes: (variables, result) => [toWrite(input, variables, result)],
            queryClient,
            idempotency,
          },
          input,
        )
      },
      invalidate: (client: QueryClientLike, variables?: unknown, result?: unknown) =>
        invalidateOrAll(engine, client, scope, [toWrite(Object(variables), variables, result)]),
    }
  }

  return lazyMembers((name) => {
    const model = models.get(name)
    if (model === undefined) throw new TypeError(`graph does not contain "${name}".`)
    return lazyMembers((method) =>
      method === 'queryKey' ? () => [keyPrefix, name] : createMethod(name, model, method),
    )
  })
}

/** Returns the id or resource that a mutation changes, with the expected version. */
export function toTarget({ id, version }: MutationTarget): unknown {
  return version === undefined ? id : { id: getId(id), $meta: { version } }
}

/** Returns the `page` parameters of a document's `next` link, or undefined on the last page. */
export function nextLink(page: { readonly links: Readonly<Record<string, unknown>> }): PlainObject | undefined {
  const { next } = page.links
  const href: unknown = typeof next === 'object' ? Object(next).href : next
  if (typeof href !== 'string') return undefined
  const entries = [...new URLSearchParams(href.slice(href.indexOf('?')))].flatMap(([name, value]) => {
    const [, parameter] = /^page\[(\w+)\]$/.exec(name) ?? []
    return parameter === undefined ? [] : [[parameter, /^\d+$/.test(value) ? Number(value) : value]]
  })
  return Object.fromEntries(entries)
}
