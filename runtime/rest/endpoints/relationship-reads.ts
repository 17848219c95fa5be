import type { Context } from 'hono'

import { nothingServed } from '../../errors/nothing-served.js'
import type { ApiEnv } from '../../http/handler.js'
import { collection, resource, resourceLink } from '../document/answers.js'
import { notFound, readShown, requestId, type RestContext, type Shown } from '../context.js'
import type { Prepared } from '../../http/perform.js'
import { countListed, findUnique } from '../orm/delegates.js'
import { requireReadableList } from '../orm/readable-lists.js'
import { type IdValues, uniqueWhere } from '../request/id.js'
import { type Include, readInclude, readLinkageInclude } from '../request/include.js'
import { loadIncluded } from '../orm/load-included.js'
import type { Relationship, RestModel } from '../model.js'
import { readKnown } from '../request/condition.js'
import { readListed } from '../request/listed.js'
import { checkAccept } from '../request/negotiation.js'
import { type Paging, pagingOf, type ShownPage } from '../paging/paging.js'
import { readPage } from '../request/page.js'
import { servedRelationships } from '../path-rules.js'
import { requireRead } from '../permissions.js'
import { COLLECTION, ofFamily, type Query, readQuery, SINGLE } from '../request/query.js'
import { identifierText, ownLinkage } from '../document/resource-text.js'
import { type Answer, respond, selfLink } from '../document/respond.js'
import { isRow, type Row, rowsOf } from '../orm/row.js'
import { idSelect, type SelectionArgs } from '../orm/selection.js'
import { serializeIncluded } from '../document/serialize.js'

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
  const { shown, id, paging, pageOf } = readMany(
    c,
    model,
    relationship,
    context,
    (query) => readInclude(query, target, context),
    target,
  )
  const selection = context.selector.select(target, shown.include, shown.fieldsets, shown.counts)
  const orm = await c.env.getOrm()
  return {
    orm,
    args: { ...paging.args, ...paging.load(selection.args) },
    reply: async (result) => {
      const page = await pageOf(orm, rowsOf(result))
      const url = `${resourceLink(model, id)}/${name}`
      return collection(page, { orm, model: target, shown, selection, context, url })
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
  const { shown, id, paging, pageOf } = readMany(
    c,
    model,
    relationship,
    context,
    (query) => readLinkageInclude(query, relationship, context),
    undefined,
  )
  const members = linkageMembers(shown, relationship, context)
  const orm = await c.env.getOrm()
  return {
    orm,
    args: { ...paging.args, ...paging.load(members.args) },
    reply: async (result) => {
      const { rows, meta, itemMeta, profile, links } = await pageOf(orm, rowsOf(result))
      const url = `${resourceLink(model, id)}/relationships/${name}`
      const data = `[${rows.map((one, index) => identifierText(target, one, itemMeta?.[index])).join(',')}]`
      const { answerBytes } = settings.limits
      const included = await members.included(orm, rows)
      return respond({ data, links: links(url), meta, answerBytes, profile, ...included })
    },
  }
}

/**
 * What the two collections of a to-many relationship have in common: all but what they show of its members. The members are read
 * through their own delegate, and found by a filter on the row that they belong to: so what a client extension or an access
 * policy hides of either model is hidden here too, and one query is enough where the page is not empty.
 *
 * @param counted the model whose relationships may be counted; undefined for linkage
 */
function readMany(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
  context: RestContext,
  includeOf: (query: Query) => Include,
  counted: RestModel | undefined,
): {
  readonly shown: Shown
  readonly id: IdValues
  readonly paging: Paging
  /** Makes a page of the members that were loaded; 404 where the row that has them is missing. */
  pageOf(orm: unknown, rows: readonly Row[]): Promise<ShownPage>
} {
  const { settings } = context
  const { target, membersOf } = relationship
  const accept = c.req.header('Accept')
  checkAccept(accept)
  requireRead(relationship)
  const query = readQuery(c.req.url, COLLECTION)
  const shown = readShown(query, includeOf(query), counted, context)
  const page = readPage(query, settings, accept)
  const { where: asked, orderBy } = readListed(query, target, page, context)
  const id = requestId(c, model)
  const where = asked ? { AND: [membersOf(id), asked] } : membersOf(id)
  const paging = pagingOf({ query, model: target, listed: { where, orderBy }, page, context })
  return {
    shown,
    id,
    paging,
    async pageOf(orm, rows) {
      await requireReadableList(orm, model, relationship, id)
      if (rows.length === 0) {
        const owner = await findUnique(orm, model, { where: uniqueWhere(model.id, id), select: idSelect(model) })
        if (!owner) throw notFound(model)
      }
      return paging.shown(rows, () => countListed(orm, target, { where, orderBy }, query))
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
  const shown = readShown(query, readInclude(query, target, context), target, context)
  const id = requestId(c, model)
  const selection = context.selector.select(target, shown.include, shown.fieldsets, shown.counts)
  const nested = Object.keys(selection.args).length > 0 ? selection.args : true
  const known = readKnown(c, target)
  const orm = await c.env.getOrm()
  return {
    orm,
    args: { where: uniqueWhere(model.id, id), select: { [name]: nested } },
    reply: (row) => {
      if (!isRow(row)) throw notFound(model)
      const related = row[name]
      if (isRow(related)) known?.require(related)
      const links = selfLink(`${resourceLink(model, id)}/${name}`, query)
      return resource(isRow(related) ? related : null, links, {
        orm,
        shown,
        selection,
        context,
        isKnown: known?.isKnown,
      })
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
  const shown = readShown(query, readLinkageInclude(query, relationship, context), undefined, context)
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
      await loadIncluded(orm, rows, selection, context)
      return serializeIncluded(rows, selection, limits)
    },
  }
}
