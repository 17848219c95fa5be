import type { Context } from 'hono'

import type { ApiEnv } from '../../http/handler-types.js'
import type { PreparedRoute } from '../../http/execute-prepared-route.js'
import { collectionResponse, resourceResponse } from '../document/success-responses.js'
import { resourceLink, selfLink } from '../document/document-links.js'
import type { RestContext } from '../rest-context.js'
import { parseResponseShape } from '../request/parse-response-shape.js'
import { parseUrlId } from '../request/parse-url-id.js'
import { notFoundError } from '../not-found-error.js'
import { countForList } from '../orm/delegate-calls.js'
import { parseInclude } from '../request/parse-include.js'
import type { RestModel } from '../rest-model.js'
import { parseCacheValidators } from '../request/parse-precondition.js'
import { parseFilterAndSort } from '../request/parse-filter-and-sort.js'
import { checkAccept } from '../request/content-negotiation.js'
import { createPaging } from '../paging/paging.js'
import { parsePage } from '../request/parse-page.js'
import { COLLECTION_FAMILIES, parseQuery, SINGLE_FAMILIES } from '../request/parse-query.js'
import type { RestEndpoints } from './endpoint-types.js'
import { type ResourceLocator, locatorWhere } from './resource-locator.js'
import { linkageMany, linkageOne, relatedMany, relatedOne, getRelationship } from './relationship-read-endpoints.js'
import { isRow, toRows } from '../orm/row.js'

/** Creates the endpoints that read a model (contract 4.1). */
export function readEndpoints(
  model: RestModel,
  context: RestContext,
): Pick<RestEndpoints, 'list' | 'get' | 'related' | 'linkage'> {
  const { settings, selector } = context

  return {
    async list(c) {
      const accept = c.req.header('Accept')
      checkAccept(accept)
      const query = parseQuery(c.req.url, COLLECTION_FAMILIES)
      const shape = parseResponseShape(query, parseInclude(query, model, context), model, context)
      const page = parsePage(query, settings, accept)
      const listQuery = parseFilterAndSort(query, model, shape.include, context)
      const selection = selector.select(model, shape.include, shape.fieldsets, shape.counts)
      const paging = createPaging({ query, model, listQuery, page, context })
      const orm = await c.env.getOrm()
      return {
        orm,
        args: { ...paging.args, ...paging.load(selection.args) },
        reply: async (result) => {
          const pageResult = await paging.createPage(
            toRows(result),
            () => countForList(orm, model, listQuery, query),
            settings.estimates && !listQuery.where
              ? () => settings.estimates?.(orm, model.model.name, context.dialect)
              : undefined,
          )
          return collectionResponse(pageResult, { orm, model, shape, selection, context })
        },
      }
    },

    get: (c) => readOne(c, model, () => ({ id: parseUrlId(c, model) }), context),

    async related(c, name) {
      const relationship = getRelationship(model, name)
      const read = relationship.relation.many ? relatedMany : relatedOne
      return read(c, model, relationship, context)
    },

    async linkage(c, name) {
      const relationship = getRelationship(model, name)
      const read = relationship.relation.many ? linkageMany : linkageOne
      return read(c, model, relationship, context)
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
  const query = parseQuery(c.req.url, SINGLE_FAMILIES)
  const shape = parseResponseShape(query, parseInclude(query, model, context), model, context)
  const where = locatorWhere(model, getLocator())
  const selection = context.selector.select(model, shape.include, shape.fieldsets, shape.counts)
  const validators = parseCacheValidators(c, model)
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
