import type { AnyApi } from '../api.js'
import type { CallOptions } from '../http/options.js'
import { createTransport } from '../http/transport.js'
import { lazyMembers } from '../lazy-members.js'
import { createCollection } from './collection.js'
import { type Graph, createLinker } from './linkage.js'
import type { GraphOf, RestClientOptions, RestClientOptionsFor } from './options.js'
import type { PendingChange, PendingRoute } from './pending.js'
import { makeError, createRestTransport } from './rest-transport.js'
import { typeNames, uncapitalized } from './type-names.js'
import type { Served } from './types/api.js'
import type { RestClient } from './types/collection.js'

/**
 * Creates a REST client. It sends no request until a method is called.
 *
 * `graph` is the export of the generated `graph.ts`. It is required only to write relationships. `D` is the type of Decimals if the option
 * `decimal` converts them, and `M` is the type of `modelNameMapping`, if the server has one.
 * @throws TypeError if `url` is missing
 * @example
 * ```ts
 * import { createRestClient } from '@routewright/client'
 * import type { Api } from './routes/client.js'
 * import { graph } from './routes/graph.js'
 *
 * const rest = createRestClient<Api>({ url: '/api/rest', graph })
 * const posts = await rest.post.list({ filter: { status: 'PUBLISHED' }, include: ['author'] })
 * ```
 * @see [REST client](docs/rest-client.md#options)
 */
export function createRestClient<A extends AnyApi, D = string, M = unknown>(
  options: RestClientOptionsFor<A, D, M> & { readonly graph: GraphOf<A> },
): RestClient<Served<A, M>, { decimal: D; names: M; graph: true }>
export function createRestClient<A extends AnyApi, D = string, M = unknown>(
  options: RestClientOptionsFor<A, D, M>,
): RestClient<Served<A, M>, { decimal: D; names: M; graph: false }>
export function createRestClient(options: RestClientOptions & { readonly graph?: Graph }): object {
  const { graph = {}, modelNameMapping } = options
  const getType = typeNames(modelNameMapping)
  const server = createRestTransport(createTransport(options, makeError), options.decimal)
  const relations = new Map(Object.entries(graph).map(([model, entry]) => [uncapitalized(model), entry?.relations]))
  const operations = async (changes: readonly (PendingChange | PendingRoute)[], requestOptions?: CallOptions) => {
    const { runOperations } = await import('./operations.js')
    return runOperations(server, options.operations ?? '/operations', changes, requestOptions)
  }
  // `$server` is for `withRestRoutes`.
  return lazyMembers((name) =>
    name === '$operations'
      ? operations
      : name === '$server'
        ? [server, options]
        : createCollection(getType(name), getType, createLinker(relations.get(name) ?? {}, getType), server),
  )
}
