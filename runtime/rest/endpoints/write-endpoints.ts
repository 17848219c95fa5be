import type { Context } from 'hono'

import type { ApiEnv } from '../../http/handler-types.js'
import { getPrimary } from '../../prisma/replicas.js'
import { respondToWrite } from '../../errors/respond-to-write.js'
import { type ErrorDetail, RequestError, throwErrors } from '../../errors/request-error.js'
import { resourceResponse } from '../document/success-responses.js'
import { resourceLink, resourceUrl, selfLink } from '../document/document-links.js'
import { getDocument } from '../request/parse-document.js'
import type { JsonObject } from '../request/json-object.js'
import type { RestContext } from '../rest-context.js'
import { parseResponseShape, type ResponseShape } from '../request/parse-response-shape.js'
import { notFoundError } from '../not-found-error.js'
import { runPreparedCall, type PreparedRoute } from '../../http/execute-prepared-route.js'
import { unsafeCast } from '../../http/unsafe-cast.js'
import { locateConstraintError } from '../document/locate-constraint-error.js'
import { explainResourceError } from '../document/explain-resource-error.js'
import { createExclusively, ownerFilter, takenTargetError } from '../orm/exclusive-links.js'
import { missingTargetError } from '../orm/write-foreign-keys.js'
import { parseInclude } from '../request/parse-include.js'
import type { RestModel } from '../rest-model.js'
import { type ResourceLocator, locatorWhere } from './resource-locator.js'
import {
  isOwnerMissing,
  assignOwner,
  withOwnerRelationship,
  type UrlOwner,
  assertOwnerUnchanged,
  hideOwnerPointer,
} from './url-owner.js'
import { checkAccept } from '../request/content-negotiation.js'
import { withPreferenceApplied } from '../document/preference-applied.js'
import { parseQuery } from '../request/parse-query.js'
import { updateRow } from '../orm/update-row.js'
import { type Precondition, parsePrecondition, parseUpsertPrecondition } from '../conditional-requests.js'
import { validateReplacements, type ResourceInput, parseCreate, parseUpdate } from '../request/parse-resource-body.js'
import { respondNoContent } from '../document/respond.js'
import { isRow } from '../orm/row.js'
import type { Selection } from '../orm/selection.js'
import { idSelect } from '../orm/id-select.js'
import { matchWhere, updatedScalars, upsertRow } from '../orm/upsert-row.js'
import { parseUpsertMatch, rejectUpsert } from '../request/parse-upsert-match.js'
import { createData, updateWrite, type WriteDataContext } from '../orm/write-data.js'
import type { PreparedCreate, UpsertCalls } from './prepared-create.js'
import { prepareRowUpdate } from './prepare-row-update.js'

/** Writes a model's resources, regardless of the URL that refers to them. */
export interface ResourceWrites {
  /** @param owner the owner of the new resource; undefined if the URL does not specify one */
  create(c: Context<ApiEnv>, owner?: UrlOwner): Promise<PreparedCreate>
  /** @param getLocator parses the resource's locator from the URL */
  update(c: Context<ApiEnv>, getLocator: () => ResourceLocator): Promise<PreparedRoute>
  /** @param getLocator parses the resource's locator from the URL */
  delete(c: Context<ApiEnv>, getLocator: () => ResourceLocator): Promise<PreparedRoute>
}

