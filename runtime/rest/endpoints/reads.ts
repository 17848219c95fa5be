import { collection, resource, resourceUrl } from '../document/answers.js'
import { notFound, readShown, requestId, type RestContext } from '../call.js'
import { erase } from '../erase.js'
import type { ErasedRestApi } from '../erased-api.js'
import { readFilter } from '../request/filter.js'
import { uniqueWhere } from '../request/id.js'
import { readInclude } from '../request/include.js'
import type { RestModel } from '../model.js'
import { checkAccept } from '../request/negotiation.js'
import { pageArgs, readPage, totalOf } from '../request/page.js'
import { COLLECTION, readQuery, SINGLE } from '../request/query.js'
import { linkageMany, linkageOne, relatedMany, relatedOne, relationshipOf } from './relationship-reads.js'
import { selfLink } from '../document/respond.js'
import { isRow, rowsOf } from '../orm/row.js'
import { readSort } from '../request/sort.js'

/** The endpoints of a model that read (contract 4.1). */
export function restReads(
  model: RestModel,
  context: RestContext,
): Pick<ErasedRestApi, 'list' | 'get' | 'related' | 'relatedMany' | 'linkage' | 'linkageMany'> {
  const { settings, selector } = context
  const { limits } = settings

  return {
    async list(c) {
      checkAccept(c.req.header('Accept'))
      const query = readQuery(c.req.url, COLLECTION)
      const shown = readShown(query, readInclude(query, model, limits), context)
      const filter = readFilter(query, model, limits)
      const orderBy = readSort(query, model, limits)
      const page = readPage(query, settings)
      const selection = selector.select(model, shown.include, shown.fieldsets)
      const where = filter && { where: filter(context.dialect) }
      const orm = await c.env.getOrm()
      return {
        orm: erase(orm),
        args: erase({ ...where, orderBy, ...pageArgs(page), ...selection.args }),
        reply: async (result, count) => {
          const rows = rowsOf(result)
          const total = await totalOf(page, rows.length, () => count(erase({ ...where })))
          return collection(rows, total, { orm, model, shown, selection, page, context })
        },
      }
    },

    async get(c) {
      checkAccept(c.req.header('Accept'))
      const query = readQuery(c.req.url, SINGLE)
      const shown = readShown(query, readInclude(query, model, limits), context)
      const id = requestId(c, model)
      const selection = selector.select(model, shown.include, shown.fieldsets)
      const orm = await c.env.getOrm()
      return {
        orm: erase(orm),
        args: erase({ where: uniqueWhere(model.id, id), ...selection.args }),
        reply: async (row) => {
          if (!isRow(row)) throw notFound(model)
          return resource(row, selfLink(resourceUrl(model, row), query), { orm, shown, selection, context })
        },
      }
    },

    related: (c, name) => relatedOne(c, model, relationshipOf(model, name), context),
    relatedMany: (c, name) => relatedMany(c, model, relationshipOf(model, name), context),
    linkage: (c, name) => linkageOne(c, model, relationshipOf(model, name), context),
    linkageMany: (c, name) => linkageMany(c, model, relationshipOf(model, name), context),
  }
}
