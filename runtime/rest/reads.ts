import type { Context } from 'hono'

import { RequestError } from '../errors/request-error.js'
import type { ApiEnv } from '../handler.js'
import { notFound, readShown, requestId, type RestContext, type Shown } from './call.js'
import type { Identifier } from './document.js'
import { erase } from './erase.js'
import type { ErasedCall, ErasedPage, ErasedRestApi } from './erased-api.js'
import { readFilter } from './filter.js'
import { rowId, uniqueWhere } from './id.js'
import { readInclude, readLinkageInclude } from './include.js'
import type { Relationship, RestModel } from './model.js'
import { checkAccept } from './negotiation.js'
import { type Page, pageArgs, readPage } from './page.js'
import { requireRead } from './permissions.js'
import { type Family, ofFamily, readQuery } from './query.js'
import { type Answer, collectionLinks, respond, selfLink } from './respond.js'
import { idSelect, type Selection, type SelectionArgs } from './selection.js'
import { identifierOf, isRow, ownLinkage, type Row, serializeIncluded, serializeRows } from './serialize.js'
import { readSort } from './sort.js'

const COLLECTION: readonly Family[] = ['filter', 'sort', 'page', 'include', 'fields']
const SINGLE: readonly Family[] = ['include', 'fields']

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
      return {
        orm: erase(await c.env.getOrm()),
        args: erase({ ...where, orderBy, ...pageArgs(page), ...selection.args }),
        count: erase({ ...where }),
        reply: async ([rows, total]) =>
          collection(rowsOf(rows), Number(total), { model, shown, selection, page, context }),
      }
    },

    async get(c) {
      checkAccept(c.req.header('Accept'))
      const query = readQuery(c.req.url, SINGLE)
      const shown = readShown(query, readInclude(query, model, limits), context)
      const id = requestId(c, model)
      const selection = selector.select(model, shown.include, shown.fieldsets)
      return {
        orm: erase(await c.env.getOrm()),
        args: erase({ where: uniqueWhere(model.id, id), ...selection.args }),
        reply: async (row) => {
          if (!isRow(row)) throw notFound(model)
          return resource(row, selfLink(resourceUrl(model, row), query), { shown, selection, context })
        },
      }
    },

    related: (c, name) => relatedOne(c, model, relationshipOf(model, name), context),
    relatedMany: (c, name) => relatedMany(c, model, relationshipOf(model, name), context),
    linkage: (c, name) => linkageOne(c, model, relationshipOf(model, name), context),
    linkageMany: (c, name) => linkageMany(c, model, relationshipOf(model, name), context),
  }
}

/** URL of a resource. */
export function resourceUrl(model: RestModel, row: Row): string {
  return `${model.url}/${encodeURIComponent(rowId(model.id, row))}`
}

/**
 * A relation that is on the wire.
 * @throws RequestError 404
 */
export function relationshipOf(model: RestModel, name: string): Relationship {
  const relationship = model.relationships.get(name)
  if (relationship) return relationship
  throw new RequestError({ code: 'unsupported-path', detail: 'Nothing is served at this path.' })
}

/** The answer that shows one resource. */
export function resource(
  row: Row | null,
  self: string,
  { shown, selection, context }: { shown: Shown; selection: Selection; context: RestContext },
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const maxIncluded = context.settings.limits.includedRows
  const { data, included, serialization } = serializeRows(row ? [row] : [], selection, { isList: false, maxIncluded })
  const [object = null] = data
  return respond({ data: object, links: { self }, included: shown.include && included, serialization }, status, headers)
}

interface CollectionParts {
  readonly model: RestModel
  readonly shown: Shown
  readonly selection: Selection
  readonly page: Page
  readonly context: RestContext
  readonly url?: string
}

function collection(rows: readonly Row[], total: number, parts: CollectionParts): Response {
  const { shown, selection, page, context, url = parts.model.url } = parts
  const { pageSize, limits } = context.settings
  const maxIncluded = limits.includedRows
  const { data, included, serialization } = serializeRows(rows, selection, { isList: true, maxIncluded })
  const links = collectionLinks(url, shown.query, { page, total, pageSize })
  return respond({ data, links, total, included: shown.include && included, serialization })
}

async function relatedMany(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
  context: RestContext,
): Promise<ErasedPage> {
  const { settings, selector } = context
  const { name, target, membersOf } = relationship
  checkAccept(c.req.header('Accept'))
  requireRead(relationship)
  const query = readQuery(c.req.url, COLLECTION)
  const shown = readShown(query, readInclude(query, target, settings.limits), context)
  const filter = readFilter(query, target, settings.limits)
  const orderBy = readSort(query, target, settings.limits)
  const page = readPage(query, settings)
  const id = requestId(c, model)
  const selection = selector.select(target, shown.include, shown.fieldsets)
  const where = filter?.(context.dialect)
  const related = { ...(where && { where }), orderBy, ...pageArgs(page), ...selection.args }
  return {
    orm: erase(await c.env.getOrm()),
    args: erase({ where: uniqueWhere(model.id, id), select: { ...idSelect(model), [name]: related } }),
    count: erase({ where: both(membersOf(id), where) }),
    reply: async ([row, total]) => {
      if (!isRow(row)) throw notFound(model)
      const url = `${resourceUrl(model, row)}/${name}`
      return collection(rowsOf(row[name]), Number(total), { model: target, shown, selection, page, context, url })
    },
  }
}

