import type { JsonApiDocument, Link, Links } from './document.js'
import type { ResourceObject } from './resources.js'

/** The properties of a list, in addition to its elements. */
export interface ListProperties<T, Options> {
  /** The number of resources on all pages. Undefined if the server did not count them, for example with `page: { total: 'none' }`. */
  readonly total: number | undefined
  /** The links of the document. */
  readonly links: Links
  /** The document of the response. */
  readonly document: JsonApiDocument
  /** Loads the next page. Returns null on the last page. */
  next(options?: Options): Promise<ResourceList<T, Options> | null>
  /** Loads the previous page. Returns null on the first page. */
  prev(options?: Options): Promise<ResourceList<T, Options> | null>
}

/** A page of resources: an array with its links to other pages. */
export type ResourceList<T, Options> = readonly T[] & ListProperties<T, Options>

/**
 * Creates a list of the resources in a document.
 * @param read loads another page by its query string
 */
export function createResourceList<Options>(
  resources: readonly ResourceObject[],
  document: JsonApiDocument,
  read: (search: string, options?: Options) => Promise<ResourceList<ResourceObject, Options>>,
): ResourceList<ResourceObject, Options> {
  const { links = {}, meta = {} } = document
  const followLink = async (name: string, options?: Options) => {
    const search = getSearch(links[name])
    return search === undefined ? null : read(search, options)
  }
  const properties: ListProperties<ResourceObject, Options> = {
    total: getTotal(meta),
    links,
    document,
    next: (options) => followLink('next', options),
    prev: (options) => followLink('prev', options),
  }
  const list = Object.assign([...resources], properties)
  // Only the elements and `total` are enumerable. Without an enumerable `total`, TanStack Query would copy the list like a plain array, and
  // the copy would lack the other properties.
  for (const name of ['links', 'document', 'next', 'prev']) Object.defineProperty(list, name, { enumerable: false })
  return list
}

/** Returns the total, which is in `meta.total` or, with the cursor pagination profile, in `meta.page.total`. */
function getTotal(meta: Readonly<Record<string, unknown>>): number | undefined {
  const total: unknown = meta['total'] ?? Object(meta['page']).total
  return typeof total === 'number' ? total : undefined
}

/** Returns the query string of a link. The host and path are ignored, because the server may be behind a proxy with a different URL. */
function getSearch(link: Link | undefined): string | undefined {
  const href = typeof link === 'object' ? link?.href : link
  return href?.replace(/^[^?]*/, '')
}
