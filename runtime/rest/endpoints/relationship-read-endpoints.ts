import type { Context } from 'hono'

import type { ApiEnv } from '../../http/handler-types.js'
import { collectionResponse, resourceResponse } from '../document/success-responses.js'
import { resourceLink, selfLink } from '../document/document-links.js'
import type { RestContext } from '../rest-context.js'
import { parseResponseShape, type ResponseShape } from '../request/query/parse-response-shape.js'
import { parseUrlId, type RelationScope } from './resource-locator.js'
import { notFoundError } from '../document/resource-errors.js'
import type { PreparedRoute } from '../../http/routing/execute-prepared-route.js'
import { countForList, findUnique, idSelect, assertListReadable } from '../orm/delegate-calls.js'
import { type IdValues, uniqueWhere } from '../request/resource-id.js'
import type { Include } from '../request/query/include-tree.js'
import { parseInclude, parseLinkageInclude } from '../request/query/parse-include.js'
import { loadIncluded } from '../orm/load-included.js'
import type { Relationship, RestModel } from '../rest-model.js'
import { parseFilterAndSort } from '../request/query/parse-filter-and-sort.js'
import { checkAccept } from '../request/content-negotiation.js'
import { createPaging } from '../paging/offset-paging.js'
import type { Paging, PageResult } from '../paging/paging.js'
import { parsePage } from '../request/query/parse-page.js'
import { assertReadable } from '../relationship-capabilities.js'
import { parametersInFamily, type Query, parseQuery } from '../request/query/parse-query.js'
import { identifierJson, foreignKeyLinkage } from '../document/resource-json.js'
import { type DocumentParts, respond } from '../document/respond.js'
import { isRow, type Row, toRows } from '../orm/row.js'
import type { SelectionArgs } from '../orm/selection.js'
import { serializeIncluded } from '../document/serialize-rows.js'
import { hasNoExtensions } from '../../prisma/internals.js'
import { selectFields } from '../../prisma/keys.js'

/** The databases without row-level security, which could hide the owner of visible members. */
const WITHOUT_ROW_SECURITY: readonly string[] = ['sqlite', 'mysql']

/** Prepares `GET /:type/:id/:relationship` for a to-many relationship. */
export async function relatedMany(c: Context<ApiEnv>, scope: RelationScope): Promise<PreparedRoute> {
  const { model, relationship, context } = scope
  const { name, target } = relationship
  const { orm, shape, id, paging, createPage } = await readMany(
    c,
    scope,
    (query) => parseInclude(query, target, context),
    target,
  )
  const selection = context.selector.select(target, shape.include, shape.fieldsets, shape.counts)
  return {
    orm,
    args: { ...paging.args, ...paging.load(selection.args) },
    reply: async (result) => {
      const page = await createPage(toRows(result))
      const url = `${resourceLink(model, id)}/${name}`
      return collectionResponse(page, { orm, model: target, shape, selection, context, url })
    },
  }
}

/** Prepares `GET /:type/:id/relationships/:relationship` for a to-many relationship. */
export async function linkageMany(c: Context<ApiEnv>, scope: RelationScope): Promise<PreparedRoute> {
  const { model, relationship, context } = scope
  const { settings } = context
  const { name, target } = relationship
  const { orm, shape, id, paging, createPage } = await readMany(
    c,
    scope,
    (query) => parseLinkageInclude(query, relationship, context),
    undefined,
  )
  const members = linkageMembers(shape, relationship, context)
  return {
    orm,
    args: { ...paging.args, ...paging.load(members.args) },
    reply: async (result) => {
      const { rows, meta, itemMeta, profile, links } = await createPage(toRows(result))
      const url = `${resourceLink(model, id)}/relationships/${name}`
      const data = `[${rows.map((member, index) => identifierJson(target, member, itemMeta?.[index])).join(',')}]`
      const { responseBytes } = settings.limits
      const included = await members.included(orm, rows)
      return respond({ data, links: links(url), meta, responseBytes, profile, ...included })
    },
  }
}

/**
 * Prepares the parts that the related resources and the linkage of a to-many relationship share: everything except the rendering of
 * members. Members are read through their own delegate, with a filter on the owner (parent row). Client extensions and access policies of
 * both models therefore apply, and a page that is not empty requires only one query.
 * @param counted the model whose related resources may be counted; undefined for linkage
 */
