import type { CallOptions } from '../http/options.js'
import { bodyOf } from './body.js'
import type { JsonApiDocument } from './document.js'
import { RestError } from './error.js'
import { idOf, idText } from './id.js'
import type { Linked } from './linkage.js'
import { listOf, type ResourceList } from './list.js'
import type { PendingChange } from './pending.js'
import { matchOf } from './match.js'
import { type RawQuery, searchOf } from './query.js'
import { isList, type ResourceObject, resourcesOf } from './resources.js'
import type { RestServer } from './server.js'
import type { Given, Id } from './types/values.js'

type Page = ResourceList<ResourceObject, CallOptions>

/** What the methods of a collection are at run time; the compiler has them by model. */
export type Collection = ReturnType<typeof collectionOf>

/**
 * Makes the methods of a collection.
 * @param type of its resources, which is its path as well
 * @param typeOf the types of the others
 * @param linked the linkage of its relationships
 */
export function collectionOf(
  type: string,
  typeOf: (collection: string) => string,
  linked: Linked,
  { ask }: RestServer,
) {
  const base = `/${encodeURIComponent(type)}`
  const pathOf = (given: Given) => `${base}/${encodeURIComponent(idText(idOf(given)))}`

  /** A page, or the one resource that there is. */
  const primaryOf = (document: JsonApiDocument | undefined, path: string): Page | ResourceObject | null => {
    if (!document) return null
    const data = resourcesOf(document)
    return Array.isArray(data) ? listOf(data, document, (search, call) => readPage(path, search, call)) : data
  }

  const read = async (path: string, search: string, call?: CallOptions) => {
    const { document } = await ask('GET', path + search, undefined, call)
    return primaryOf(document, path)
  }

  const readPage = async (path: string, search: string, call?: CallOptions): Promise<Page> => {
    const found = await read(path, search, call)
    if (isList(found)) return found
    throw new RestError(`The answer to ${path} is no list.`, { status: 200, code: 'malformed-answer' })
  }

  const write = async (
    method: string,
    path: string,
    body: string,
    query: RawQuery,
    call?: CallOptions,
    given?: Given,
  ) => {
    const { document, status } = await ask(method, path + (await searchOf(query, typeOf)), body, call, given)
    return { resource: document ? resourcesOf(document) : null, status }
  }

  async function* pages(query?: RawQuery, call?: CallOptions): AsyncGenerator<Page, void, undefined> {
    let page: Page | null = await collection.list(query, call)
    while (page) {
      yield page
      page = await page.next(call)
    }
  }

  /** Methods, each with `call`, which describes the same change and does not make it. */
  const waiting = <M extends object>(methods: M, of?: PendingChange['of']): M => {
    for (const [method, make] of Object.entries(methods)) {
      make.call = (...args: unknown[]): PendingChange => ({ method, args, type, linked, id: `_${Math.random()}`, of })
    }
    return methods
  }

  const collection = {
    async list(query: RawQuery = {}, call?: CallOptions) {
      return readPage(base, await searchOf(query, typeOf), call)
    },
    pages,
    async *each(query?: RawQuery, call?: CallOptions) {
      for await (const page of pages(query, call)) yield* page
    },
    async get(id: Id, query: RawQuery = {}, call?: CallOptions) {
      return read(pathOf(id), await searchOf(query, typeOf), call)
    },

    ...waiting({
      create: async (data: object, query: RawQuery = {}, call?: CallOptions) => {
        return (await write('POST', base, bodyOf(type, linked, data), query, call)).resource
      },
      upsert: async (data: object, { match, ...query }: RawQuery & Matching, call?: CallOptions) => {
        const body = bodyOf(type, linked, data, undefined, matchOf(match))
        const { resource, status } = await write('POST', base, body, query, call)
        return resource && Object.defineProperty(resource, '$created', { value: status === 201 })
      },
      update: async (given: Given, data: object, query: RawQuery = {}, call?: CallOptions) => {
        const body = bodyOf(type, linked, data, idText(idOf(given)))
        return (await write('PATCH', pathOf(given), body, query, call, given)).resource
      },
      delete: async (given: Given, call?: CallOptions) => {
        await ask('DELETE', pathOf(given), undefined, call, given)
      },
    }),

    async related(id: Id, relation: string, query: RawQuery = {}, call?: CallOptions) {
      return read(`${pathOf(id)}/${relation}`, await searchOf(query, typeOf), call)
    },
    relationship(owner: Given, relation: string) {
      const path = `${pathOf(owner)}/relationships/${relation}`
      const change = (method: string) => async (given: unknown, call?: CallOptions) => {
        const body = JSON.stringify({ data: linked(relation, given) })
        const { document } = await ask(method, path, body, call, owner)
        return primaryOf(document, path)
      }
      return {
        async get(query: RawQuery = {}, call?: CallOptions) {
          return read(path, await searchOf(query, typeOf), call)
        },
        ...waiting({ add: change('POST'), replace: change('PATCH'), remove: change('DELETE') }, [owner, relation]),
      }
    },
  }
  return collection
}

interface Matching {
  readonly match: string | readonly string[]
}
