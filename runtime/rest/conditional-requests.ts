import type { Context } from 'hono'

import type { ApiEnv } from '../http/handler-types.js'
import { rejectConditionalHeaders } from '../http/reject-conditional-headers.js'
import type { Dialect } from '../prisma/dialect.js'
import type { Revision } from '../schema/version-field.js'
import type { RequestError } from '../errors/request-error.js'
import { isObject } from '../values/is-object.js'
import type { ReplaceMembers, UpdateCall } from './orm/replace-members.js'
import type { Row } from './orm/row.js'
import type { Selection } from './orm/selection.js'
import { malformedDocument, childPointer, type JsonObject } from './request/request-errors.js'
import type { RestModel } from './rest-model.js'

/** The feature `conditionalRequests` of one handler: ETags and preconditions (RFC 9110, section 13). */
export interface ConditionalRequests {
  /**
   * Returns the ETag of a response with one resource.
   * @param links the document's links as JSON; they contain the URL and the query
   * @returns undefined if the model has no version, or if the caller may not read it
   */
  createTag(row: Row, selection: Selection, links: string): string | undefined
  /** Returns an ETag that contains only the revision. */
  createRevisionTag(model: RestModel, row: Row): string | undefined
  /** See {@link parsePrecondition}. */
  parse(c: Context<ApiEnv>, model: RestModel, document?: JsonObject): Precondition | undefined
  /** See {@link parseUpsertPrecondition}. */
  parseUpsert(c: Context<ApiEnv>, model: RestModel, document?: JsonObject): Precondition | undefined
  /**
   * Checks that an upsert includes the precondition that the model requires for updates.
   * @throws RequestError 428 if it is missing
   */
  assertRequiredCondition(c: Context<ApiEnv>, model: RestModel, condition: Precondition | undefined): void
  /**
   * Parses the conditional headers of a request that reads a resource.
   * @returns undefined if there are none, or if the model has no version
   * @throws RequestError 400 if they are invalid
   */
  parseValidators(c: Context<ApiEnv>, model: RestModel): CacheValidators | undefined
  /**
   * Adds the next version to the data of a change, if the model has a version field. Every write by the runtime does this. Otherwise,
   * callers that read the row earlier would overwrite the change without noticing.
   * @param condition the precondition of the change
   */
  bumpVersion(model: RestModel, data: Data, condition?: Pick<Precondition, 'match'>): Data
}

type Data = Readonly<Record<string, unknown>>

/** The part of a handler's context that preconditions are parsed with. */
export interface ConditionalContext {
  /** Undefined without the feature `conditionalRequests`. */
  readonly conditional: ConditionalRequests | undefined
}

/** The precondition of a request: `If-Match`, `If-None-Match` or `meta.version`. */
export interface Precondition {
  /** The allowed revisions. Undefined if any revision is allowed. */
  readonly match?: readonly Revision[] | undefined
  /** Whether the resource must not exist (`If-None-Match: *`). */
  readonly isCreateOnly: boolean
  /** Whether the request requires a specific version of the resource or, with `If-Match: *`, any existing version. */
  readonly hasVersion: boolean
  /** Returns Prisma's filter for rows that meet the precondition. Undefined if all rows do. */
  where(model: RestModel): Where | undefined
  /** Returns the error for a precondition that is not met. */
  failedError(model: RestModel): RequestError
  /**
   * Updates a row if it meets the precondition, and bumps its version.
   * @throws RequestError as `updateReplacingMembers`; the client's error if the row does not exist
   */
  update(found: ConditionalUpdate, write: ReplaceMembers, dialect: Dialect, call: UpdateCall): Promise<unknown>
  /**
   * Deletes a row if it meets the precondition.
   * @param call deletes the row with the given client
   * @throws the client's error if the row does not exist
   */
  delete(
    found: ConditionalUpdate,
    dialect: Dialect,
    call: (orm: unknown, where: Where) => PromiseLike<unknown>,
  ): Promise<unknown>
  /**
   * Returns the error to report if a row was not found because it does not meet the precondition.
   * @param error the client's error
   * @returns a 412 if the precondition is not met; undefined if the row itself or a row to connect is missing
   */
  findError(error: unknown, update: ConditionalUpdate): Promise<Error | undefined>
}

/** A row to change, with the precondition of the request. */
export interface ConditionalUpdate {
  readonly orm: unknown
  readonly model: RestModel
  /** Prisma's unique `where` of the row. */
  readonly where: Where
  readonly condition: Precondition | undefined
}

type Where = Readonly<Record<string, unknown>>

/** The conditional headers of a request that reads a resource. */
export interface CacheValidators {
  /**
   * Checks that a row has one of the requested revisions (`If-Match`).
   * @throws RequestError 412 if it does not
   */
  assertMatch(row: Row): void
  /** Whether the caller already has the response with this ETag (`If-None-Match`). Compares the complete ETag. */
  isCached(tag: string): boolean
}

/**
 * Parses the precondition of a request that changes a resource: `If-Match` and `If-None-Match` (RFC 9110, section 13), and `meta.version`,
 * as in responses. Only the version of an ETag is compared, which is the part before the first dot.
 * @param document the request's document
 * @returns undefined if there is no precondition
 * @throws RequestError 400 if it is invalid, 412 if the API does not support the header, 428 if the model requires a precondition and it is
 * missing
 */
export function parsePrecondition(
  c: Context<ApiEnv>,
  model: RestModel,
  { conditional }: ConditionalContext,
  document?: JsonObject,
): Precondition | undefined {
  return conditional ? conditional.parse(c, model, document) : rejectPrecondition(c, model, document)
}

/**
 * Like {@link parsePrecondition}, for a request that may create the resource. Such a request never requires a precondition.
 * @param document undefined for a plain create, whose `meta` may be copied from another resource and does not describe an existing row
 */
export function parseUpsertPrecondition(
  c: Context<ApiEnv>,
  model: RestModel,
  { conditional }: ConditionalContext,
  document?: JsonObject,
): Precondition | undefined {
  return conditional ? conditional.parseUpsert(c, model, document) : rejectPrecondition(c, model, document)
}

/** Returns the version in the `meta` of a document, or of the resource in it, with its JSON pointer. */
export function findDocumentVersion({
  meta,
  data,
}: JsonObject): { readonly value: unknown; readonly pointer: string } | undefined {
  const version = isObject(meta) ? meta['version'] : undefined
  if (version !== undefined) return { value: version, pointer: childPointer('/meta', 'version') }
  const resourceVersion = isObject(data) && isObject(data['meta']) ? data['meta']['version'] : undefined
  return resourceVersion === undefined
    ? undefined
    : { value: resourceVersion, pointer: childPointer('/data/meta', 'version') }
}

/** Rejects a precondition that the API cannot check. If it were ignored, the write could overwrite another client's change. */
function rejectPrecondition(c: Context<ApiEnv>, { type }: RestModel, document: JsonObject | undefined): undefined {
  const version = document && findDocumentVersion(document)
  if (version) throw malformedDocument(`"${type}" has no versions.`, version.pointer)
  // Operations have no headers.
  if (c.env.document) return
  rejectConditionalHeaders(c.req.raw.headers, 'Remove the header.', 'precondition-failed')
}
