import type { Context } from 'hono'

import { readable } from '../../http/body.js'
import type { ApiEnv } from '../../http/handler.js'
import { primaryOf } from '../../orm/primary.js'
import { notShown } from '../../errors/not-shown.js'
import { type Fault, RequestError } from '../../errors/request-error.js'
import { resource, resourceLink, resourceUrl } from '../document/answers.js'
import { type JsonObject, readDocument, throwFaults } from '../request/body.js'
import { notFound, readShown, requestId, type RestContext, type Shown } from '../context.js'
import { erase, type Prepared } from '../../http/perform.js'
import { explainResource, isMissing, locateFault } from '../document/explain.js'
import { missingTarget } from '../orm/foreign-keys.js'
import { type IdValues, uniqueWhere } from '../request/id.js'
import { readInclude } from '../request/include.js'
import type { RestModel } from '../model.js'
import { checkAccept } from '../request/negotiation.js'
import { readQuery, SINGLE } from '../request/query.js'
import { guardMembers, isReplacing, replacing } from '../orm/replace-members.js'
import { checkReplacements, type Given, readCreate, readUpdate } from '../request/resource-body.js'
import { respondNothing, selfLink } from '../document/respond.js'
import { isRow, type Row } from '../orm/row.js'
import { idSelect, type Selection } from '../orm/selection.js'
import { matchWhere, readMatch, refuseUpsert, updatedScalars, upsertRow } from '../orm/upsert.js'
import { createData, updateWrite, type WriteContext } from '../orm/write-data.js'
import type { PreparedCreate, RestEndpoints, UpsertCalls } from './endpoints.js'

/** The endpoints that write a model's resources (contract 4.1). */
export function restWrites(
  model: RestModel,
  context: RestContext,
): Pick<RestEndpoints, 'create' | 'update' | 'delete'> {
  const { settings, models, schema, dialect } = context
  const { limits } = settings
  const hasForeignKeys = dialect.relationMode !== 'prisma'
  const writing: WriteContext = { model, models, limits, hasForeignKeys }

  const understandCreate = (document: JsonObject) => {
    const match = readMatch(document, model)
    const given = readCreate(document, writing)
    const { data, pointers } = createData(given, writing)
    if (match) checkUpsert(given, model)
    return { document, given, data, pointers, match, where: match && matchWhere(match, given.scalars) }
  }

  const prepareCreate = (
    c: Context<ApiEnv>,
    orm: unknown,
    { shown, selection }: ShownOfWrite,
    { document, given, data, pointers, match, where }: ReturnType<typeof understandCreate>,
  ): PreparedCreate => {
    const args = { data, ...selection.args }
    c.env.explain = async (error) => {
      return missingTarget(error, pointers) ?? locateFault(error, schema, model, document, given)
    }
    const answer = (row: unknown, isNew: boolean) => {
      if (!isRow(row)) throw notFound(model)
      const location = isNew && model.served.has('/:id') ? resourceUrl(model, row) : undefined
      const links = selfLink(resourceLink(model, row), shown.query)
      return written(() => resource(row, links, { orm, shown, selection, context }, isNew ? 201 : 200, location))
    }
    const call = { orm, args, reply: (row: unknown) => answer(row, true) }
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
  }

  const understandUpdate = (document: JsonObject, id: IdValues) => {
    refuseUpsert(document)
    const given = readUpdate(document, id, writing)
    return { document, id, given, write: updateWrite(given, writing) }
  }

  const prepareUpdate = (
    c: Context<ApiEnv>,
    orm: unknown,
    { shown, selection }: ShownOfWrite,
    { document, id, given, write }: ReturnType<typeof understandUpdate>,
  ): Prepared => {
    const where = uniqueWhere(model.id, id)
    c.env.explain = async (error) => {
      if (isMissing(error)) await guardMembers(orm, model, id, write.kept)
      return (
        missingTarget(error, write.pointers) ??
        explainResource(error, model) ??
        locateFault(error, schema, model, document, given)
      )
    }
    const prepared: Prepared = {
      orm,
      args: { where, data: write.data, ...selection.args },
      reply: (row) => {
        if (!isRow(row)) throw notFound(model)
        const links = selfLink(resourceLink(model, row), shown.query)
        return written(() => resource(row, links, { orm, shown, selection, context }))
      },
    }
    if (!isReplacing(write)) return prepared
    const owner = { orm, model, id, where }
    const run: Prepared['run'] = (call) => {
      return replacing(owner, write, dialect, (client, args) => call(client, { ...args, ...selection.args }))
    }
    return { ...prepared, run }
  }

  return {
    // All that an asynchronous function ever holds is allocated when it is called: so these hold little, and the work is done above.
    async create(c) {
      const shown = readAnswer(c, model, context)
      const understood = understandCreate(await readDocument(readable(c.req), limits))
      return prepareCreate(c, primaryOf(await c.env.getOrm()), shown, understood)
    },

    async update(c) {
      const shown = readAnswer(c, model, context)
      const id = requestId(c, model)
      const understood = understandUpdate(await readDocument(readable(c.req), limits), id)
      return prepareUpdate(c, primaryOf(await c.env.getOrm()), shown, understood)
    },

    async delete(c) {
      checkAccept(c.req.header('Accept'))
      readQuery(c.req.url, [])
      const id = requestId(c, model)
      c.env.explain = async (error) => explainResource(error, model, true) ?? error
      return {
        orm: primaryOf(await c.env.getOrm()),
        args: { where: uniqueWhere(model.id, id), select: idSelect(model) },
        reply: async () => respondNothing(),
      }
    },
  }
}

/** What the answer to a write is to show. */
interface ShownOfWrite {
  readonly shown: Shown
  readonly selection: Selection
}

function readAnswer(c: Context<ApiEnv>, model: RestModel, context: RestContext): ShownOfWrite {
  checkAccept(c.req.header('Accept'))
  const query = readQuery(c.req.url, SINGLE)
  const shown = readShown(query, readInclude(query, model, context.settings.limits), context)
  return { shown, selection: context.selector.select(model, shown.include, shown.fieldsets) }
}

/** The answer that shows what was written. Says that a change was made, where the answer to it would include too much. */
export function written(answer: () => Response | Promise<Response>): Response | Promise<Response> {
  try {
    const made = answer()
    return made instanceof Promise ? made.catch(notShown) : made
  } catch (error) {
    return notShown(error)
  }
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
