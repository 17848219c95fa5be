import type { JsonApiDocument, Link, Links } from './document.js'
import type { ResourceObject } from './resources.js'

/** The members of a list besides its resources. */
export interface ListMembers<T, Call> {
  /** The number of resources on all pages. Undefined if the server did not count them, as with `page: { total: 'none' }` and cursors. */
  readonly total: number | undefined
  /** The links of the document. */
  readonly links: Links
  /** The document of the response. */
  readonly document: JsonApiDocument
  /** Loads the next page. Returns null on the last page. */
  next(call?: Call): Promise<ResourceList<T, Call> | null>
  /** Loads the previous page. Returns null on the first page. */
  prev(call?: Call): Promise<ResourceList<T, Call> | null>
}

/** A page of resources: an array with its links to other pages. */
export type ResourceList<T, Call> = readonly T[] & ListMembers<T, Call>

/**
 * Creates a list of the resources in a document.
 * @param read loads another page by its query string
 */
export function createResourceList<Call>(
  resources: readonly ResourceObject[],
  document: JsonApiDocument,
  read: (search: string, call?: Call) => Promise<ResourceList<ResourceObject, Call>>,
): ResourceList<ResourceObject, Call> {
  const { links = {}, meta = {} } = document
  const followLink = async (name: string, call?: Call) => {
    const search = getSearch(links[name])
    return search === undefined ? null : read(search, call)
  }
  const members: ListMembers<ResourceObject, Call> = {
    total: getTotal(meta),
    links,
    document,
    next: (call) => followLink('next', call),
    prev: (call) => followLink('prev', call),
  }
  const list = Object.assign([...resources], members)
  // Only the resources and the total are enumerable. The total must be, because TanStack Query copies arrays that have only elements and
  // would lose the other members.
  for (const name of ['links', 'document', 'next', 'prev']) Object.defineProperty(list, name, { enumerable: false })
  return list
}

/** The total of a linkage or a page is in `meta.total`, with the cursor pagination profile in `meta.page.total`. */
function getTotal(meta: Readonly<Record<string, unknown>>): number | undefined {
  const total: unknown = meta['total'] ?? Object(meta['page']).total
  return typeof total === 'number' ? total : undefined
}

/** Returns the query string of a link. The host and path are ignored, because the server may be behind a proxy with another URL. */
function getSearch(link: Link | undefined): string | undefined {
  const href = typeof link === 'object' ? link?.href : link
  return href?.replace(/^[^?]*/, '')
}
