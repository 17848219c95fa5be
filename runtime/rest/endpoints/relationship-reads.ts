import type { Context } from 'hono'

import { nothingServed } from '../../errors/nothing-served.js'
import type { ApiEnv } from '../../http/handler.js'
import { collection, resource, resourceLink } from '../document/answers.js'
import { notFound, readShown, requestId, type RestContext, type Shown } from '../context.js'
import type { Prepared } from '../../http/perform.js'
import { count, findUnique } from '../orm/delegates.js'
import { requireLowCost } from '../request/cost.js'
import { readFilter } from '../request/filter.js'
import { type IdValues, uniqueWhere } from '../request/id.js'
import { type Include, readInclude, readLinkageInclude } from '../request/include.js'
import { loadIncluded } from '../orm/load-included.js'
import type { Relationship, RestModel } from '../model.js'
import { checkAccept } from '../request/negotiation.js'
import { type Page, pageArgs, readPage, totalOf } from '../request/page.js'
import { servedRelationships } from '../path-rules.js'
import { requireRead } from '../permissions.js'
import { COLLECTION, ofFamily, type Query, readQuery, SINGLE } from '../request/query.js'
import { identifierText, ownLinkage } from '../document/resource-text.js'
import { type Answer, collectionLinks, respond, selfLink } from '../document/respond.js'
import { isRow, type Row, rowsOf } from '../orm/row.js'
import { idSelect, type SelectionArgs } from '../orm/selection.js'
import { serializeIncluded } from '../document/serialize.js'
import { readSort } from '../request/sort.js'

/**
 * A relation that is on the wire.
 * @throws RequestError 404
 */
export function relationshipOf(model: RestModel, name: string): Relationship {
  const relationship = model.relationships.get(name)
  if (relationship) return relationship
  throw nothingServed(servedRelationships(model))
}

/** `GET /:type/:id/:relationship` of a to-many. */
export async function relatedMany(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
  context: RestContext,
): Promise<Prepared> {
  const { name, target } = relationship
  const { shown, page, id, args, totalOfAll } = readMany(c, model, relationship, context, (query) =>
    readInclude(query, target, context.settings.limits),
  )
  const selection = context.selector.select(target, shown.include, shown.fieldsets)
  const orm = await c.env.getOrm()
  return {
    orm,
    args: { ...args, ...selection.args },
    reply: async (result) => {
      const rows = rowsOf(result)
      const total = await totalOfAll(orm, rows.length)
      const url = `${resourceLink(model, id)}/${name}`
      const parts = { orm, model: target, shown, selection, page, context, url }
      return collection(rows, total, parts)
    },
  }
}

/** `GET /:type/:id/relationships/:relationship` of a to-many. */
export async function linkageMany(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
  context: RestContext,
): Promise<Prepared> {
  const { settings } = context
  const { name, target } = relationship
  const { shown, page, id, args, totalOfAll } = readMany(c, model, relationship, context, (query) =>
    readLinkageInclude(query, relationship, settings.limits),
  )
  const members = linkageMembers(shown, relationship, context)
  const orm = await c.env.getOrm()
  return {
    orm,
    args: { ...args, ...members.args },
    reply: async (result) => {
      const rows = rowsOf(result)
      const total = await totalOfAll(orm, rows.length)
      const url = `${resourceLink(model, id)}/relationships/${name}`
      const links = collectionLinks(url, shown.query, { page, total, pageSize: settings.pageSize })
      const data = `[${rows.map((one) => identifierText(target, one)).join(',')}]`
      const { answerBytes } = settings.limits
      return respond({ data, links, total, answerBytes, ...(await members.included(orm, rows)) })
    },
  }
}

/**
 * What the two collections of a to-many relationship have in common: all but what they show of its members. The members are read
 * through their own delegate, and found by a filter on the row that they belong to: so what a client extension or an access
 * policy hides of either model is hidden here too, and one query is enough where the page is not empty.
 */
