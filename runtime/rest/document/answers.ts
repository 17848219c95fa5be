import type { RestContext, Shown } from '../context.js'
import { rowId } from '../request/id.js'
import { loadIncluded } from '../orm/load-included.js'
import type { RestModel } from '../model.js'
import type { Page } from '../request/page.js'
import { collectionLinks, respond } from './respond.js'
import type { Row } from '../orm/row.js'
import type { Selection } from '../orm/selection.js'
import { serializeRows } from './serialize.js'

/** What an answer is made with, beside its rows. */
export interface AnswerParts {
  /** The client, for what the answer includes. */
  readonly orm: unknown
  readonly shown: Shown
  readonly selection: Selection
  readonly context: RestContext
}

/**
 * The answer that shows one resource.
 * @param links those of the document, as JSON
 * @param location URL of what was made
 */
export async function resource(
  row: Row | null,
  links: string,
  { orm, shown, selection, context }: AnswerParts,
  status = 200,
  location?: string,
): Promise<Response> {
  const most = context.settings.limits.includedRows
  const rows = row ? [row] : []
  if (selection.loadsLater) await loadIncluded(orm, rows, selection, context.adjust, most)
  const { data, included, notes } = serializeRows(rows, selection, { isList: false, most })
  const answer = { data: row ? data : 'null', links, included: shown.include && included, notes }
  return respond(answer, status, location)
}

interface CollectionParts extends AnswerParts {
  readonly model: RestModel
  readonly page: Page
  readonly url?: string
}

/** The answer that shows a page of a collection. */
export async function collection(rows: readonly Row[], total: number, parts: CollectionParts): Promise<Response> {
  const { orm, shown, selection, page, context, url = parts.model.url } = parts
  const { pageSize, limits } = context.settings
  const most = limits.includedRows
  if (selection.loadsLater) await loadIncluded(orm, rows, selection, context.adjust, most)
  const { data, included, notes } = serializeRows(rows, selection, { isList: true, most })
  const links = collectionLinks(url, shown.query, { page, total, pageSize })
  return respond({ data: `[${data}]`, links, total, included: shown.include && included, notes })
}

/** URL of a resource. */
export function resourceUrl(model: RestModel, row: Row): string {
  return `${model.url}/${encodeURIComponent(rowId(model.id, row))}`
}
