import type { CallOptions } from '../http/options.js'
import { buildBody } from './body.js'
import type { JsonApiDocument } from './document.js'
import { RestError } from './error.js'
import { getId, idString } from './id.js'
import type { ToLinkage } from './linkage.js'
import { createResourceList, type ResourceList } from './list.js'
import type { PendingChange } from './pending.js'
import { buildMatch } from './match.js'
import { type RawQuery, buildQueryString } from './query.js'
import { isList, type ResourceObject, toResources } from './resources.js'
import type { RestTransport } from './rest-transport.js'
import type { ResourceOrId, Id } from './types/values.js'

type Page = ResourceList<ResourceObject, CallOptions>

/** The untyped methods of a collection. The types of each model are in `types/collection.ts`. */
export type Collection = ReturnType<typeof createCollection>

/**
 * Creates the methods of a collection.
 * @param type the resource type, which is also the path
 * @param getType returns the type of another collection
 * @param toLinkage returns the linkage of a relationship
 */
export function createCollection(
  type: string,
  getType: (collection: string) => string,
  toLinkage: ToLinkage,
  { request }: RestTransport,
) {
  const base = `/${encodeURIComponent(type)}`
  const toPath = (target: ResourceOrId) => `${base}/${encodeURIComponent(idString(getId(target)))}`

  /** Returns the page or the single resource of a document. */
  const getPrimaryData = (document: JsonApiDocument | undefined, path: string): Page | ResourceObject | null => {
    if (!document) return null
    const data = toResources(document)
    return Array.isArray(data)
      ? createResourceList(data, document, (search, options) => readPage(path, search, options))
      : data
  }

  const load = async (path: string, search: string, options?: CallOptions) => {
    const { document } = await request('GET', path + search, undefined, options)
    return getPrimaryData(document, path)
  }

  const read = async (path: string, query: RawQuery = {}, options?: CallOptions) => {
    return load(path, await buildQueryString(query, getType), options)
  }

  const readPage = async (path: string, search: string, options?: CallOptions): Promise<Page> => {
    const found = await load(path, search, options)
    if (isList(found)) return found
    throw new RestError(`The response to ${path} is not a list.`, { status: 200, code: 'malformed-response' })
  }

  const write = async (
    method: string,
    path: string,
    body: string,
    query: RawQuery,
    options?: CallOptions,
    target?: ResourceOrId,
  ) => {
    const { document, status } = await request(
      method,
      path + (await buildQueryString(query, getType)),
      body,
      options,
      target,
    )
    return { resource: document ? toResources(document) : null, status }
  }

  async function* pages(query?: RawQuery, options?: CallOptions): AsyncGenerator<Page, void, undefined> {
    let page: Page | null = await collection.list(query, options)
    while (page) {
      yield page
      page = await page.next(options)
    }
  }

  /** Adds a `call` function to each method. `call` describes the same change without sending it. */
  const addCallMethods = <M extends object>(methods: M, relationship?: PendingChange['relationship']): M => {
    for (const [method, make] of Object.entries(methods)) {
      make.call = (...args: unknown[]): PendingChange => ({
        method,
        args,
        type,
        toLinkage,
        id: `_${Math.random()}`,
        relationship,
      })
    }
    return methods
  }

  const collection = {
    async list(query: RawQuery = {}, options?: CallOptions) {
      return readPage(base, await buildQueryString(query, getType), options)
    },
    pages,
    async *each(query?: RawQuery, options?: CallOptions) {
      for await (const page of pages(query, options)) yield* page
    },
    async get(id: Id, query?: RawQuery, options?: CallOptions) {
      return read(toPath(id), query, options)
    },

    ...addCallMethods({
      create: async (data: object, query: RawQuery = {}, options?: CallOptions) => {
        return (await write('POST', base, buildBody(type, toLinkage, data), query, options)).resource
      },
      upsert: async (data: object, { match, ...query }: RawQuery & Matching, options?: CallOptions) => {
        const body = buildBody(type, toLinkage, data, undefined, buildMatch(match))
        const { resource, status } = await write('POST', base, body, query, options)
        return resource && Object.defineProperty(resource, '$created', { value: status === 201 })
      },
      update: async (target: ResourceOrId, data: object, query: RawQuery = {}, options?: CallOptions) => {
        const body = buildBody(type, toLinkage, data, idString(getId(target)))
        return (await write('PATCH', toPath(target), body, query, options, target)).resource
      },
      delete: async (target: ResourceOrId, options?: CallOptions) => {
        await request('DELETE', toPath(target), undefined, options, target)
      },
    }),

    async related(id: Id, relation: string, query?: RawQuery, options?: CallOptions) {
      return read(`${toPath(id)}/${relation}`, query, options)
    },
    relationship(owner: ResourceOrId, relation: string) {
      const path = `${toPath(owner)}/relationships/${relation}`
      const change = (method: string) => async (members: unknown, options?: CallOptions) => {
        const body = JSON.stringify({ data: toLinkage(relation, members) })
        const { document } = await request(method, path, body, options, owner)
        return getPrimaryData(document, path)
      }
      return {
        get: (query?: RawQuery, options?: CallOptions) => read(path, query, options),
        ...addCallMethods({ add: change('POST'), replace: change('PATCH'), remove: change('DELETE') }, [
          owner,
          relation,
        ]),
      }
    },
  }
  return collection
}

interface Matching {
  readonly match: string | readonly string[]
}
