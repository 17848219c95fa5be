import type { Context } from 'hono'

import type { ApiEnv } from '../handler.js'
import { type Fault, RequestError } from '../errors/request-error.js'
import { resource, resourceUrl } from './answers.js'
import { readDocument } from './body.js'
import { notFound, readShown, requestId, type RestContext, type Shown } from './call.js'
import { erase } from './erase.js'
import type { ErasedRestApi } from './erased-api.js'
import { isMissing, locateFault, locateMissing } from './explain.js'
import { keyValues, missingTarget } from './foreign-keys.js'
import { uniqueWhere } from './id.js'
import { readInclude } from './include.js'
import { type Linkage, membersWhere, readLinkage } from './linkage.js'
import type { Relationship, RestModel } from './model.js'
import { checkAccept } from './negotiation.js'
import { type Page, pageArgs } from './page.js'
import { isReadOnly, mayRead } from './permissions.js'
import { type Family, readQuery } from './query.js'
import { relationshipOf } from './relationship-reads.js'
import { guardMembers, leaveMembers, replacedMembers, replacement } from './replace-members.js'
import { collectionLinks, respond, respondNothing, selfLink } from './respond.js'
import { idSelect, type Selection } from './selection.js'
import { identifierText, isRow, ownLinkage, type Row } from './serialize.js'
import { idOrder } from './sort.js'
import { matchWhere, readMatchFields, refuseUpsert, updatedScalars, upsertRow } from './upsert.js'
import {
  checkReplaceable,
  checkReplacements,
  createData,
  type Given,
  readCreate,
  readUpdate,
  throwFaults,
  updateWrite,
  type WriteContext,
} from './write.js'

const SINGLE: readonly Family[] = ['include', 'fields']
const NONE: readonly Family[] = []

