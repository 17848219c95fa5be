import type { Context } from 'hono'

import type { ApiEnv } from '../../http/handler-types.js'
import { getPrimary } from '../../prisma/replicas.js'
import { type ErrorDetail, RequestError, throwErrors } from '../../errors/request-error.js'
import { resourceLink, collectionLinks, selfLink } from '../document/document-links.js'
import { getDocument } from '../request/body/parse-document.js'
import type { RestContext } from '../rest-context.js'
import { parseUrlId, type RelationScope } from './resource-locator.js'
import { notFoundError, locateMissingTarget } from '../document/resource-errors.js'
import type { PreparedRoute } from '../../http/routing/execute-prepared-route.js'
import { exclusiveLinks } from '../orm/exclusive-links.js'
import { keyValues } from '../orm/write-foreign-keys.js'
import { uniqueWhere } from '../request/resource-id.js'
import { checkReplaceable, type Linkage, parseLinkage } from '../request/body/parse-linkage.js'
import { memberWheres, requiredOwnerRelationship, memberReplacement, replacement } from '../orm/replace-members.js'
import type { Relationship, RestModel } from '../rest-model.js'
import { checkAccept } from '../request/content-negotiation.js'
import { toSkipTake } from '../paging/offset-paging.js'
import { isReadOnly, mayRead } from '../relationship-capabilities.js'
import { parseQuery } from '../request/query/parse-query.js'
import { plainWrite, type WriteInput } from '../orm/write-data.js'
import { parsePrecondition } from '../conditional-requests.js'
import { prepareRowUpdate } from './prepare-row-update.js'
import { type CaptureResult, respond, respondNoContent } from '../document/respond.js'
import { idSelect, rowSelect } from '../orm/delegate-calls.js'
import { identifierJson, foreignKeyLinkage } from '../document/resource-json.js'
import { isRow } from '../orm/row.js'
import { idOrder } from '../request/query/parse-sort.js'
import { rejectUpsert } from '../request/body/parse-upsert-match.js'
import { selectFields } from '../../prisma/keys.js'

/** Prepares `PATCH` and `PUT /:type/:id/relationships/:relationship`: replaces the whole relationship (contract 4.1). */
export function replaceLinkage(c: Context<ApiEnv>, scope: RelationScope): Promise<PreparedRoute> {
  const { relationship, context } = scope
  const hasForeignKeys = context.dialect.relationMode !== 'prisma'
  return prepareChange(c, scope, (linkage) => {
    const errors: ErrorDetail[] = []
    checkReplaceable(relationship, linkage, '/data', errors)
    throwErrors(errors)
    const keys = hasForeignKeys && !linkage.many ? keyValues(relationship, linkage.target) : undefined
    const input = { relationship, linkage, pointer: '/data' }
    return {
      data: keys ?? { [relationship.name]: replacement(relationship, linkage) },
      requiredOwners: requiredOwnerRelationship(input),
      replaced: memberReplacement(relationship, linkage),
      replaces: linkage.many,
      exclusive: keys ? [] : exclusiveLinks(input),
      pointers: keys ? ['/data'] : [],
    }
  })
}

/**
 * Prepares `POST` and `DELETE /:type/:id/relationships/:relationship`: adds or removes members of a to-many relationship (contract 4.1).
 */
export function changeMembers(
  c: Context<ApiEnv>,
  scope: RelationScope,
  change: 'connect' | 'disconnect',
): Promise<PreparedRoute> {
  const { name, target } = scope.relationship
  return prepareChange(c, scope, (linkage) => {
    const members = linkage.many ? memberWheres(target, linkage.members) : []
    return plainWrite({ [name]: { [change]: members } })
  })
}

