import type { JsonApiDocument, Link, Links } from './document.js'
import type { ResourceObject } from './resources.js'

/** What a list has beside its resources. */
export interface ListMembers<T, Call> {
  /** How many there are on all pages. Undefined where the server was not to count (`page: { total: 'none' }`, cursors). */
  readonly total: number | undefined
  /** The links of the document. */
  readonly links: Links
  /** The document as it was answered. */
  readonly document: JsonApiDocument
  /** Reads the next page; gives null where this is the last one. */
  next(call?: Call): Promise<ResourceList<T, Call> | null>
  /** Reads the page before; gives null where this is the first one. */
  prev(call?: Call): Promise<ResourceList<T, Call> | null>
}

/** A page of resources: an array that knows its pages. */
export type ResourceList<T, Call> = readonly T[] & ListMembers<T, Call>

/**
 * Makes a list of the resources of a document.
 * @param read reads another page of it, by the query of its URL
 */
export function createResourceList<Call>(
  resources: readonly ResourceObject[],
  document: JsonApiDocument,
  read: (search: string, call?: Call) => Promise<ResourceList<ResourceObject, Call>>,
): ResourceList<ResourceObject, Call> {
  const { links = {}, meta = {} } = document
  const follow = async (name: string, call?: Call) => {
    const search = searchIn(links[name])
    return search === undefined ? null : read(search, call)
  }
  const members: ListMembers<ResourceObject, Call> = {
    total: totalIn(meta),
    links,
    document,
    next: (call) => follow('next', call),
    prev: (call) => follow('prev', call),
  }
  const list = Object.assign([...resources], members)
  // What is left to see are the resources and the total. It is seen because caches copy arrays that have nothing but elements.
  for (const name of ['links', 'document', 'next', 'prev']) Object.defineProperty(list, name, { enumerable: false })
  return list
}

/** A relationship's linkage, and a page, tell it; under the cursor pagination profile in a place of its own. */
function totalIn(meta: Readonly<Record<string, unknown>>): number | undefined {
  const total: unknown = meta['total'] ?? Object(meta['page']).total
  return typeof total === 'number' ? total : undefined
}

/**
 * The query of a link. Its host and path are the server's own, which may be behind another name: the client has its own way there.
 */
function searchIn(link: Link | undefined): string | undefined {
  const href = typeof link === 'object' ? link?.href : link
  return href?.replace(/^[^?]*/, '')
}
