import type { Context } from 'hono'

import type { ApiEnv } from '../../http/api-handler.js'
import { getPrimary } from '../../orm/primary.js'
import { writeResponse } from '../../errors/result-not-readable.js'
import { type ErrorDetail, RequestError, throwErrors } from '../../errors/request-error.js'
import { resourceResponse, resourceLink, resourceUrl } from '../document/responses.js'
import { getDocument, type JsonObject } from '../request/body.js'
import { notFoundError, parseResponseShape, parseRequestId, type RestContext, type ResponseShape } from '../context.js'
import { callAndSerialize, unsafeCast, type PreparedRoute } from '../../http/execute-route.js'
import { explainMissingResource, locateConstraintError } from '../document/locate-error.js'
import { createExclusively, ownerFilter, takenTargetError } from '../orm/exclusive-links.js'
import { missingTargetError } from '../orm/foreign-keys.js'
import { parseInclude } from '../request/include.js'
import type { RestModel } from '../model.js'
import {
  isOwnerMissing,
  assignOwner,
  withOwnerRelationship,
  type Owner,
  type ResourceLocator,
  locatorWhere,
  assertOwnerUnchanged,
  hideOwnerPointer,
} from './resource-locator.js'
import { checkAccept } from '../request/negotiation.js'
import { withPreferenceApplied, prefersMinimal } from '../request/prefer.js'
import { parseQuery, SINGLE } from '../request/query.js'
import { updateRow } from '../orm/update-row.js'
import { runIfPreconditionMet, preconditionError } from '../orm/precondition.js'
import {
  parseUpsertPrecondition,
  type Precondition,
  preconditionFailedError,
  preconditionRequiredError,
  parsePrecondition,
} from '../request/precondition.js'
import { validateReplacements, type ResourceInput, parseCreate, parseUpdate } from '../request/resource-body.js'
import { respondNoContent, selfLink } from '../document/respond.js'
import { isRow } from '../orm/row.js'
import { idSelect, type Selection } from '../orm/selection.js'
import { matchWhere, parseMatch, rejectUpsert, updatedScalars, upsertRow } from '../orm/upsert.js'
import { createData, updateWrite, type WriteDataContext } from '../orm/write-data.js'
import type { PreparedCreate, RestEndpoints, UpsertCalls } from './endpoints.js'
import { updateRoute } from './update-route.js'

/** The endpoints that write a model's resources (contract 4.1). */
export function writeEndpoints(
  model: RestModel,
  context: RestContext,
): Pick<RestEndpoints, 'create' | 'update' | 'delete'> {
  const { create, update, delete: remove } = resourceWrites(model, context)
  return {
    create: (c) => create(c),
    update: (c) => update(c, () => ({ id: parseRequestId(c, model) })),
    delete: (c) => remove(c, () => ({ id: parseRequestId(c, model) })),
  }
}

/** What writes a model's resources, wherever the URL finds them. */
export interface ResourceWrites {
  /** @param owner whose member the new resource becomes; nobody's where the URL says nothing of it */
  create(c: Context<ApiEnv>, owner?: Owner): Promise<PreparedCreate>
  /** @param placeOf reads which resource the URL is about */
  update(c: Context<ApiEnv>, placeOf: () => ResourceLocator): Promise<PreparedRoute>
  /** @param placeOf reads which resource the URL is about */
  delete(c: Context<ApiEnv>, placeOf: () => ResourceLocator): Promise<PreparedRoute>
}

