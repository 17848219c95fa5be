import type { Context } from 'hono'

import { getBindings } from '../../http/routing/custom-routes.js'
import { getPrimary } from '../../prisma/replicas.js'
import { maskRows } from '../../prisma/policy-check.js'
import { chunkKeys, serializeKey, whereAnyKey } from '../../prisma/keys.js'
import type { RestContext } from '../rest-context.js'
import type { ResponseShape } from '../request/query/parse-response-shape.js'
import { notFoundError } from '../document/resource-errors.js'
import { type ResponseParts, resourceResponse } from '../document/success-responses.js'
import { type LinkQuery, resourceLink, resourceUrl, collectionLinks, selfLink } from '../document/document-links.js'
import { respond } from '../document/respond.js'
import { serializeRows } from '../document/serialize-rows.js'
import { RequestError } from '../../errors/request-error.js'
import { respondToWrite } from '../../errors/respond-to-write.js'
import { quoteJson } from '../../serialization/write-json.js'
import type { RestModel } from '../rest-model.js'
import { findMany } from '../orm/delegate-calls.js'
import { loadIncluded } from '../orm/load-included.js'
import { isRow, type Row, toRows } from '../orm/row.js'
import type { Selection } from '../orm/selection.js'
import { mayRead } from '../relationship-capabilities.js'
import type { Page } from '../paging/paging.js'
import type { ErasedReplyOptions } from './rest-api.js'

/** The parsed query parameters that determine a custom route's response. */
export interface ReplyQuery {
  readonly shape: ResponseShape
  readonly selection: Selection
  /** The requested page, if the response is a paginated list. */
  readonly page?: Page
}

/** Responds with a document of one row, a list of rows, or null. */
export async function replyWith(
  c: Context,
  model: RestModel,
  loaded: unknown,
  { shape, selection, page }: ReplyQuery,
  context: RestContext,
  { status = 200, total, parameters = [] }: ErasedReplyOptions = {},
): Promise<Response> {
  const { path, getOrm, capture } = getBindings(c)
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  const client = await getOrm()
  const masked = maskRows(client, model.model.name, loaded)
  // After a write, rows are read from the primary database, because replicas may not have the change yet.
  const orm = isRead ? client : getPrimary(client)
  const parts = { orm, shape, selection, context, capture }
  // The URL is escaped for a JSON string, because the links of the document are written as text.
  const selfUrl = quoteJson(`${context.settings.endpoint}${path === '/' ? '' : path}`).slice(1, -1)
  const createResponse = async () => {
    const query = { parameters: [...parameters, ...shape.query.parameters] }
    if (!isRow(masked)) return resourceResponse(null, selfLink(selfUrl, query), parts, status)
    const isList = Array.isArray(masked)
    const { version } = model.model
    // The ETag of a single row contains its version.
    const needed = context.conditional && version && !isList ? [version.name] : []
    const rows = await completeRows(toRows(isList ? masked : [masked]), model, selection, orm, context, needed)
    if (isList) return respondWithList(rows, parts, { url: selfUrl, query, page, total, status })
    const [row] = rows
    // A 404 would mean that the write did not take place.
    if (!row)
      throw isRead
        ? notFoundError(model)
        : new RequestError({ code: 'forbidden', detail: 'The result does not exist or is not readable.' })
    const location = status === 201 && model.routes.has('/:id') ? resourceUrl(model, row) : undefined
    const validators = isRead ? context.conditional?.parseValidators(c, model) : undefined
    validators?.assertMatch(row)
    const validated = { ...parts, isCached: validators?.isCached }
    return resourceResponse(row, selfLink(resourceLink(model, row), shape.query), validated, status, location)
  }
  return isRead ? createResponse() : respondToWrite(createResponse)
}

interface List {
  readonly url: string
  readonly query: LinkQuery
  readonly total: number | undefined
  readonly page: Page | undefined
  readonly status: number
}

/** Responds with rows in the given order: a complete list, or a page with links to the other pages. */
async function respondWithList(
  rows: readonly Row[],
  { orm, shape, selection, context, capture }: ResponseParts,
  { url, query, page, total, status }: List,
): Promise<Response> {
  const { settings } = context
  const { includedRows, responseBytes } = settings.limits
  await loadIncluded(orm, rows, selection, context)
  const { data, included, notes } = serializeRows(rows, selection, {
    isList: true,
    includedRows,
    responseBytes,
  })
  const isPage = page && total !== undefined
  const links = isPage ? collectionLinks(url, query, { page, extent: { total }, settings }) : selfLink(url, query)
  const documentParts = {
    data: `[${data}]`,
    links,
    included: shape.include && included,
    notes,
    responseBytes,
  }
  const meta = total !== undefined && { meta: `"total":${total}` }
  return respond({ ...documentParts, ...meta }, status, undefined, capture)
}

/**
 * Returns copies of rows that contain all selected fields. If a row lacks a field, all rows are loaded again by id, and rows that no
 * longer exist are omitted.
 * @param needed other fields that the rows must contain
 */
async function completeRows(
  rows: readonly Row[],
  model: RestModel,
  selection: Selection,
  orm: unknown,
  { adjust }: RestContext,
  needed: readonly string[],
): Promise<readonly Row[]> {
  if (rows.every((row) => hasSelectedFields(row, selection) && hasAll(row, needed)))
    return rows.map((row) => copyRow(row, model))
  const ids = model.id.fields.map(({ name }) => name)
  if (!rows.every((row) => hasAll(row, ids))) {
    throw new Error(`Each row of ${model.model.name} in a reply must contain its id: ${ids.join(', ')}.`)
  }
  const found = await Promise.all(
    chunkKeys(ids, rows).map((part) => {
      const { args } = adjust(orm, model.model, { where: whereAnyKey(ids, part), ...selection.args })
      return findMany(orm, model, args)
    }),
  )
  const byId = new Map(found.flat().map((row): [string, Row] => [serializeKey(ids, row), row]))
  return rows.map((row) => byId.get(serializeKey(ids, row))).filter(isRow)
}

/** Copies a row field by field, so that computed fields are not evaluated unless they are exposed. */
function copyRow(row: Row, { model }: RestModel): Row {
  const { fields, omit = {}, relations, computed } = model
  const names = Object.keys(row).filter((name) => {
    return fields.has(name) || Object.hasOwn(omit, name) || relations.has(name) || computed.has(name)
  })
  return Object.fromEntries(names.map((name) => [name, row[name]]))
}

/** Whether a row contains all selected fields, except to-many relations, which are loaded separately. */
function hasSelectedFields(row: Row, { model, attributes, relationships }: Selection): boolean {
  const ids = model.id.fields.map(({ name }) => name)
  if (!hasAll(row, ids) || !attributes.every(({ name }) => row[name] !== undefined)) return false
  return relationships.every(({ relationship, included }) => {
    const { name, relation, linkage, target } = relationship
    if (relation.many) return true
    const related = row[name]
    if (included) return related === null || (isRow(related) && hasSelectedFields(related, included))
    if (linkage) return hasAll(row, linkage)
    const isId = isRow(related) && target.id.fields.every((field) => related[field.name] !== undefined)
    return related === null || isId || !mayRead(relationship)
  })
}

function hasAll(row: Row, names: readonly string[]): boolean {
  return names.every((name) => row[name] !== undefined)
}