/** Creates the writes of a model. See {@link ResourceWrites}. */
export function resourceWrites(model: RestModel, context: RestContext): ResourceWrites {
  const { settings, models, schema, dialect } = context
  const { limits } = settings
  const hasForeignKeys = dialect.relationMode !== 'prisma'
  const writeContext: WriteDataContext = { model, models, limits, hasForeignKeys }

  const parseOwnedCreateRequest = (body: JsonObject, owner: UrlOwner) => {
    try {
      return parseCreateRequest(body, owner)
    } catch (error) {
      throw hideOwnerPointer(error, body, owner)
    }
  }

  const parseCreateRequest = (body: JsonObject, owner?: UrlOwner) => {
    if (owner) rejectUpsert(body)
    const document = owner ? withOwnerRelationship(body, model, owner) : body
    const match = parseUpsertMatch(document, model)
    const parsed = parseCreate(document, writeContext)
    const input = owner ? assignOwner(parsed, model, owner) : parsed
    const write = createData(input, writeContext)
    if (match) checkUpsert(input, model)
    const where = match && matchWhere(match, input.scalars)
    return { body, document, input, write, match, where }
  }

  const prepareCreate = (
    c: Context<ApiEnv>,
    orm: unknown,
    { shape, selection, isMinimal }: WriteResponseOptions,
    {
      body,
      document,
      input,
      write: { data, pointers, exclusive },
      match,
      where,
    }: ReturnType<typeof parseCreateRequest>,
    condition: Precondition | undefined,
    owner?: UrlOwner,
  ): PreparedCreate => {
    const args = { data, ...selection.args }
    c.env.explain = async (error) => {
      if (owner && (await isOwnerMissing(error, orm, owner))) return notFoundError(owner.model)
      const explained =
        missingTargetError(error, pointers) ??
        (await takenTargetError(error, orm, exclusive, where && ownerFilter(model, where))) ??
        locateConstraintError(error, schema, model, document, input)
      return owner ? hideOwnerPointer(explained, body, owner) : explained
    }
    const createResponse = (row: unknown, isNew: boolean) => {
      if (!isRow(row)) throw notFoundError(model)
      const location = isNew && model.routes.has('/:id') ? resourceUrl(model, row) : undefined
      const links = selfLink(resourceLink(model, row), shape.query)
      const status = isNew ? 201 : 200
      return respondWithPreference(isMinimal, () =>
        resourceResponse(
          row,
          links,
          { orm, shape, selection, context, capture: c.env.capture, isMinimal },
          status,
          location,
        ),
      )
    }
    const run = createExclusively(orm, exclusive, dialect, args)
    const call = { orm, args, ...run, reply: (row: unknown) => createResponse(row, true) }
    if (!match || !where) {
      // A collection has no revision, so an ETag in `If-Match` never matches.
      if (condition?.match) throw condition.failedError(model)
      return call
    }
    const update = async (calls: UpsertCalls) => {
      context.conditional?.assertRequiredCondition(c, model, condition)
      const scalars = updatedScalars(model, match, input.scalars)
      const write = updateWrite({ ...input, scalars }, writeContext)
      const found = { orm, model, where, condition }
      try {
        return await updateRow(found, write, dialect, (client, args) =>
          calls.update(unsafeCast(client), unsafeCast({ ...args, ...selection.args })),
        )
      } catch (error) {
        throw (await condition?.findError(error, found)) ?? error
      }
    }
    const create = (calls: UpsertCalls) => {
      if (condition?.hasVersion) throw condition.failedError(model)
      return runPreparedCall(call, calls.create)
    }
    const upsert = async (calls: UpsertCalls) => {
      const { row, created } = await upsertRow(orm, model, where, {
        create: async () => create(calls),
        update: () => update(calls),
      })
      return createResponse(row, created)
    }
    return { ...call, upsert }
  }

  const parseUpdateRequest = (document: JsonObject, locator: ResourceLocator, condition: Precondition | undefined) => {
    rejectUpsert(document)
    const input = parseUpdate(document, locator.id, writeContext)
    if (locator.owner) assertOwnerUnchanged(input, model, locator.owner)
    return { document, where: locatorWhere(model, locator), input, write: updateWrite(input, writeContext), condition }
  }

  const prepareUpdate = (
    c: Context<ApiEnv>,
    orm: unknown,
    { shape, selection, isMinimal }: WriteResponseOptions,
    { document, where, input, write, condition }: ReturnType<typeof parseUpdateRequest>,
  ): PreparedRoute => {
    const found = { orm, model, where, condition }
    return prepareRowUpdate(c, found, write, {
      dialect,
      selection: selection.args,
      locate: (error) => locateConstraintError(error, schema, model, document, input),
      reply: (row) => {
        if (!isRow(row)) throw notFoundError(model)
        const links = selfLink(resourceLink(model, row), shape.query)
        return respondWithPreference(isMinimal, () =>
          resourceResponse(row, links, { orm, shape, selection, context, capture: c.env.capture, isMinimal }),
        )
      },
    })
  }

  return {
    // Calling an async function allocates memory for all of its variables. These functions therefore have few variables and delegate to the
    // synchronous functions above.
    async create(c, owner) {
      const responseOptions = parseResponseOptions(c, model, context)
      const body = await getDocument(c, limits)
      const parsed = owner ? parseOwnedCreateRequest(body, owner) : parseCreateRequest(body)
      const condition = parseUpsertPrecondition(c, model, context, parsed.match && body)
      return prepareCreate(c, getPrimary(await c.env.getOrm()), responseOptions, parsed, condition, owner)
    },

    async update(c, getLocator) {
      const responseOptions = parseResponseOptions(c, model, context)
      const locator = getLocator()
      const document = await getDocument(c, limits)
      const parsed = parseUpdateRequest(document, locator, parsePrecondition(c, model, context, document))
      return prepareUpdate(c, getPrimary(await c.env.getOrm()), responseOptions, parsed)
    },

    async delete(c, getLocator) {
      checkAccept(c.req.header('Accept'))
      parseQuery(c.req.url, 'none', settings.families)
      const where = locatorWhere(model, getLocator())
      const condition = parsePrecondition(c, model, context, c.env.document)
      const orm = getPrimary(await c.env.getOrm())
      const found = { orm, model, where, condition }
      c.env.explain = async (error) =>
        (await condition?.findError(error, found)) ?? explainResourceError(error, model, true) ?? error
      const select = idSelect(model)
      const prepared = { orm, args: { where, select }, reply: async () => respondNoContent() }
      if (!condition) return prepared
      const run: PreparedRoute['run'] = (call) =>
        condition.run(found, dialect, true, (client, checkedWhere) => call(client, { where: checkedWhere, select }))
      return { ...prepared, run }
    },
  }
}