/** The endpoints of a model that write (contract 4.1). */
export function restWrites(
  model: RestModel,
  context: RestContext,
): Pick<ErasedRestApi, 'create' | 'update' | 'delete' | 'add' | 'replace' | 'remove'> {
  const { settings, models, schema } = context
  const { limits } = settings
  const hasForeignKeys = context.dialect.relationMode !== 'prisma'
  const writing: WriteContext = { model, models, limits, hasForeignKeys }

  return {
    async create(c) {
      const { shown, selection } = readAnswer(c, model, context)
      const document = await readDocument(c.req.raw, limits)
      const matchFields = readMatchFields(document, model)
      const given = readCreate(document, writing)
      const { data: created, pointers } = createData(given, writing)
      const args = { data: created, ...selection.args }
      if (matchFields) checkUpsert(given, model)
      const where = matchFields && matchWhere(model, matchFields, given.scalars)
      const orm = await c.env.getOrm()
      c.set('explain', async (error) => {
        return missingTarget(error, pointers) ?? locateFault(error, schema, model, document, given)
      })
      const answer = (row: unknown, isNew: boolean) => {
        if (!isRow(row)) throw notFound(model)
        const url = resourceUrl(model, row)
        const headers = isNew && model.served.has('/:id') ? { Location: url } : {}
        const parts = { orm, shown, selection, context }
        return written(resource(row, selfLink(url, shown.query), parts, isNew ? 201 : 200, headers))
      }
      const call = { orm: erase(orm), args: erase(args), reply: async (row: unknown) => answer(row, true) }
      if (!matchFields || !where) return call
      const scalars = updatedScalars(model, matchFields, given.scalars)
      const { data, kept, replaced } = updateWrite({ ...given, scalars }, writing)
      const update = async (found: Row) => {
        const id = Object.fromEntries(model.id.fields.map(({ name }) => [name, found[name]]))
        const guard = await guardMembers(orm, model, id, kept)
        const all = await leaveMembers(orm, model, id, data, replaced)
        return { where: { ...where, ...guard }, data: all, ...selection.args }
      }
      const upsert = async (delegate: object) => {
        const { row, created } = await upsertRow(orm, erase(delegate), model, { where, create: args, update })
        return answer(row, created)
      }
      return { ...call, upsert }
    },

    async update(c) {
      const { shown, selection } = readAnswer(c, model, context)
      const id = requestId(c, model)
      const document = await readDocument(c.req.raw, limits)
      refuseUpsert(document)
      const given = readUpdate(document, id, writing)
      const { data, kept, replaced, pointers } = updateWrite(given, writing)
      const orm = await c.env.getOrm()
      const guard = await guardMembers(orm, model, id, kept)
      const all = await leaveMembers(orm, model, id, data, replaced)
      c.set('explain', async (error) => {
        if (isMissing(error)) await guardMembers(orm, model, id, kept)
        return missingTarget(error, pointers) ?? locateFault(error, schema, model, document, given)
      })
      return {
        orm: erase(orm),
        args: erase({ where: { ...uniqueWhere(model.id, id), ...guard }, data: all, ...selection.args }),
        reply: async (row) => {
          if (!isRow(row)) throw notFound(model)
          const parts = { orm, shown, selection, context }
          return written(resource(row, selfLink(resourceUrl(model, row), shown.query), parts))
        },
      }
    },

    async delete(c) {
      checkAccept(c.req.header('Accept'))
      readQuery(c.req.url, NONE)
      const id = requestId(c, model)
      return {
        orm: erase(await c.env.getOrm()),
        args: erase({ where: uniqueWhere(model.id, id), select: idSelect(model) }),
        reply: async () => respondNothing(),
      }
    },

    add: (c, name) => changeMembers(c, model, relationshipOf(model, name), context, 'connect'),
    remove: (c, name) => changeMembers(c, model, relationshipOf(model, name), context, 'disconnect'),

    async replace(c, name) {
      const relationship = relationshipOf(model, name)
      const { linkage, id } = await readChange(c, model, relationship, context)
      const faults: Fault[] = []
      checkReplaceable(relationship, linkage, '/data', faults)
      throwFaults(faults)
      const orm = await c.env.getOrm()
      const keys = hasForeignKeys && !linkage.many ? keyValues(relationship, linkage.target, model) : undefined
      const isKept = linkage.many && relationship.relation.dependent
      const kept = isKept ? [{ relationship, members: linkage.members }] : []
      const guard = await guardMembers(orm, model, id, kept)
      const data = keys ?? { [name]: replacement(relationship, linkage) }
      const all = await leaveMembers(orm, model, id, data, replacedMembers(relationship, linkage))
      c.set('explain', async (error) => {
        if (isMissing(error)) await guardMembers(orm, model, id, kept)
        const linked = { linkage, pointer: '/data', model: relationship.relation.model }
        return missingTarget(error, keys ? ['/data'] : []) ?? locateMissing(error, schema, [linked])
      })
      return {
        orm: erase(orm),
        args: erase({
          where: { ...uniqueWhere(model.id, id), ...guard },
          data: all,
          select: linkageSelect(model, relationship, settings.pageSize),
        }),
        reply: async (row) => linkageAnswer(row, model, relationship, context),
      }
    },
  }
}

/** Reads what the answer to a write is to show. */
function readAnswer(
  c: Context<ApiEnv>,
  model: RestModel,
  context: RestContext,
): { readonly shown: Shown; readonly selection: Selection } {
  checkAccept(c.req.header('Accept'))
  const query = readQuery(c.req.url, SINGLE)
  const shown = readShown(query, readInclude(query, model, context.settings.limits), context)
  return { shown, selection: context.selector.select(model, shown.include, shown.fieldsets) }
}

/** Says that a change was made, where the answer to it would include too much. */
async function written(answer: Promise<Response>): Promise<Response> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof RequestError)) throw error
    const [fault] = error.faults
    const detail = `The change was made, but cannot be shown. ${fault.detail}`
    throw new RequestError({ ...fault, detail, reason: 'RESULT_NOT_READABLE' })
  })
}