async function readMany(
  c: Context<ApiEnv>,
  { model, relationship, context }: RelationScope,
  includeOf: (query: Query) => Include,
  counted: RestModel | undefined,
): Promise<{
  readonly orm: unknown
  readonly shape: ResponseShape
  readonly id: IdValues
  readonly paging: Paging
  /** Creates a page of the loaded members. Throws a 404 if the owner does not exist. */
  createPage(rows: readonly Row[]): Promise<PageResult>
}> {
  const { settings, dialect } = context
  const { target, membersWhere } = relationship
  const accept = c.req.header('Accept')
  checkAccept(accept)
  assertReadable(relationship)
  const query = parseQuery(c.req.url, 'list', context.settings.families)
  const shape = parseResponseShape(query, includeOf(query), counted, context)
  const page = parsePage(query, settings, accept)
  const { where: filter, orderBy } = parseFilterAndSort(query, target, shape.include, context)
  const id = parseUrlId(c, model)
  const orm = await c.env.getOrm()
  const isUnrestricted = WITHOUT_ROW_SECURITY.includes(dialect.provider) && hasNoExtensions(orm)
  // The database guarantees that the owner exists, unless the schema does not use its foreign keys.
  const members = membersWhere(id, !dialect.relationMode && isUnrestricted)
  const where = filter ? { AND: [members, filter] } : members
  const paging = createPaging({ query, model: target, listQuery: { where, orderBy }, page }, context)
  return {
    orm,
    shape,
    id,
    paging,
    async createPage(rows) {
      await assertListReadable(orm, model, relationship, id)
      if (rows.length === 0) {
        const owner = await findUnique(orm, model, { where: uniqueWhere(model.id, id), select: idSelect(model) })
        if (!owner) throw notFoundError(model)
      }
      return paging.createPage(rows, () => countForList(orm, target, { where, orderBy }, query))
    },
  }
}

/** Prepares `GET /:type/:id/:relationship` for a to-one relationship. */
export async function relatedOne(
  c: Context<ApiEnv>,
  { model, relationship, context }: RelationScope,
): Promise<PreparedRoute> {
  const { name, target } = relationship
  checkAccept(c.req.header('Accept'))
  assertReadable(relationship)
  const query = parseQuery(c.req.url, 'single', context.settings.families)
  const shape = parseResponseShape(query, parseInclude(query, target, context), target, context)
  const id = parseUrlId(c, model)
  const selection = context.selector.select(target, shape.include, shape.fieldsets, shape.counts)
  const nested = Object.keys(selection.args).length > 0 ? selection.args : true
  const validators = context.conditional?.parseValidators(c, target)
  const orm = await c.env.getOrm()
  return {
    orm,
    args: { where: uniqueWhere(model.id, id), select: { [name]: nested } },
    reply: (row) => {
      if (!isRow(row)) throw notFoundError(model)
      const related = row[name]
      if (isRow(related)) validators?.assertMatch(related)
      const links = selfLink(`${resourceLink(model, id)}/${name}`, query)
      return resourceResponse(isRow(related) ? related : null, links, {
        orm,
        shape,
        selection,
        context,
        isCached: validators?.isCached,
      })
    },
  }
}

/** Prepares `GET /:type/:id/relationships/:relationship` for a to-one relationship. */
export async function linkageOne(
  c: Context<ApiEnv>,
  { model, relationship, context }: RelationScope,
): Promise<PreparedRoute> {
  const { name, linkage } = relationship
  checkAccept(c.req.header('Accept'))
  if (!linkage) assertReadable(relationship)
  const query = parseQuery(c.req.url, 'single', context.settings.families)
  const shape = parseResponseShape(query, parseLinkageInclude(query, relationship, context), undefined, context)
  const id = parseUrlId(c, model)
  const members = linkageMembers(shape, relationship, context)
  if (members.isIncluded) assertReadable(relationship, 'include')
  const foreignKeySelect = linkage && !members.isIncluded ? selectFields(linkage) : undefined
  const nested = Object.keys(members.args).length > 0 ? members.args : true
  const orm = await c.env.getOrm()
  return {
    orm,
    args: { where: uniqueWhere(model.id, id), select: foreignKeySelect ?? { [name]: nested } },
    reply: async (row) => {
      if (!isRow(row)) throw notFoundError(model)
      const links = selfLink(`${resourceLink(model, id)}/relationships/${name}`, query)
      const related = row[name]
      const linked = isRow(related) ? identifierJson(relationship.target, related) : 'null'
      const data = foreignKeySelect ? (foreignKeyLinkage(relationship, row) ?? 'null') : linked
      const { responseBytes } = context.settings.limits
      return respond({ data, links, responseBytes, ...(await members.included(orm, toRows([related]))) })
    },
  }
}

/** How to load the members of a relationship for its linkage. */
interface LinkageMembers {
  readonly isIncluded: boolean
  /** The arguments that load the members: only their ids, unless they are included. */
  readonly args: SelectionArgs
  /** Returns the members as the `included` part of the document. */
  included(orm: unknown, rows: readonly Row[]): Promise<Pick<DocumentParts, 'included' | 'notes'>>
}

function linkageMembers(
  { query, include, fieldsets }: ResponseShape,
  { target }: Relationship,
  context: RestContext,
): LinkageMembers {
  const isIncluded = include !== undefined && parametersInFamily(query, 'include').some(({ value }) => value !== '')
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
