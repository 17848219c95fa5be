import type { Context } from 'hono'

import { RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../../http/handler-types.js'
import {
  createPrecondition,
  includesRevision,
  meetsPrecondition,
  preconditionFailedError,
  type PreconditionData,
} from './precondition.js'
import { type Revision, parseRevision, type Version } from '../../schema/version-field.js'
import type { RestModel } from '../../rest/rest-model.js'
import { type CacheValidators, findDocumentVersion, type Precondition } from '../../rest/conditional-requests.js'
import { type JsonObject, malformedDocument } from '../../rest/request/request-errors.js'

/** Implements `parse` of `ConditionalRequests`. */
export function parseUpdateCondition(
  c: Context<ApiEnv>,
  model: RestModel,
  document?: JsonObject,
): Precondition | undefined {
  const condition = parseUpsertCondition(c, model, document)
  // No other request can have changed a resource that an earlier operation of this request added.
  if (model.model.version?.isRequired && !condition?.hasVersion && !c.env.isLocalId)
    throw preconditionRequiredError(model, c)
  return condition
}

/** Implements `parseUpsert` of `ConditionalRequests`. */
export function parseUpsertCondition(
  c: Context<ApiEnv>,
  model: RestModel,
  document?: JsonObject,
): Precondition | undefined {
  const fromDocument = document && parseDocumentVersion(document, model)
  // Operations have no headers.
  if (c.env.document) return fromDocument && createPrecondition(fromDocument)
  const match = c.req.header('If-Match')
  const noneMatch = c.req.header('If-None-Match')
  if (match === undefined && noneMatch === undefined) return fromDocument && createPrecondition(fromDocument)
  const { version } = model.model
  const tags = parseEntityTags(match, 'If-Match')
  const notInTags = parseEntityTags(noneMatch, 'If-None-Match')
  const matched = tags === undefined || tags === '*' ? undefined : strongRevisions(tags, version)
  const revisionsToMatch =
    matched && fromDocument?.match
      ? matched.filter((revision) => includesRevision(fromDocument.match ?? [], revision))
      : (matched ?? fromDocument?.match)
  return createPrecondition({
    ...(revisionsToMatch && { match: revisionsToMatch }),
    ...(notInTags !== undefined && { notIn: notInTags === '*' ? notInTags : revisions(notInTags, version) }),
    hasVersion: tags !== undefined || fromDocument !== undefined,
    source: matched ? { header: 'If-Match' } : (fromDocument?.source ?? { header: 'If-None-Match' }),
  })
}

/** Implements `assertRequiredCondition` of `ConditionalRequests`. */
export function assertRequiredCondition(
  c: Context<ApiEnv>,
  model: RestModel,
  condition: Precondition | undefined,
): void {
  if (model.model.version?.isRequired && !condition?.hasVersion && !condition?.isCreateOnly)
    throw preconditionRequiredError(model, c)
}

/** Returns the error for a change that lacks the required precondition. */
function preconditionRequiredError({ type }: RestModel, c: Context<ApiEnv>): RequestError {
  const isOperation = c.env.document !== undefined
  const source = isOperation ? '"meta.version"' : 'If-Match'
  const noun = isOperation ? 'version' : 'ETag'
  const detail = `Changes to a "${type}" require ${source} with the ${noun} received when it was read.`
  return new RequestError({
    code: 'precondition-required',
    detail,
    ...(!isOperation && { source: { header: source } }),
  })
}

/** Parses the version in the `meta` of a document, or of the resource in it. */
function parseDocumentVersion(document: JsonObject, { model, type }: RestModel): PreconditionData | undefined {
  const found = findDocumentVersion(document)
  if (!found) return undefined
  const { value, pointer } = found
  if (!model.version) throw malformedDocument(`"${type}" has no versions.`, pointer)
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw malformedDocument('Must be a string: the version received when the resource was read.', pointer)
  }
  const revision = parseRevision(model.version, String(value))
  return { match: revision === undefined ? [] : [revision], hasVersion: true, source: { pointer } }
}

/** Implements `parseValidators` of `ConditionalRequests`. */
export function parseCacheValidators(c: Context<ApiEnv>, model: RestModel): CacheValidators | undefined {
  const { version } = model.model
  if (!version) return undefined
  const match = c.req.header('If-Match')
  const noneMatch = c.req.header('If-None-Match')
  if (match === undefined && noneMatch === undefined) return undefined
  const tags = parseEntityTags(match, 'If-Match')
  const cachedTags = parseEntityTags(noneMatch, 'If-None-Match') ?? []
  return {
    assertMatch(row) {
      if (tags === undefined || tags === '*') return
      const condition = { match: strongRevisions(tags, version), hasVersion: true, source: { header: 'If-Match' } }
      if (!meetsPrecondition(condition, row[version.name])) throw preconditionFailedError(model, condition)
    },
    isCached: (tag) => cachedTags === '*' || cachedTags.some(({ opaque }) => tag === `"${opaque}"`),
  }
}

/** Returns the revisions of strong ETags. Weak ETags are left out, because they do not identify an exact revision. */
function strongRevisions(tags: EntityTags, version: Version | undefined): readonly Revision[] {
  return tags === '*'
    ? []
    : revisions(
        tags.filter(({ isWeak }) => !isWeak),
        version,
      )
}

function revisions(tags: Exclude<EntityTags, '*'>, version: Version | undefined): readonly Revision[] {
  if (!version) return []
  return tags.flatMap(({ opaque }) => parseRevision(version, opaque.split('.', 1)[0] ?? '') ?? [])
}

/** The value of a conditional header: `*` for every representation, or a list of entity tags. */
export type EntityTags = '*' | readonly EntityTag[]

/** An entity tag (RFC 9110, section 8.8.3). */
export interface EntityTag {
  /** The text between the quotes. */
  readonly opaque: string
  readonly isWeak: boolean
}

/** Maximum number of tags in a header. */
const MAX_TAGS = 100

const TAG = /\s*(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"\s*(,|$)/y

/**
 * Parses `If-Match` or `If-None-Match` (RFC 9110, sections 13.1.1 and 13.1.2).
 * @param header the header's name, for the error
 * @returns undefined if the request does not have the header
 * @throws RequestError 400 if the header is not a list of entity tags
 */
export function parseEntityTags(value: string | undefined, header: string): EntityTags | undefined {
  if (value === undefined) return undefined
  if (value.trim() === '*') return '*'
  const tags: EntityTag[] = []
  TAG.lastIndex = 0
  while (TAG.lastIndex < value.length) {
    const found = TAG.exec(value)
    if (!found || tags.length === MAX_TAGS) throw malformed(header)
    tags.push({ opaque: found[2] ?? '', isWeak: found[1] !== undefined })
    // Reject a trailing comma.
    if (found[3] === ',' && TAG.lastIndex === value.length) throw malformed(header)
  }
  if (tags.length === 0) throw malformed(header)
  return tags
}

function malformed(header: string): RequestError {
  const detail = `${header} must be "*" or at most ${MAX_TAGS} quoted entity tags, separated by commas.`
  return new RequestError({ code: 'bad-request', detail, source: { header } })
}
