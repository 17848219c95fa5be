import type { Context } from 'hono'

import { type ErrorDetail, throwErrors } from '../../errors/request-error.js'
import { respondToWrite } from '../../errors/respond-to-write.js'
import { runPreparedCall, type PreparedRoute, type ClientCall } from '../../http/routing/execute-prepared-route.js'
import type { ApiEnv } from '../../http/handler-types.js'
import { unsafeCast } from '../../http/unsafe-cast.js'
import { getPrimary } from '../../prisma/replicas.js'
import { type Precondition, parsePrecondition, parseUpsertPrecondition } from '../conditional-requests.js'
import { resourceLink, resourceUrl, selfLink } from '../document/document-links.js'
import { notFoundError, explainResourceError, locateConstraintError } from '../document/resource-errors.js'
import { withPreferenceApplied, respondNoContent } from '../document/respond.js'
import { resourceResponse } from '../document/success-responses.js'
import { createExclusively, ownerFilter, takenTargetError } from '../orm/exclusive-links.js'
import { idSelect } from '../orm/delegate-calls.js'
import { isRow } from '../orm/row.js'
import type { Selection } from '../orm/selection.js'
import { updateRow, prepareRowUpdate } from './prepare-row-update.js'
import {
  matchWhere,
  updatedScalars,
  upsertRow,
  createData,
  updateWrite,
  type WriteDataContext,
} from '../orm/write-data.js'
import { missingTargetError } from '../orm/write-foreign-keys.js'
import { checkAccept } from '../request/content-negotiation.js'
import type { JsonObject } from '../request/request-errors.js'
import { getDocument } from '../request/body/parse-document.js'
import { parseInclude } from '../request/query/parse-include.js'
import { parseQuery } from '../request/query/parse-query.js'
import {
  validateReplacements,
  type ResourceInput,
  parseCreate,
  parseUpdate,
} from '../request/body/parse-resource-body.js'
import { parseResponseShape, type ResponseShape } from '../request/query/parse-response-shape.js'
import { parseUpsertMatch, rejectUpsert } from '../request/body/parse-upsert-match.js'
import type { RestContext } from '../rest-context.js'
import type { RestModel } from '../rest-model.js'
import { type ResourceLocator, locatorWhere, type UrlOwner } from './resource-locator.js'

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

  const createResponse = (
    c: Context<ApiEnv>,
    orm: unknown,
    row: unknown,
    { shape, selection, isMinimal }: WriteResponseOptions,
    isNew = false,
  ): Response | Promise<Response> => {
    if (!isRow(row)) throw notFoundError(model)
    const links = selfLink(resourceLink(model, row), shape.query)
    const parts = { orm, shape, selection, context, capture: c.env.capture, isMinimal }
    const location = isNew && model.routes.has('/:id') ? resourceUrl(model, row) : undefined
    const response = respondToWrite(() => resourceResponse(row, links, parts, isNew ? 201 : 200, location))
    if (!isMinimal) return response
    return response instanceof Promise ? response.then(withPreferenceApplied) : withPreferenceApplied(response)
  }

  const parseOwnedCreateRequest = (body: JsonObject, owner: UrlOwner) => {
    try {
      return parseCreateRequest(body, owner)
    } catch (error) {
      throw owner.hidePointer(error, body)
    }
  }

  const parseCreateRequest = (body: JsonObject, owner?: UrlOwner) => {
    if (owner) rejectUpsert(body)
    const document = owner ? owner.addRelationship(body) : body
    const match = parseUpsertMatch(document, model)
    const parsed = parseCreate(document, writeContext)
    const input = owner ? owner.assign(parsed) : parsed
    const write = createData(input, writeContext)
    if (match) checkReplacements(input)
    const where = match && matchWhere(match, input.scalars)
    return { body, document, input, write, match, where }
  }

  const prepareCreate = (
    c: Context<ApiEnv>,
    orm: unknown,
    options: WriteResponseOptions,
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
    const { selection } = options
    const args = { data, ...selection.args }
    c.env.explain = async (error) => {
      if (owner && (await owner.isMissing(error, orm))) return notFoundError(owner.model)
      const explained =
        missingTargetError(error, pointers) ??
        (await takenTargetError(error, orm, exclusive, where && ownerFilter(model, where))) ??
        locateConstraintError(error, schema, model, document, input)
      return owner ? owner.hidePointer(explained, body) : explained
    }
    const run = createExclusively(orm, exclusive, dialect, args)
    const call = { orm, args, ...run, reply: (row: unknown) => createResponse(c, orm, row, options, true) }
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
        return await updateRow(found, write, context, (client, args) =>
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
      return createResponse(c, orm, row, options, created)
    }
    return { ...call, upsert }
  }

  const parseUpdateRequest = (document: JsonObject, locator: ResourceLocator, condition: Precondition | undefined) => {
    rejectUpsert(document)
    const input = parseUpdate(document, locator.id, writeContext)
    const where = locatorWhere(model, locator, input)
    return { document, where, input, write: updateWrite(input, writeContext), condition }
  }

  const prepareUpdate = (
    c: Context<ApiEnv>,
    orm: unknown,
    options: WriteResponseOptions,
    { document, where, input, write, condition }: ReturnType<typeof parseUpdateRequest>,
  ): PreparedRoute => {
    const found = { orm, model, where, condition }
    return prepareRowUpdate(c, found, write, {
      context,
      selection: options.selection.args,
      locate: (error) => locateConstraintError(error, schema, model, document, input),
      reply: (row) => createResponse(c, orm, row, options),
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
      const run: PreparedRoute['run'] = (call, client) =>
        condition.delete({ ...found, orm: client }, dialect, (inside, checkedWhere) => {
          return call(inside, { where: checkedWhere, select })
        })
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

/** Checks that the relationships of an upsert can be replaced, because it may update the row. */
function checkReplacements({ linkages }: ResourceInput): void {
  const errors: ErrorDetail[] = []
  validateReplacements(linkages, errors)
  throwErrors(errors)
}

/** The prepared `POST /:type`. */
interface PreparedCreate extends PreparedRoute {
  /**
   * Set if the body's `meta.operation` requests an upsert: updates the matching row, or creates one. Safe under concurrency. Responds with
   * 200 or 201.
   */
  readonly upsert?: (calls: UpsertCalls) => Promise<Response>
}

/** The emitted calls that an upsert makes. */
interface UpsertCalls {
  readonly create: ClientCall
  readonly update: ClientCall
}
