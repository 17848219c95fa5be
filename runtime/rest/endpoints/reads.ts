import { collection, resource, resourceLink } from '../document/answers.js'
import { notFound, readShown, requestId, type RestContext } from '../context.js'
import { count } from '../orm/delegates.js'
import { requireLowCost } from '../request/cost.js'
import { readFilter } from '../request/filter.js'
import { uniqueWhere } from '../request/id.js'
import { readInclude } from '../request/include.js'
import type { RestModel } from '../model.js'
import { checkAccept } from '../request/negotiation.js'
import { pageArgs, readPage, totalOf } from '../request/page.js'
import { COLLECTION, readQuery, SINGLE } from '../request/query.js'
import type { RestEndpoints } from './endpoints.js'
import { linkageMany, linkageOne, relatedMany, relatedOne, relationshipOf } from './relationship-reads.js'
import { selfLink } from '../document/respond.js'
import { isRow, rowsOf } from '../orm/row.js'
import { readSort } from '../request/sort.js'

/** The endpoints of a model that read (contract 4.1). */
export function restReads(
  model: RestModel,
  context: RestContext,
): Pick<RestEndpoints, 'list' | 'get' | 'related' | 'linkage'> {
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
      requireLowCost(query, model, where?.where, orderBy, limits)
      const orm = await c.env.getOrm()
      return {
        orm,
        args: { ...where, orderBy, ...pageArgs(page), ...selection.args },
        reply: async (result) => {
          const rows = rowsOf(result)
          const total = await totalOf(page, rows.length, () => count(orm, model, { ...where }))
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
        orm,
        args: { where: uniqueWhere(model.id, id), ...selection.args },
        reply: (row) => {
          if (!isRow(row)) throw notFound(model)
          return resource(row, selfLink(resourceLink(model, row), query), { orm, shown, selection, context })
        },
      }
    },

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
