import type { RestContext } from '../rest-context.js'
import type { ResponseShape } from '../request/query/parse-response-shape.js'
import { loadIncluded } from '../orm/load-included.js'
import type { RestModel } from '../rest-model.js'
import type { PageResult } from '../paging/paging.js'
import { type CaptureResult, respond, respondNotModified } from './respond.js'
import type { Row } from '../orm/row.js'
import type { Selection } from '../orm/selection.js'
import { type ResponseBounds, serializeRows } from './serialize-rows.js'

/** The data needed to render a response, in addition to its rows. */
export interface ResponseParts {
  /** The client that loads included rows. */
  readonly orm: unknown
  readonly shape: ResponseShape
  readonly selection: Selection
  readonly context: RestContext
  /** See {@link respond}. */
  readonly capture?: CaptureResult
  /** Whether the response is minimal (`Prefer: return=minimal`). If so, its ETag contains only the revision. */
  readonly isMinimal?: boolean
  /** Whether the caller already has the response with this ETag. */
  readonly isCached?: ((tag: string) => boolean) | undefined
}

/**
 * Creates a response with one resource.
 * @param links the JSON of the document's links
 * @param location the URL of the created resource
 */
export function resourceResponse(
  row: Row | null,
  links: string,
  parts: ResponseParts,
  status = 200,
  location?: string,
): Response | Promise<Response> {
  const rows = row ? [row] : []
  const { shape, selection, context, capture, isMinimal, isCached } = parts
  const createTag = (current: Row) =>
    isMinimal
      ? context.conditional?.createRevisionTag(selection.model, current)
      : context.conditional?.createTag(current, selection, links)
  return whenLoaded(rows, parts, ({ includedRows, responseBytes }) => {
    const tag = row && !capture ? createTag(row) : undefined
    if (tag !== undefined && isCached?.(tag)) return respondNotModified(tag)
    const { data, included, notes } = serializeRows(rows, selection, { isList: false, includedRows, responseBytes })
    const documentParts = {
      data: row ? data : 'null',
      links,
      included: shape.include && included,
      notes,
      responseBytes,
      tag,
    }
    return respond(documentParts, status, location, capture)
  })
}

/** Writes rows after the included rows are loaded. Synchronous if the rows already contain everything. */
function whenLoaded(
  rows: readonly Row[],
  { orm, selection, context }: ResponseParts,
  write: (bounds: ResponseBounds) => Response,
): Response | Promise<Response> {
  const { limits } = context.settings
  if (!selection.hasToMany) return write(limits)
  return loadIncluded(orm, rows, selection, context).then(() => write(limits))
}

interface CollectionParts extends ResponseParts {
  readonly model: RestModel
  /** URL of the collection, escaped for a JSON string, if it differs from the model's own. */
  readonly url?: string
}

/** Creates a response with a page of a collection. */
export function collectionResponse(page: PageResult, parts: CollectionParts): Response | Promise<Response> {
  const { shape, selection, url = parts.model.json.url } = parts
  const { rows, meta, itemMeta, profile } = page
  return whenLoaded(rows, parts, ({ includedRows, responseBytes }) => {
    const bounds = { isList: true, includedRows, responseBytes }
    const { data, included, notes } = serializeRows(rows, selection, bounds, itemMeta)
    const links = page.links(url)
    return respond({
      data: `[${data}]`,
      links,
      meta,
      included: shape.include && included,
      notes,
      responseBytes,
      profile,
    })
  })
}
