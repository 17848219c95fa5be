import type { Context } from 'hono'

import type { ApiEnv } from '../../http/handler.js'
import type { Prepared } from '../../http/perform.js'
import { collection, resource, resourceLink } from '../document/answers.js'
import { notFound, readShown, requestId, type RestContext } from '../context.js'
import { countListed } from '../orm/delegates.js'
import { readInclude } from '../request/include.js'
import type { RestModel } from '../model.js'
import { readKnown } from '../request/condition.js'
import { readListed } from '../request/listed.js'
import { checkAccept } from '../request/negotiation.js'
import { pagingOf } from '../paging/paging.js'
import { readPage } from '../request/page.js'
import { COLLECTION, readQuery, SINGLE } from '../request/query.js'
import type { RestEndpoints } from './endpoints.js'
import { type Place, placeWhere } from './place.js'
import { linkageMany, linkageOne, relatedMany, relatedOne, relationshipOf } from './relationship-reads.js'
import { selfLink } from '../document/respond.js'
import { isRow, rowsOf } from '../orm/row.js'

/** The endpoints of a model that read (contract 4.1). */
export function restReads(
  model: RestModel,
  context: RestContext,
): Pick<RestEndpoints, 'list' | 'get' | 'related' | 'linkage'> {
  const { settings, selector } = context

  return {
    async list(c) {
      const accept = c.req.header('Accept')
      checkAccept(accept)
      const query = readQuery(c.req.url, COLLECTION)
      const shown = readShown(query, readInclude(query, model, context), model, context)
      const page = readPage(query, settings, accept)
      const listed = readListed(query, model, page, context)
      const selection = selector.select(model, shown.include, shown.fieldsets, shown.counts)
      const paging = pagingOf({ query, model, listed, page, context })
      const orm = await c.env.getOrm()
      return {
        orm,
        args: { ...paging.args, ...paging.load(selection.args) },
        reply: async (result) => {
          const shownPage = await paging.shown(
            rowsOf(result),
            () => countListed(orm, model, listed, query),
            settings.estimates && !listed.where
              ? () => settings.estimates?.(orm, model.model.name, context.dialect)
              : undefined,
          )
          return collection(shownPage, { orm, model, shown, selection, context })
        },
      }
    },

    get: (c) => readOne(c, model, () => ({ id: requestId(c, model) }), context),

    async related(c, name) {
      const relationship = relationshipOf(model, name)
      const read = relationship.relation.many ? relatedMany : relatedOne
      return read(c, model, relationship, context)
    },

    async linkage(c, name) {
      const relationship = relationshipOf(model, name)
      const read = relationship.relation.many ? linkageMany : linkageOne
      return read(c, model, relationship, context)
    },
  }
}

/**
 * Reads one resource.
 * @param placeOf reads which one the URL is about
 */
export async function readOne(
  c: Context<ApiEnv>,
  model: RestModel,
  placeOf: () => Place,
  context: RestContext,
): Promise<Prepared> {
  checkAccept(c.req.header('Accept'))
  const query = readQuery(c.req.url, SINGLE)
  const shown = readShown(query, readInclude(query, model, context), model, context)
  const where = placeWhere(model, placeOf())
  const selection = context.selector.select(model, shown.include, shown.fieldsets, shown.counts)
  const known = readKnown(c, model)
  const orm = await c.env.getOrm()
  return {
    orm,
    args: { where, ...selection.args },
    reply: (row) => {
      if (!isRow(row)) throw notFound(model)
      known?.require(row)
      const links = selfLink(resourceLink(model, row), query)
      return resource(row, links, { orm, shown, selection, context, isKnown: known?.isKnown })
    },
  }
}