async function relatedOne(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
  context: RestContext,
): Promise<ErasedCall> {
  const { name, target } = relationship
  checkAccept(c.req.header('Accept'))
  requireRead(relationship)
  const query = readQuery(c.req.url, SINGLE)
  const shown = readShown(query, readInclude(query, target, context.settings.limits), context)
  const id = requestId(c, model)
  const selection = context.selector.select(target, shown.include, shown.fieldsets)
  const nested = Object.keys(selection.args).length > 0 ? selection.args : true
  return {
    orm: erase(await c.env.getOrm()),
    args: erase({ where: uniqueWhere(model.id, id), select: { ...idSelect(model), [name]: nested } }),
    reply: async (row) => {
      if (!isRow(row)) throw notFound(model)
      const related = row[name]
      const self = selfLink(`${resourceUrl(model, row)}/${name}`, query)
      return resource(isRow(related) ? related : null, self, { shown, selection, context })
    },
  }
}

async function linkageMany(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
  context: RestContext,
): Promise<ErasedPage> {
  const { settings } = context
  const { name, target, membersOf } = relationship
  checkAccept(c.req.header('Accept'))
  requireRead(relationship)
  const query = readQuery(c.req.url, COLLECTION)
  const shown = readShown(query, readLinkageInclude(query, relationship, settings.limits), context)
  const filter = readFilter(query, target, settings.limits)
  const orderBy = readSort(query, target, settings.limits)
  const page = readPage(query, settings)
  const id = requestId(c, model)
  const members = linkageMembers(shown, relationship, context)
  const where = filter?.(context.dialect)
  const linked = { ...(where && { where }), orderBy, ...pageArgs(page), ...members.args }
  return {
    orm: erase(await c.env.getOrm()),
    args: erase({ where: uniqueWhere(model.id, id), select: { ...idSelect(model), [name]: linked } }),
    count: erase({ where: both(membersOf(id), where) }),
    reply: async ([row, count]) => {
      if (!isRow(row)) throw notFound(model)
      const total = Number(count)
      const url = `${resourceUrl(model, row)}/relationships/${name}`
      const links = collectionLinks(url, query, { page, total, pageSize: settings.pageSize })
      const rows = rowsOf(row[name])
      const data = rows.map((one) => identifierOf(target, one))
      return respond({ data, links, total, ...members.included(rows) })
    },
  }
}

async function linkageOne(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
  context: RestContext,
): Promise<ErasedCall> {
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
  return {
    orm: erase(await c.env.getOrm()),
    args: erase({ where: uniqueWhere(model.id, id), select: { ...idSelect(model), ...(own ?? { [name]: nested }) } }),
    reply: async (row) => {
      if (!isRow(row)) throw notFound(model)
      const self = selfLink(`${resourceUrl(model, row)}/relationships/${name}`, query)
      const related = row[name]
      const data = own ? (ownLinkage(relationship, row) ?? null) : linkageOf(relationship, related)
      return respond({ data, links: { self }, ...members.included(isRow(related) ? [related] : []) })
    },
  }
}

/** The members of a relationship, as far as its linkage needs them. */
interface LinkageMembers {
  readonly isIncluded: boolean
  /** What to load of them: their ids alone, unless they are included. */
  readonly args: SelectionArgs
  /** What of the answer they are. */
  included(rows: readonly Row[]): Pick<Answer, 'included' | 'serialization'>
}

function linkageMembers(
  { query, include, fieldsets }: Shown,
  { target }: Relationship,
  context: RestContext,
): LinkageMembers {
  const isIncluded = include !== undefined && ofFamily(query, 'include').some(({ value }) => value !== '')
  if (!isIncluded) {
    const included = include ? { included: [] } : {}
    return { isIncluded, args: { select: idSelect(target) }, included: () => included }
  }
  const selection = context.selector.select(target, include, fieldsets)
  return {
    isIncluded,
    args: selection.args,
    included: (rows: readonly Row[]) => {
      const { included, serialization } = serializeIncluded(rows, selection, context.settings.limits.includedRows)
      return { included, serialization }
    },
  }
}

function linkageOf({ target }: Relationship, related: unknown): Identifier | null {
  return isRow(related) ? identifierOf(target, related) : null
}

function rowsOf(rows: unknown): Row[] {
  return Array.isArray(rows) ? rows.filter(isRow) : []
}

function both(where: object, more: object | undefined): object {
  return more ? { AND: [where, more] } : where
}
