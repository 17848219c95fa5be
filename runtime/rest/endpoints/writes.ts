import type { Context } from 'hono'

import { readable } from '../../http/body.js'
import type { ApiEnv } from '../../http/handler.js'
import { type Fault, RequestError } from '../../errors/request-error.js'
import { resource, resourceUrl } from '../document/answers.js'
import { readDocument, throwFaults } from '../request/body.js'
import { notFound, readShown, requestId, type RestContext, type Shown } from '../context.js'
import { erase } from '../../http/perform.js'
import { explainResource, isMissing, locateFault } from '../document/explain.js'
import { missingTarget } from '../orm/foreign-keys.js'
import { uniqueWhere } from '../request/id.js'
import { readInclude } from '../request/include.js'
import type { RestModel } from '../model.js'
import { checkAccept } from '../request/negotiation.js'
import { readQuery, SINGLE } from '../request/query.js'
import { guardMembers, replacing } from '../orm/replace-members.js'
import { checkReplacements, type Given, readCreate, readUpdate } from '../request/resource-body.js'
import { respondNothing, selfLink } from '../document/respond.js'
import { isRow, type Row } from '../orm/row.js'
import { idSelect, type Selection } from '../orm/selection.js'
import { matchWhere, readMatch, refuseUpsert, updatedScalars, upsertRow } from '../orm/upsert.js'
import { createData, updateWrite, type WriteContext } from '../orm/write-data.js'
import type { RestEndpoints, UpsertCalls } from './endpoints.js'

/** The endpoints that write a model's resources (contract 4.1). */
export function restWrites(
  model: RestModel,
  context: RestContext,
): Pick<RestEndpoints, 'create' | 'update' | 'delete'> {
  const { settings, models, schema, dialect } = context
  const { limits } = settings
  const hasForeignKeys = dialect.relationMode !== 'prisma'
  const writing: WriteContext = { model, models, limits, hasForeignKeys }

  return {
    async create(c) {
      const { shown, selection } = readAnswer(c, model, context)
      const document = await readDocument(await readable(c.req), limits)
      const match = readMatch(document, model)
      const given = readCreate(document, writing)
      const { data: created, pointers } = createData(given, writing)
      const args = { data: created, ...selection.args }
      if (match) checkUpsert(given, model)
      const where = match && matchWhere(match, given.scalars)
      const orm = await c.env.getOrm()
      c.env.explain = async (error) => {
        return missingTarget(error, pointers) ?? locateFault(error, schema, model, document, given)
      }
      const answer = (row: unknown, isNew: boolean) => {
        if (!isRow(row)) throw notFound(model)
        const url = resourceUrl(model, row)
        const location = isNew && model.served.has('/:id') ? url : undefined
        const parts = { orm, shown, selection, context }
        return written(resource(row, selfLink(url, shown.query), parts, isNew ? 201 : 200, location))
      }
      const call = { orm, args, reply: async (row: unknown) => answer(row, true) }
      if (!match || !where) return call
      const update = async (calls: UpsertCalls, found: Row) => {
        const scalars = updatedScalars(model, match, given.scalars)
        const write = updateWrite({ ...given, scalars }, writing)
        const id = Object.fromEntries(model.id.fields.map(({ name }) => [name, found[name]]))
        return replacing({ orm, model, id, where }, write, dialect, (client, args) =>
          calls.update(erase(client), erase({ ...args, ...selection.args })),
        )
      }
      const upsert = async (calls: UpsertCalls) => {
        const { row, created } = await upsertRow(orm, model, where, {
          create: () => calls.create(erase(orm), erase(args)),
          update: (found) => update(calls, found),
        })
        return answer(row, created)
      }
      return { ...call, upsert }
    },

    async update(c) {
      const { shown, selection } = readAnswer(c, model, context)
      const id = requestId(c, model)
      const document = await readDocument(await readable(c.req), limits)
      refuseUpsert(document)
      const given = readUpdate(document, id, writing)
      const write = updateWrite(given, writing)
      const orm = await c.env.getOrm()
      const where = uniqueWhere(model.id, id)
      c.env.explain = async (error) => {
        if (isMissing(error)) await guardMembers(orm, model, id, write.kept)
        return (
          missingTarget(error, write.pointers) ??
          explainResource(error, model) ??
          locateFault(error, schema, model, document, given)
        )
      }
      return {
        orm,
        args: { where, data: write.data, ...selection.args },
        run: (call) => {
          const owner = { orm, model, id, where }
          return replacing(owner, write, dialect, (client, args) => call(client, { ...args, ...selection.args }))
        },
        reply: async (row) => {
          if (!isRow(row)) throw notFound(model)
          const parts = { orm, shown, selection, context }
          return written(resource(row, selfLink(resourceUrl(model, row), shown.query), parts))
        },
      }
    },

    async delete(c) {
      checkAccept(c.req.header('Accept'))
      readQuery(c.req.url, [])
      const id = requestId(c, model)
      c.env.explain = async (error) => explainResource(error, model, true) ?? error
      return {
        orm: await c.env.getOrm(),
        args: { where: uniqueWhere(model.id, id), select: idSelect(model) },
        reply: async () => respondNothing(),
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
export async function written(answer: Promise<Response>): Promise<Response> {
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