/** An upsert may update, so it has to be allowed to. */
function checkUpsert({ linkages }: Given, model: RestModel): void {
  if (!model.model.operations.has('update')) {
    throw new RequestError({ code: 'read-only', detail: `"${model.type}" can be created but not updated.` })
  }
  const faults: Fault[] = []
  checkReplacements(linkages, faults)
  throwFaults(faults)
}

async function readChange(c: Context<ApiEnv>, model: RestModel, relationship: Relationship, context: RestContext) {
  const { limits } = context.settings
  checkAccept(c.req.header('Accept'))
  readQuery(c.req.url, NONE)
  const id = requestId(c, model)
  const document = await readDocument(c.req.raw, limits)
  if (isReadOnly(relationship, model)) {
    throw new RequestError({ code: 'read-only', detail: `"${relationship.name}" cannot be written.` })
  }
  refuseUpsert(document)
  const faults: Fault[] = []
  const isGiven = document['data'] !== undefined
  const pointer = isGiven ? '/data' : ''
  const linkage = readLinkage(relationship, document['data'], pointer, limits, faults)
  throwFaults(faults)
  if (!linkage) throw new RequestError({ code: 'malformed-document', detail: 'The body needs data.' })
  return { id, linkage }
}

async function changeMembers(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
  context: RestContext,
  change: 'connect' | 'disconnect',
) {
  const { linkage, id } = await readChange(c, model, relationship, context)
  const orm: unknown = await c.env.getOrm()
  c.set('explain', async (error) =>
    locateMissing(error, context.schema, [{ linkage, pointer: '/data', model: relationship.relation.model }]),
  )
  return {
    orm: erase(orm),
    args: erase({
      where: uniqueWhere(model.id, id),
      data: { [relationship.name]: { [change]: members(relationship, linkage) } },
      select: linkageSelect(model, relationship, context.settings.pageSize),
    }),
    reply: async (row: unknown) => linkageAnswer(row, model, relationship, context),
  }
}

function members({ target }: Relationship, linkage: Linkage): Record<string, unknown>[] {
  return linkage.many ? membersWhere(target, linkage.members) : []
}

/** What the answer to a change of a relationship needs: its first page. */
function linkageSelect(model: RestModel, relationship: Relationship, pageSize: number): Record<string, unknown> {
  const { name, relation, target, linkage } = relationship
  if (!isAnswered(relationship)) return idSelect(model)
  if (relation.many) {
    const page = { orderBy: idOrder(target), ...pageArgs({ offset: 0, limit: pageSize }), select: idSelect(target) }
    return { ...idSelect(model), [name]: page, _count: { select: { [name]: true } } }
  }
  if (linkage) return { ...idSelect(model), ...Object.fromEntries(linkage.map((field) => [field, true])) }
  return { ...idSelect(model), [name]: { select: idSelect(target) } }
}

/** Whether the answer to a change may show the relationship: its target may be read, or need not be. */
function isAnswered(relationship: Relationship): boolean {
  return relationship.linkage !== undefined || mayRead(relationship)
}

function linkageAnswer(row: unknown, model: RestModel, relationship: Relationship, context: RestContext): Response {
  if (!isRow(row)) throw notFound(model)
  if (!isAnswered(relationship)) return respondNothing()
  const { name, relation, target, linkage } = relationship
  const url = `${resourceUrl(model, row)}/relationships/${name}`
  const related = row[name]
  if (!relation.many) {
    const loaded = isRow(related) ? identifierText(target, related) : 'null'
    const data = linkage ? (ownLinkage(relationship, row) ?? 'null') : loaded
    return respond({ data, links: selfLink(url, { parameters: [] }) })
  }
  const { pageSize } = context.settings
  const page: Page = { offset: 0, limit: pageSize }
  const rows = Array.isArray(related) ? related.filter(isRow) : []
  const counts = row['_count']
  const total = isRow(counts) ? Number(counts[name]) : rows.length
  const links = collectionLinks(url, { parameters: [] }, { page, total, pageSize })
  return respond({ data: `[${rows.map((one) => identifierText(target, one)).join(',')}]`, links, total })
}
