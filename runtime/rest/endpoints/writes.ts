import type { Context } from 'hono'

import type { ApiEnv } from '../../http/handler.js'
import { primaryOf } from '../../orm/primary.js'
import { notShown } from '../../errors/not-shown.js'
import { type Fault, RequestError } from '../../errors/request-error.js'
import { resource, resourceLink, resourceUrl } from '../document/answers.js'
import { givenDocument, type JsonObject, throwFaults } from '../request/body.js'
import { notFound, readShown, requestId, type RestContext, type Shown } from '../context.js'
import { erase, type Prepared } from '../../http/perform.js'
import { explainResource, isMissing, locateFault } from '../document/explain.js'
import { missingTarget } from '../orm/foreign-keys.js'
import { readInclude } from '../request/include.js'
import type { RestModel } from '../model.js'
import {
  lacksOwner,
  ownedBy,
  ownedDocument,
  type Owner,
  type Place,
  placeWhere,
  staysWith,
  withoutOwner,
} from './place.js'
import { checkAccept } from '../request/negotiation.js'
import { minimal, prefersMinimal } from '../request/preference.js'
import { readQuery, SINGLE } from '../request/query.js'
import { changeRow } from '../orm/change-row.js'
import { countedData, ifMet, unmet } from '../orm/conditional.js'
import { guardMembers, isReplacing } from '../orm/replace-members.js'
import {
  askedCondition,
  type Condition,
  conditionFailed,
  conditionRequired,
  readCondition,
} from '../request/condition.js'
import { checkReplacements, type Given, readCreate, readUpdate } from '../request/resource-body.js'
import { respondNothing, selfLink } from '../document/respond.js'
import { isRow } from '../orm/row.js'
import { idSelect, type Selection } from '../orm/selection.js'
import { matchWhere, readMatch, refuseUpsert, updatedScalars, upsertRow } from '../orm/upsert.js'
import { createData, updateWrite, type WriteContext } from '../orm/write-data.js'
import type { PreparedCreate, RestEndpoints, UpsertCalls } from './endpoints.js'

/** The endpoints that write a model's resources (contract 4.1). */
export function restWrites(
  model: RestModel,
  context: RestContext,
): Pick<RestEndpoints, 'create' | 'update' | 'delete'> {
  const { create, update, delete: remove } = resourceWrites(model, context)
  return {
    create: (c) => create(c),
    update: (c) => update(c, () => ({ id: requestId(c, model) })),
    delete: (c) => remove(c, () => ({ id: requestId(c, model) })),
  }
}

/** What writes a model's resources, wherever the URL finds them. */
export interface ResourceWrites {
  /** @param owner whose member the new resource becomes; nobody's where the URL says nothing of it */
  create(c: Context<ApiEnv>, owner?: Owner): Promise<PreparedCreate>
  /** @param placeOf reads which resource the URL is about */
  update(c: Context<ApiEnv>, placeOf: () => Place): Promise<Prepared>
  /** @param placeOf reads which resource the URL is about */
  delete(c: Context<ApiEnv>, placeOf: () => Place): Promise<Prepared>
}