/** The parameters that determine the response to a write. */
interface WriteResponseOptions {
  readonly shape: ResponseShape
  readonly selection: Selection
  /** Whether the response omits all attributes and relationships (`Prefer: return=minimal`). */
  readonly isMinimal: boolean
}

function parseResponseOptions(c: Context<ApiEnv>, model: RestModel, context: RestContext): WriteResponseOptions {
  checkAccept(c.req.header('Accept'))
  const query = parseQuery(c.req.url, 'single', context.settings.families)
  const shape = parseResponseShape(query, parseInclude(query, model, context), model, context)
  // Query parameters take precedence over `Prefer: return=minimal`.
  const prefersMinimal = context.settings.features.minimalResponses
  const isMinimal = query.parameters.length === 0 && prefersMinimal?.(c.req.header('Prefer')) === true
  const fieldsets = isMinimal ? new Map([[model, NO_FIELDS]]) : shape.fieldsets
  return { shape, selection: context.selector.select(model, shape.include, fieldsets, shape.counts), isMinimal }
}

const NO_FIELDS: ReadonlySet<string> = new Set()

/** Creates the response to a write, with `Preference-Applied` if it is minimal. */
function respondWithPreference(
  isMinimal: boolean,
  createResponse: () => Response | Promise<Response>,
): Response | Promise<Response> {
  const response = respondToWrite(createResponse)
  if (!isMinimal) return response
  return response instanceof Promise ? response.then(withPreferenceApplied) : withPreferenceApplied(response)
}

/** Checks that a model permits updates, because an upsert may update the row. */
function checkUpsert({ linkages }: ResourceInput, model: RestModel): void {
  if (!model.model.operations.has('update')) {
    throw new RequestError({
      code: 'read-only',
      detail: `A "${model.type}" can be created, but not updated by an upsert.`,
    })
  }
  const errors: ErrorDetail[] = []
  validateReplacements(linkages, errors)
  throwErrors(errors)
}
