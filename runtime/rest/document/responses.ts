import type { RestContext, ResponseShape } from '../context.js'
import { rowId } from '../request/id.js'
import { loadIncluded } from '../orm/load-included.js'
import type { RestModel } from '../model.js'
import type { PageResult } from '../paging/paging.js'
import { revisionTag } from './entity-tag.js'
import { type CaptureResult, respond, respondNotModified } from './respond.js'
import type { Row } from '../orm/row.js'
import type { Selection } from '../orm/selection.js'
import { type ResponseBounds, serializeRows } from './serialize.js'

/** What an answer is made with, beside its rows. */
export interface ResponseParts {
  /** The client, for what the answer includes. */
  readonly orm: unknown
  readonly shown: ResponseShape
  readonly selection: Selection
  readonly context: RestContext
  /** See {@link respond}. */
  readonly keep?: CaptureResult
  /** Whether no more is shown than what was written: then its tag tells the version alone. */
  readonly isMinimal?: boolean
  /** Whether an answer with a tag need not be given: the caller has it. */
  readonly isKnown?: ((tag: string) => boolean) | undefined
}

/**
 * The answer that shows one resource.
 * @param links those of the document, as JSON
 * @param location URL of what was made
 */
export function resourceResponse(
  row: Row | null,
  links: string,
  parts: ResponseParts,
  status = 200,
  location?: string,
): Response | Promise<Response> {
  const rows = row ? [row] : []
  const { shown, selection, context, keep, isMinimal, isKnown } = parts
  const tagOf = (one: Row) => (isMinimal ? revisionTag(selection.model, one) : context.tags.of(one, selection, links))
  return whenLoaded(rows, parts, ({ includedRows, responseBytes }) => {
    const tag = row && !keep ? tagOf(row) : undefined
    if (tag !== undefined && isKnown?.(tag)) return respondNotModified(tag)
    const { data, included, notes } = serializeRows(rows, selection, { isList: false, includedRows, responseBytes })
    const answer = { data: row ? data : 'null', links, included: shown.include && included, notes, responseBytes, tag }
    return respond(answer, status, location, keep)
  })
}

/** Writes rows once all is there that the answer includes: at once, where the rows have come with it. */
function whenLoaded(
  rows: readonly Row[],
  { orm, selection, context }: ResponseParts,
  write: (bounds: ResponseBounds) => Response,
): Response | Promise<Response> {
  const { limits } = context.settings
  if (!selection.loadsLater) return write(limits)
  return loadIncluded(orm, rows, selection, context).then(() => write(limits))
}

interface CollectionParts extends ResponseParts {
  readonly model: RestModel
  /** URL of the collection, escaped as inside a JSON string, where it is not the model's own. */
  readonly url?: string
}

/** The answer that shows a page of a collection. */
export function collectionResponse(page: PageResult, parts: CollectionParts): Response | Promise<Response> {
  const { shown, selection, url = parts.model.texts.url } = parts
  const { rows, meta, itemMeta, profile } = page
  return whenLoaded(rows, parts, ({ includedRows, responseBytes }) => {
    const bounds = { isList: true, includedRows, responseBytes }
    const { data, included, notes } = serializeRows(rows, selection, bounds, itemMeta)
    const links = page.links(url)
    return respond({
      data: `[${data}]`,
      links,
      meta,
      included: shown.include && included,
      notes,
      responseBytes,
      profile,
    })
  })
}

/** URL of a resource. */
export function resourceUrl(model: RestModel, row: Row): string {
  return `${model.url}/${encodeURIComponent(rowId(model.id, row))}`
}

/** The same, escaped as inside a JSON string. */
export function resourceLink(model: RestModel, row: Row): string {
  return `${model.texts.url}/${encodeURIComponent(rowId(model.id, row))}`
}
