import type { AnyApi, ModelName } from '../api.js'
import type { QueryClientLike } from './tanstack.js'
import type { Graph } from './impact/graph.js'

/** What the keys of the two styles begin with. */
export const STYLES: readonly string[] = ['rpc', 'rest']

/** The options of `createRpcQueries` and `createRestQueries`. */
export interface QueriesOptions {
  /** What the emitted `graph.ts` exports. */
  readonly graph: Graph
  /** What all keys begin with: another one for each client, where there are several. Default: `rpc`, or `rest` */
  readonly keyPrefix?: string | undefined
  /** The models that hooks of the server write along with another: `{ Document: ['AuditEntry'] }`. All queries of these are read again. */
  readonly relatedModels?: Readonly<Record<string, readonly string[] | undefined>> | undefined
  /**
   * What the keys of other clients of the same API begin with. What a mutation touches is read again there too, model by model: their keys say it in
   * other words. Default: `rpc` and `rest`
   */
  readonly otherKeys?: readonly string[] | undefined
  /**
   * Sends a key with each mutation (`Idempotency-Key`), which is the same however often TanStack Query repeats it. Where the server has the
   * option of the same name; TanStack Query 5.89 or newer. Default: false
   */
  readonly idempotency?: boolean | undefined
  /** The cache, where TanStack Query is older than 5.89 and does not hand it to mutations. */
  readonly queryClient?: QueryClientLike | undefined
}

/** The options, with the models of an API. */
export interface QueriesOptionsFor<A extends AnyApi> extends QueriesOptions {
  readonly graph: Graph & { readonly [M in ModelName<A>]: unknown }
  readonly relatedModels?: { readonly [M in ModelName<A>]?: readonly ModelName<A>[] } | undefined
}
