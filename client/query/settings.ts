import type { AnyApi, ModelName } from '../api.js'
import type { QueryClientLike } from './tanstack.js'
import type { Graph } from './impact/graph.js'

/** Options of `createRpcQueries` and `createRestQueries`. */
export interface QueriesOptions {
  /** The `graph` from the generated `graph.ts`. */
  readonly graph: Graph
  /** The first element of all query keys. Must differ between clients of the same API. Default: `rpc` or `rest`. */
  readonly keyPrefix?: string | undefined
  /** Models that server-side hooks also write, per model: `{ Document: ['AuditEntry'] }`. Their queries are invalidated too. */
  readonly relatedModels?: Readonly<Record<string, readonly string[] | undefined>> | undefined
  /**
   * The key prefixes of other clients of the same API. Mutations invalidate their queries too: queries of operations by model, because their
   * keys have a different format, and all queries of declared routes. Default: `rpc` and `rest`.
   */
  readonly otherKeys?: readonly string[] | undefined
  /**
   * Sends an `Idempotency-Key` header with each mutation. Retries of a mutation send the same key. Requires the server option of the same
   * name, and TanStack Query 5.89 or later. Default: false.
   */
  readonly idempotency?: boolean | undefined
  /** The query client. Required with versions of TanStack Query before 5.89. Later versions pass it to mutations. */
  readonly queryClient?: QueryClientLike | undefined
}

/** Returns the first elements of the query keys of all clients of an API, for operations and declared routes. */
export function keyPrefixes({ keyPrefix, otherKeys = ['rpc', 'rest'] }: Keys): ReadonlySet<unknown> {
  return new Set([keyPrefix, ...otherKeys].flatMap((key) => [key, `${key}-routes`]))
}

interface Keys extends Pick<QueriesOptions, 'otherKeys'> {
  readonly keyPrefix: string
}

/** {@link QueriesOptions} for the models of an API. */
export interface QueriesOptionsFor<A extends AnyApi> extends QueriesOptions {
  readonly graph: Graph & { readonly [M in ModelName<A>]: unknown }
  readonly relatedModels?: { readonly [M in ModelName<A>]?: readonly ModelName<A>[] } | undefined
}
