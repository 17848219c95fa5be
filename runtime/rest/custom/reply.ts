import type { Context } from 'hono'

import { getBindings } from '../../http/custom-routes.js'
import { getPrimary } from '../../orm/primary.js'
import { maskRows } from '../../orm/mask.js'
import { chunkKeys, serializeKey, whereAnyKey } from '../../orm/keys.js'
import { notFoundError, type RestContext, type ResponseShape } from '../context.js'
import { type ResponseParts, resourceResponse, resourceLink, resourceUrl } from '../document/responses.js'
import { collectionLinks, respond, selfLink } from '../document/respond.js'
import { serializeRows } from '../document/serialize.js'
import { writeResponse } from '../../errors/result-not-readable.js'
import { quote } from '../../serialization/json-writer.js'
import type { RestModel } from '../model.js'
import { findMany } from '../orm/delegates.js'
import { loadIncluded } from '../orm/load-included.js'
import { isRow, type Row, toRows } from '../orm/row.js'
import type { Selection } from '../orm/selection.js'
import { mayRead } from '../permissions.js'
import type { Page } from '../request/page.js'
import type { ReplyOptions } from './rest-api.js'

/** What the query of a request says of the answer. */
export interface ReplyQuery {
  readonly shown: ResponseShape
  readonly selection: Selection
  /** Of a list that was asked for page by page. */
  readonly page?: Page
}

/** Answers with the document of a row, of a list of them, or of none. */
export async function replyWith(
  c: Context,
  model: RestModel,
  loaded: unknown,
  { shown, selection, page }: ReplyQuery,
  context: RestContext,
  { status = 200, total }: ReplyOptions = {},
): Promise<Response> {
  const { path, getOrm } = getBindings(c)
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
  const client = await getOrm()
  const given = maskRows(client, model.model.name, loaded)
  // What a route has written is shown as it is now.
  const orm = isRead ? client : getPrimary(client)
  const parts = { orm, shown, selection, context }
  // As inside a JSON string, which the links of a document are written into.
  const own = quote(`${context.settings.endpoint}${path === '/' ? '' : path}`).slice(1, -1)
  const answer = async () => {
    if (!isRow(given)) return resourceResponse(null, selfLink(own, shown.query), parts, status)
    const rows = await completed(toRows(Array.isArray(given) ? given : [given]), model, selection, orm, context)
    if (Array.isArray(given)) return list(rows, parts, { url: own, page, total, status })
    const [row] = rows
    if (!row) throw notFoundError(model)
    const location = status === 201 && model.served.has('/:id') ? resourceUrl(model, row) : undefined
    return resourceResponse(row, selfLink(resourceLink(model, row), shown.query), parts, status, location)
  }
  return isRead ? answer() : writeResponse(answer)
}

interface List {
  readonly url: string
  readonly total: number | undefined
  readonly page: Page | undefined
  readonly status: number
}

/** Rows in their own order: all there are, or a page whose links the document has. */
async function list(
  rows: readonly Row[],
  { orm, shown, selection, context }: ResponseParts,
  { url, page, total, status }: List,
): Promise<Response> {
  const { settings } = context
  const { includedRows, responseBytes } = settings.limits
  await loadIncluded(orm, rows, selection, context)
  const { data, included, notes } = serializeRows(rows, selection, {
    isList: true,
    includedRows,
    responseBytes: responseBytes,
  })
  const isPage = page && total !== undefined
  const links = isPage
    ? collectionLinks(url, shown.query, { page, extent: { total }, settings })
    : selfLink(url, shown.query)
  const answer = { data: `[${data}]`, links, included: shown.include && included, notes, responseBytes: responseBytes }
  return respond({ ...answer, ...(total !== undefined && { meta: `"total":${total}` }) }, status)
}

/**
 * Copies of rows with all that a selection shows. Where one lacks something of it, they are loaded again, by their ids; those that are
 * not there any more are left out.
 */
async function completed(
  rows: readonly Row[],
  model: RestModel,
  selection: Selection,
  orm: unknown,
  { adjust }: RestContext,
): Promise<readonly Row[]> {
  if (rows.every((row) => holds(row, selection))) return rows.map((row) => copyOf(row, model))
  const ids = model.id.fields.map(({ name }) => name)
  if (!rows.every((row) => hasAll(row, ids))) {
    throw new Error(`A row of ${model.model.name} that is replied with must have its id: ${ids.join(', ')}.`)
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

/** A copy of a row, by name, so that no computed field is computed that is not shown. */
function copyOf(row: Row, { model }: RestModel): Row {
  const { fields, omit = {}, relations, computed } = model
  const names = Object.keys(row).filter((name) => {
    return fields.has(name) || Object.hasOwn(omit, name) || relations.has(name) || computed.has(name)
  })
  return Object.fromEntries(names.map((name) => [name, row[name]]))
}

/** Whether a row has all that is shown of it, but for to-many relations, which are loaded by themselves. */
function holds(row: Row, { model, attributes, relationships }: Selection): boolean {
  const ids = model.id.fields.map(({ name }) => name)
  if (!hasAll(row, ids) || !attributes.every(({ name }) => row[name] !== undefined)) return false
  return relationships.every(({ relationship, included }) => {
    const { name, relation, linkage, target } = relationship
    if (relation.many) return true
    const related = row[name]
    if (included) return related === null || (isRow(related) && holds(related, included))
    if (linkage) return hasAll(row, linkage)
    const isId = isRow(related) && target.id.fields.every((field) => related[field.name] !== undefined)
    return related === null || isId || !mayRead(relationship)
  })
}

function hasAll(row: Row, names: readonly string[]): boolean {
  return names.every((name) => row[name] !== undefined)
}