/** Makes a model ready to be written. See {@link ResourceWrites}. */
export function resourceWrites(model: RestModel, context: RestContext): ResourceWrites {
  const { settings, models, schema, dialect } = context
  const { limits } = settings
  const hasForeignKeys = dialect.relationMode !== 'prisma'
  const writing: WriteDataContext = { model, models, limits, hasForeignKeys }

  const understandOwned = (body: JsonObject, owner: Owner) => {
    try {
      return understandCreate(body, owner)
    } catch (error) {
      throw hideOwnerPointer(error, body, owner)
    }
  }

  const understandCreate = (body: JsonObject, owner?: Owner) => {
    if (owner) rejectUpsert(body)
    const document = owner ? withOwnerRelationship(body, model, owner) : body
    const match = parseMatch(document, model)
    const read = parseCreate(document, writing)
    const given = owner ? assignOwner(read, model, owner) : read
    const write = createData(given, writing)
    if (match) checkUpsert(given, model)
    const where = match && matchWhere(match, given.scalars)
    return { body, document, given, write, match, where }
  }

  const prepareCreate = (
    c: Context<ApiEnv>,
    orm: unknown,
    { shown, selection, isMinimal }: ShownOfWrite,
    { body, document, given, write: { data, pointers, exclusive }, match, where }: ReturnType<typeof understandCreate>,
    condition: Precondition | undefined,
    owner?: Owner,
  ): PreparedCreate => {
    const args = { data, ...selection.args }
    c.env.explain = async (error) => {
      if (owner && (await isOwnerMissing(error, orm, owner))) return notFoundError(owner.model)
      const explained =
        missingTargetError(error, pointers) ??
        (await takenTargetError(error, orm, exclusive, where && ownerFilter(model, where))) ??
        locateConstraintError(error, schema, model, document, given)
      return owner ? hideOwnerPointer(explained, body, owner) : explained
    }
    const answer = (row: unknown, isNew: boolean) => {
      if (!isRow(row)) throw notFoundError(model)
      const location = isNew && model.served.has('/:id') ? resourceUrl(model, row) : undefined
      const links = selfLink(resourceLink(model, row), shown.query)
      const status = isNew ? 201 : 200
      return shownAs(isMinimal, () =>
        resourceResponse(row, links, { orm, shown, selection, context, keep: c.env.keep, isMinimal }, status, location),
      )
    }
    const run = createExclusively(orm, exclusive, dialect, args)
    const call = { orm, args, ...run, reply: (row: unknown) => answer(row, true) }
    if (!match || !where) {
      // A collection has no revision that a tag could be of.
      if (condition?.among) throw preconditionFailedError(model, condition)
      return call
    }
    const update = async (calls: UpsertCalls) => {
      if (model.model.version?.isRequired && !condition?.isNamed && condition?.except !== '*')
        throw preconditionRequiredError(model, c)
      const scalars = updatedScalars(model, match, given.scalars)
      const write = updateWrite({ ...given, scalars }, writing)
      const found = { orm, model, where, condition }
      try {
        return await updateRow(found, write, dialect, (client, args) =>
          calls.update(unsafeCast(client), unsafeCast({ ...args, ...selection.args })),
        )
      } catch (error) {
        throw (await preconditionError(error, found)) ?? error
      }
    }
    const create = (calls: UpsertCalls) => {
      if (condition?.isNamed) throw preconditionFailedError(model, condition)
      return callAndSerialize(call, calls.create)
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

  const understandUpdate = (document: JsonObject, place: ResourceLocator, condition: Precondition | undefined) => {
    rejectUpsert(document)
    const given = parseUpdate(document, place.id, writing)
    if (place.owner) assertOwnerUnchanged(given, model, place.owner)
    return { document, where: locatorWhere(model, place), given, write: updateWrite(given, writing), condition }
  }

  const prepareUpdate = (
    c: Context<ApiEnv>,
    orm: unknown,
    { shown, selection, isMinimal }: ShownOfWrite,
    { document, where, given, write, condition }: ReturnType<typeof understandUpdate>,
  ): PreparedRoute => {
    const found = { orm, model, where, condition }
    return updateRoute(c, found, write, {
      dialect,
      selection: selection.args,
      locate: (error) => locateConstraintError(error, schema, model, document, given),
      reply: (row) => {
        if (!isRow(row)) throw notFoundError(model)
        const links = selfLink(resourceLink(model, row), shown.query)
        return shownAs(isMinimal, () =>
          resourceResponse(row, links, { orm, shown, selection, context, keep: c.env.keep, isMinimal }),
        )
      },
    })
  }

  return {
    // All that an asynchronous function ever holds is allocated when it is called: so these hold little, and the work is done above.
    async create(c, owner) {
      const shown = readAnswer(c, model, context)
      const body = await getDocument(c, limits)
      const understood = owner ? understandOwned(body, owner) : understandCreate(body)
      const condition = parseUpsertPrecondition(c, model, understood.match && body)
      return prepareCreate(c, getPrimary(await c.env.getOrm()), shown, understood, condition, owner)
    },

    async update(c, placeOf) {
      const shown = readAnswer(c, model, context)
      const place = placeOf()
      const document = await getDocument(c, limits)
      const understood = understandUpdate(document, place, parsePrecondition(c, model, document))
      return prepareUpdate(c, getPrimary(await c.env.getOrm()), shown, understood)
    },

    async delete(c, placeOf) {
      checkAccept(c.req.header('Accept'))
      parseQuery(c.req.url, [])
      const where = locatorWhere(model, placeOf())
      const condition = parsePrecondition(c, model, c.env.document)
      const orm = getPrimary(await c.env.getOrm())
      const found = { orm, model, where, condition }
      c.env.explain = async (error) =>
        (await preconditionError(error, found)) ?? explainMissingResource(error, model, true) ?? error
      const select = idSelect(model)
      const prepared = { orm, args: { where, select }, reply: async () => respondNoContent() }
      if (!condition) return prepared
      const run: PreparedRoute['run'] = (call) =>
        runIfPreconditionMet(found, dialect, true, (client, met) => call(client, { where: met, select }))
      return { ...prepared, run }
    },
  }
}

/** What the answer to a write is to show. */
interface ShownOfWrite {
  readonly shown: ResponseShape
  readonly selection: Selection
  /** Whether nothing is to be shown but what was made. */
  readonly isMinimal: boolean
}

function readAnswer(c: Context<ApiEnv>, model: RestModel, context: RestContext): ShownOfWrite {
  checkAccept(c.req.header('Accept'))
  const query = parseQuery(c.req.url, SINGLE)
  const shown = parseResponseShape(query, parseInclude(query, model, context), model, context)
  // What is asked for is shown.
  const isMinimal = query.parameters.length === 0 && prefersMinimal(c.req.header('Prefer'))
  const fieldsets = isMinimal ? new Map([[model, NO_FIELDS]]) : shown.fieldsets
  return { shown, selection: context.selector.select(model, shown.include, fieldsets, shown.counts), isMinimal }
}

const NO_FIELDS: ReadonlySet<string> = new Set()

/** The same answer, which says so where it is a minimal one. */
function shownAs(isMinimal: boolean, answer: () => Response | Promise<Response>): Response | Promise<Response> {
  const made = writeResponse(answer)
  if (!isMinimal) return made
  return made instanceof Promise ? made.then(withPreferenceApplied) : withPreferenceApplied(made)
}

/** An upsert may update, so it has to be allowed to. */
function checkUpsert({ linkages }: ResourceInput, model: RestModel): void {
  if (!model.model.operations.has('update')) {
    throw new RequestError({ code: 'read-only', detail: `"${model.type}" can be created but not updated.` })
  }
  const faults: ErrorDetail[] = []
  validateReplacements(linkages, faults)
  throwErrors(faults)
}
