import type { Context } from 'hono'

import type { ApiEnv } from '../../http/handler-types.js'
import type { PreparedRoute } from '../../http/routing/execute-prepared-route.js'
import { collectionResponse, resourceResponse } from '../document/success-responses.js'
import { resourceLink, selfLink } from '../document/document-links.js'
import type { RestContext } from '../rest-context.js'
import { parseResponseShape } from '../request/query/parse-response-shape.js'
import { notFoundError } from '../document/resource-errors.js'
import { countForList } from '../orm/delegate-calls.js'
import { parseInclude } from '../request/query/parse-include.js'
import type { RestModel } from '../rest-model.js'
import { parseFilterAndSort } from '../request/query/parse-filter-and-sort.js'
import { checkAccept } from '../request/content-negotiation.js'
import { createPaging } from '../paging/offset-paging.js'
import { parsePage } from '../request/query/parse-page.js'
import { parseQuery } from '../request/query/parse-query.js'
import { type ResourceLocator, locatorWhere } from './resource-locator.js'
import { isRow, toRows } from '../orm/row.js'

/** Prepares `GET /:type`: a page of the collection (contract 4.1). */
export async function readCollection(
  c: Context<ApiEnv>,
  model: RestModel,
  context: RestContext,
): Promise<PreparedRoute> {
  const { settings, selector } = context
  const accept = c.req.header('Accept')
  checkAccept(accept)
  const query = parseQuery(c.req.url, 'list', settings.families)
  const shape = parseResponseShape(query, parseInclude(query, model, context), model, context)
  const page = parsePage(query, settings, accept)
  const listQuery = parseFilterAndSort(query, model, shape.include, context)
  const selection = selector.select(model, shape.include, shape.fieldsets, shape.counts)
  const paging = createPaging({ query, model, listQuery, page }, context)
  const orm = await c.env.getOrm()
  return {
    orm,
    args: { ...paging.args, ...paging.load(selection.args) },
    reply: async (result) => {
      const pageResult = await paging.createPage(toRows(result), () => countForList(orm, model, listQuery, query))
      return collectionResponse(pageResult, { orm, model, shape, selection, context })
    },
  }
}

/**
 * Prepares the read of one resource.
 * @param getLocator parses the resource's locator from the URL
 */
export async function readOne(
  c: Context<ApiEnv>,
  model: RestModel,
  getLocator: () => ResourceLocator,
  context: RestContext,
): Promise<PreparedRoute> {
  checkAccept(c.req.header('Accept'))
  const query = parseQuery(c.req.url, 'single', context.settings.families)
  const shape = parseResponseShape(query, parseInclude(query, model, context), model, context)
  const where = locatorWhere(model, getLocator())
  const selection = context.selector.select(model, shape.include, shape.fieldsets, shape.counts)
  const validators = context.conditional?.parseValidators(c, model)
  const orm = await c.env.getOrm()
  return {
    orm,
    args: { where, ...selection.args },
    reply: (row) => {
      if (!isRow(row)) throw notFoundError(model)
      validators?.assertMatch(row)
      const links = selfLink(resourceLink(model, row), query)
      return resourceResponse(row, links, { orm, shape, selection, context, isCached: validators?.isCached })
    },
  }
}
