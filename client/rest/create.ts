import type { AnyApi } from '../api.js'
import type { CallOptions } from '../http/options.js'
import { createTransport } from '../http/transport.js'
import { type Collection, createCollection } from './collection.js'
import { type Graph, createLinker } from './linkage.js'
import type { GraphOf, RestClientOptions, RestClientOptionsFor } from './options.js'
import type { PendingChange } from './pending.js'
import { makeError, createRestTransport } from './rest-transport.js'
import type { Served } from './types/api.js'
import type { RestClient } from './types/collection.js'

/**
 * Makes a client of the REST style. Nothing is asked until a method is called.
 *
 *     const rest = createRestClient<Api>({ url: '/api/rest', graph })
 *     const posts = await rest.post.list({ filter: { status: 'PUBLISHED' }, include: ['author'] })
 *
 * `graph` is what the emitted `graph.ts` exports; a client that writes no relationships needs none. `D` is the type of Decimals, where the
 * option `decimal` makes something else of them than texts, and `M` that of the `modelNameMapping`, where the server has one.
 * @throws TypeError where the options lack a url
 */
export function createRestClient<A extends AnyApi, D = string, M = unknown>(
  options: RestClientOptionsFor<A, D, M> & { readonly graph: GraphOf<A> },
): RestClient<Served<A, M>, { decimal: D; names: M; graph: true }>
export function createRestClient<A extends AnyApi, D = string, M = unknown>(
  options: RestClientOptionsFor<A, D, M>,
): RestClient<Served<A, M>, { decimal: D; names: M; graph: false }>
export function createRestClient(options: RestClientOptions & { readonly graph?: Graph }): object {
  const { graph = {}, modelNameMapping } = options
  const typeOf = typeNames(modelNameMapping)
  const server = createRestTransport(createTransport(options, makeError), options.decimal)
  const relations = new Map(Object.entries(graph).map(([model, entry]) => [uncapitalized(model), entry?.relations]))
  const collections = new Map<string, Collection>()
  const make = (name: string): Collection => {
    return createCollection(typeOf(name), typeOf, createLinker(relations.get(name) ?? {}, typeOf), server)
  }
  const operations = async (changes: readonly PendingChange[], call?: CallOptions) => {
    const { runOperations: operate } = await import('./operations.js')
    return operate(server, options.operations ?? '/operations', changes, call)
  }
  // What the schema has, only types know.
  return new Proxy(Object.create(null), {
    get(_, name) {
      // A promise would take an object with `then` for another one, and JSON asks for `toJSON`.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined
      if (name === '$operations') return operations
      const known = collections.get(name) ?? make(name)
      collections.set(name, known)
      return known
    },
  })
}

/**
 * The `type` of a model's resources, by the model's name or by the one that it has on the Prisma client.
 * @throws TypeError where the mapping leaves the model out, so that it is not served
 */
function typeNames(mapping: RestClientOptions['modelNameMapping']): (name: string) => string {
  if (!mapping) return (name) => name.toLowerCase()
  const types = new Map(Object.entries(mapping).map(([model, type]) => [uncapitalized(model), type]))
  return (name) => {
    const type = types.get(uncapitalized(name))
    if (type !== undefined) return type
    throw new TypeError(`modelNameMapping does not name the model of "${name}".`)
  }
}

function uncapitalized(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}