/** Makes a model ready to be written. See {@link ResourceWrites}. */
export function resourceWrites(model: RestModel, context: RestContext): ResourceWrites {
  const { settings, models, schema, dialect } = context
  const { limits } = settings
  const hasForeignKeys = dialect.relationMode !== 'prisma'
  const writing: WriteContext = { model, models, limits, hasForeignKeys }

  const understandOwned = (body: JsonObject, owner: Owner) => {
    try {
      return understandCreate(body, owner)
    } catch (error) {
      throw withoutOwner(error, body, owner)
    }
  }

  const understandCreate = (body: JsonObject, owner?: Owner) => {
    if (owner) refuseUpsert(body)
    const document = owner ? ownedDocument(body, model, owner) : body
    const match = readMatch(document, model)
    const read = readCreate(document, writing)
    const given = owner ? ownedBy(read, model, owner) : read
    const { data, pointers } = createData(given, writing)
    if (match) checkUpsert(given, model)
    const where = match && matchWhere(match, given.scalars)
    return { body, document, given, data, pointers, match, where }
  }

  const prepareCreate = (
    c: Context<ApiEnv>,
    orm: unknown,
    { shown, selection, isMinimal }: ShownOfWrite,
    { body, document, given, data, pointers, match, where }: ReturnType<typeof understandCreate>,
    condition: Condition | undefined,
    owner?: Owner,
  ): PreparedCreate => {
    const args = { data, ...selection.args }
    c.env.explain = async (error) => {
      if (owner && (await lacksOwner(error, orm, owner))) return notFound(owner.model)
      const explained = missingTarget(error, pointers) ?? locateFault(error, schema, model, document, given)
      return owner ? withoutOwner(explained, body, owner) : explained
    }
    const answer = (row: unknown, isNew: boolean) => {
      if (!isRow(row)) throw notFound(model)
      const location = isNew && model.served.has('/:id') ? resourceUrl(model, row) : undefined
      const links = selfLink(resourceLink(model, row), shown.query)
      const status = isNew ? 201 : 200
      return shownAs(isMinimal, () =>
        resource(row, links, { orm, shown, selection, context, keep: c.env.keep, isMinimal }, status, location),
      )
    }
    const call = { orm, args, reply: (row: unknown) => answer(row, true) }
    if (!match || !where) {
      // A collection has no revision that a tag could be of.
      if (condition?.among) throw conditionFailed(model, condition)
      return call
    }
    const update = async (calls: UpsertCalls) => {
      if (model.model.version?.isRequired && !condition?.isNamed && condition?.except !== '*')
        throw conditionRequired(model, c)
      const scalars = updatedScalars(model, match, given.scalars)
      const write = updateWrite({ ...given, scalars }, writing)
      const found = { orm, model, where, condition }
      try {
        return await changeRow(found, write, dialect, (client, args) =>
          calls.update(erase(client), erase({ ...args, ...selection.args })),
        )
      } catch (error) {
        throw (await unmet(error, found)) ?? error
      }
    }
    const create = (calls: UpsertCalls) => {
      if (condition?.isNamed) throw conditionFailed(model, condition)
      return calls.create(erase(orm), erase(args))
    }
    const upsert = async (calls: UpsertCalls) => {
      const { row, created } = await upsertRow(orm, model, where, {
        create: async () => create(calls),
        update: () => update(calls),
      })
      return answer(row, created)
    }
    return { ...call, upsert }
  }

  const understandUpdate = (document: JsonObject, place: Place, condition: Condition | undefined) => {
    refuseUpsert(document)
    const given = readUpdate(document, place.id, writing)
    if (place.owner) staysWith(given, model, place.owner)
    return { document, where: placeWhere(model, place), given, write: updateWrite(given, writing), condition }
  }

  const prepareUpdate = (
    c: Context<ApiEnv>,
    orm: unknown,
    { shown, selection, isMinimal }: ShownOfWrite,
    { document, where, given, write, condition }: ReturnType<typeof understandUpdate>,
  ): Prepared => {
    const found = { orm, model, where, condition }
    c.env.explain = async (error) => {
      const failed = await unmet(error, found)
      if (failed) return failed
      if (isMissing(error)) await guardMembers(orm, model, where, write.kept)
      return (
        missingTarget(error, write.pointers) ??
        explainResource(error, model) ??
        locateFault(error, schema, model, document, given)
      )
    }
    const prepared: Prepared = {
      orm,
      args: { where, data: countedData(model, write.data), ...selection.args },
      reply: (row) => {
        if (!isRow(row)) throw notFound(model)
        const links = selfLink(resourceLink(model, row), shown.query)
        return shownAs(isMinimal, () =>
          resource(row, links, { orm, shown, selection, context, keep: c.env.keep, isMinimal }),
        )
      },
    }
    if (!isReplacing(write) && !condition) return prepared
    const run: Prepared['run'] = (call) => {
      return changeRow(found, write, dialect, (client, args) => call(client, { ...args, ...selection.args }))
    }
    return { ...prepared, run }
  }

  return {
    // All that an asynchronous function ever holds is allocated when it is called: so these hold little, and the work is done above.
    async create(c, owner) {
      const shown = readAnswer(c, model, context)
      const body = await givenDocument(c, limits)
      const understood = owner ? understandOwned(body, owner) : understandCreate(body)
      const condition = askedCondition(c, model, understood.match && body)
      return prepareCreate(c, primaryOf(await c.env.getOrm()), shown, understood, condition, owner)
    },

    async update(c, placeOf) {
      const shown = readAnswer(c, model, context)
      const place = placeOf()
      const document = await givenDocument(c, limits)
      const understood = understandUpdate(document, place, readCondition(c, model, document))
      return prepareUpdate(c, primaryOf(await c.env.getOrm()), shown, understood)
    },

    async delete(c, placeOf) {
      checkAccept(c.req.header('Accept'))
      readQuery(c.req.url, [])
      const where = placeWhere(model, placeOf())
      const condition = readCondition(c, model, c.env.document)
      const orm = primaryOf(await c.env.getOrm())
      const found = { orm, model, where, condition }
      c.env.explain = async (error) => (await unmet(error, found)) ?? explainResource(error, model, true) ?? error
      const select = idSelect(model)
      const prepared = { orm, args: { where, select }, reply: async () => respondNothing() }
      if (!condition) return prepared
      const run: Prepared['run'] = (call) =>
        ifMet(found, dialect, true, (client, met) => call(client, { where: met, select }))
      return { ...prepared, run }
    },
  }
}

/** What the answer to a write is to show. */
interface ShownOfWrite {
  readonly shown: Shown
  readonly selection: Selection
  /** Whether nothing is to be shown but what was made. */
  readonly isMinimal: boolean
}

function readAnswer(c: Context<ApiEnv>, model: RestModel, context: RestContext): ShownOfWrite {
  checkAccept(c.req.header('Accept'))
  const query = readQuery(c.req.url, SINGLE)
  const shown = readShown(query, readInclude(query, model, context), model, context)
  // What is asked for is shown.
  const isMinimal = query.parameters.length === 0 && prefersMinimal(c.req.header('Prefer'))
  const fieldsets = isMinimal ? new Map([[model, NO_FIELDS]]) : shown.fieldsets
  return { shown, selection: context.selector.select(model, shown.include, fieldsets, shown.counts), isMinimal }
}

const NO_FIELDS: ReadonlySet<string> = new Set()

/** The answer that shows what was written. Says that a change was made, where the answer to it would include too much. */
export function written(answer: () => Response | Promise<Response>): Response | Promise<Response> {
  try {
    const made = answer()
    return made instanceof Promise ? made.catch(notShown) : made
  } catch (error) {
    return notShown(error)
  }
}

/** The same answer, which says so where it is a minimal one. */
function shownAs(isMinimal: boolean, answer: () => Response | Promise<Response>): Response | Promise<Response> {
  const made = written(answer)
  if (!isMinimal) return made
  return made instanceof Promise ? made.then(minimal) : minimal(made)
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