/** @param toWrite converts the linkage in the body to a write of the row that has the relationship */
async function prepareChange(
  c: Context<ApiEnv>,
  { model, relationship, context }: RelationScope,
  toWrite: (linkage: Linkage) => WriteInput,
): Promise<PreparedRoute> {
  const { settings, schema } = context
  checkAccept(c.req.header('Accept'))
  parseQuery(c.req.url, 'none', settings.families)
  const id = parseUrlId(c, model)
  const document = await getDocument(c, settings.limits)
  if (isReadOnly(relationship, model)) {
    throw new RequestError({ code: 'read-only', detail: `"${relationship.name}" cannot be written.` })
  }
  rejectUpsert(document)
  const errors: ErrorDetail[] = []
  const hasData = document['data'] !== undefined
  const linkage = parseLinkage(relationship, document['data'], hasData ? '/data' : '', settings.limits, errors)
  throwErrors(errors)
  if (!linkage) throw new RequestError({ code: 'malformed-document', detail: 'The body must contain "data".' })
  // Only the document's own `meta` is checked, because the `meta` of resource identifiers describes other resources.
  const condition = parsePrecondition(c, model, context, { meta: document['meta'] })
  const write = toWrite(linkage)
  const orm = getPrimary(await c.env.getOrm())
  const linked = { linkage, pointer: '/data', model: relationship.relation.model }
  return prepareRowUpdate(c, { orm, model, where: uniqueWhere(model.id, id), condition }, write, {
    context,
    selection: { select: linkageSelect(model, relationship, settings.pageSize) },
    locate: (error) => locateMissingTarget(error, schema, [linked]),
    reply: (row) => linkageResponse(row, model, relationship, context, c.env.capture),
  })
}

/** Returns the `select` for the response to a change of a relationship: the first page of its linkage. */
function linkageSelect(model: RestModel, relationship: Relationship, pageSize: number): Record<string, unknown> {
  const { name, relation, target, linkage } = relationship
  const baseSelect = rowSelect(model)
  if (!isLinkageReadable(relationship)) return baseSelect
  if (relation.many) {
    const page = {
      orderBy: idOrder(target),
      ...toSkipTake({ offset: 0, limit: pageSize, total: 'exact' }),
      select: idSelect(target),
    }
    return { ...baseSelect, [name]: page, _count: { select: { [name]: true } } }
  }
  if (linkage) return { ...baseSelect, ...selectFields(linkage) }
  return { ...baseSelect, [name]: { select: idSelect(target) } }
}

/** Whether the response may contain the linkage, because the target is readable or the row contains the foreign key. */
function isLinkageReadable(relationship: Relationship): boolean {
  return relationship.linkage !== undefined || mayRead(relationship)
}

function linkageResponse(
  row: unknown,
  model: RestModel,
  relationship: Relationship,
  context: RestContext,
  capture: CaptureResult,
): Response {
  if (!isRow(row)) throw notFoundError(model)
  if (!isLinkageReadable(relationship)) return respondNoContent()
  const { name, relation, target, linkage } = relationship
  const tag = context.conditional?.createRevisionTag(model, row)
  // The result of an operation has no headers, so the version is part of its `meta`.
  const version = capture && tag !== undefined ? `"version":${tag}` : ''
  const url = `${resourceLink(model, row)}/relationships/${name}`
  const related = row[name]
  if (!relation.many) {
    const loaded = isRow(related) ? identifierJson(target, related) : 'null'
    const data = linkage ? (foreignKeyLinkage(relationship, row) ?? 'null') : loaded
    return respond({ data, links: selfLink(url, { parameters: [] }), meta: version, tag }, 200, undefined, capture)
  }
  const { settings } = context
  const page = { offset: 0, limit: settings.pageSize }
  const rows = Array.isArray(related) ? related.filter(isRow) : []
  const counts = row['_count']
  const total = isRow(counts) ? Number(counts[name] ?? 0) : rows.length
  const links = collectionLinks(url, { parameters: [] }, { page, extent: { total }, settings })
  const data = `[${rows.map((member) => identifierJson(target, member)).join(',')}]`
  return respond({ data, links, meta: `"total":${total}${version && `,${version}`}`, tag }, 200, undefined, capture)
}