function readMany(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
  context: RestContext,
  includeOf: (query: Query) => Include,
): {
  readonly shown: Shown
  readonly page: Page
  readonly id: IdValues
  /** Which members are on the page. */
  readonly args: { readonly where: object; readonly orderBy: object; readonly skip?: number; readonly take?: number }
  /** How many members there are in all, where so many are on the page; 404 where the row that has them is missing. */
  totalOfAll(orm: unknown, rows: number): Promise<number>
} {
  const { settings, dialect } = context
  const { target, membersOf } = relationship
  checkAccept(c.req.header('Accept'))
  requireRead(relationship)
  const query = readQuery(c.req.url, COLLECTION)
  const shown = readShown(query, includeOf(query), context)
  const filter = readFilter(query, target, settings.limits)?.(dialect)
  const orderBy = readSort(query, target, settings.limits)
  requireLowCost(query, target, filter, orderBy, settings.limits)
  const page = readPage(query, settings)
  const id = requestId(c, model)
  const where = filter ? { AND: [membersOf(id), filter] } : membersOf(id)
  return {
    shown,
    page,
    id,
    args: { where, orderBy, ...pageArgs(page) },
    async totalOfAll(orm, rows) {
      if (rows === 0) {
        const owner = await findUnique(orm, model, { where: uniqueWhere(model.id, id), select: idSelect(model) })
        if (!owner) throw notFound(model)
      }
      return totalOf(page, rows, () => count(orm, target, { where }))
    },
  }
}

/** `GET /:type/:id/:relationship` of a to-one. */
export async function relatedOne(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
  context: RestContext,
): Promise<Prepared> {
  const { name, target } = relationship
  checkAccept(c.req.header('Accept'))
  requireRead(relationship)
  const query = readQuery(c.req.url, SINGLE)
  const shown = readShown(query, readInclude(query, target, context.settings.limits), context)
  const id = requestId(c, model)
  const selection = context.selector.select(target, shown.include, shown.fieldsets)
  const nested = Object.keys(selection.args).length > 0 ? selection.args : true
  const orm = await c.env.getOrm()
  return {
    orm,
    args: { where: uniqueWhere(model.id, id), select: { [name]: nested } },
    reply: (row) => {
      if (!isRow(row)) throw notFound(model)
      const related = row[name]
      const links = selfLink(`${resourceLink(model, id)}/${name}`, query)
      return resource(isRow(related) ? related : null, links, { orm, shown, selection, context })
    },
  }
}

/** `GET /:type/:id/relationships/:relationship` of a to-one. */
export async function linkageOne(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
  context: RestContext,
): Promise<Prepared> {
  const { name, linkage } = relationship
  checkAccept(c.req.header('Accept'))
  if (!linkage) requireRead(relationship)
  const query = readQuery(c.req.url, SINGLE)
  const shown = readShown(query, readLinkageInclude(query, relationship, context.settings.limits), context)
  const id = requestId(c, model)
  const members = linkageMembers(shown, relationship, context)
  if (members.isIncluded) requireRead(relationship, 'include')
  const own = linkage && !members.isIncluded ? Object.fromEntries(linkage.map((field) => [field, true])) : undefined
  const nested = Object.keys(members.args).length > 0 ? members.args : true
  const orm = await c.env.getOrm()
  return {
    orm,
    args: { where: uniqueWhere(model.id, id), select: own ?? { [name]: nested } },
    reply: async (row) => {
      if (!isRow(row)) throw notFound(model)
      const links = selfLink(`${resourceLink(model, id)}/relationships/${name}`, query)
      const related = row[name]
      const linked = isRow(related) ? identifierText(relationship.target, related) : 'null'
      const data = own ? (ownLinkage(relationship, row) ?? 'null') : linked
      const { answerBytes } = context.settings.limits
      return respond({ data, links, answerBytes, ...(await members.included(orm, rowsOf([related]))) })
    },
  }
}

/** The members of a relationship, as far as its linkage needs them. */
interface LinkageMembers {
  readonly isIncluded: boolean
  /** What to load of them: their ids alone, unless they are included. */
  readonly args: SelectionArgs
  /** What of the answer they are. */
  included(orm: unknown, rows: readonly Row[]): Promise<Pick<Answer, 'included' | 'notes'>>
}

function linkageMembers(
  { query, include, fieldsets }: Shown,
  { target }: Relationship,
  context: RestContext,
): LinkageMembers {
  const isIncluded = include !== undefined && ofFamily(query, 'include').some(({ value }) => value !== '')
  if (!isIncluded) {
    const included = include ? { included: '' } : {}
    return { isIncluded, args: { select: idSelect(target) }, included: async () => included }
  }
  const selection = context.selector.select(target, include, fieldsets)
  return {
    isIncluded,
    args: selection.args,
    included: async (orm, rows) => {
      const { limits } = context.settings
      await loadIncluded(orm, rows, selection, context.adjust, limits.includedRows)
      return serializeIncluded(rows, selection, limits)
    },
  }
}
