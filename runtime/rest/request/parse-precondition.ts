import type { Context } from 'hono'

import { type ErrorDetail, RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../../http/handler-types.js'
import { type EntityTags, parseEntityTags } from '../../http/parse-entity-tags.js'
import { type Revision, formatRevision, parseRevision, type Version } from '../../schema/version-field.js'
import { isObject } from '../../values/is-object.js'
import type { RestModel } from '../rest-model.js'
import type { Row } from '../orm/row.js'
import type { JsonObject } from './json-object.js'
import { malformedDocument } from './document-errors.js'
import { childPointer } from './json-pointer.js'

/** The precondition of a request: `If-Match`, `If-None-Match` or `meta.version`. */
export interface Precondition {
  /** The allowed revisions. Undefined if any revision is allowed. */
  readonly match?: readonly Revision[] | undefined
  /** The disallowed revisions. `*` if the resource must not exist. */
  readonly notIn?: readonly Revision[] | '*' | undefined
  /** Whether the request requires a specific version of the resource or, with `If-Match: *`, any existing version. */
  readonly hasVersion: boolean
  /** The source of the precondition in the request. */
  readonly source: ErrorDetail['source']
}

/**
 * Parses the precondition of a request that changes a resource: `If-Match` and `If-None-Match` (RFC 9110, section 13), and `meta.version`,
 * as in responses. Only the version of an ETag is compared, which is the part before the first dot.
 * @param document the request's document
 * @returns undefined if there is no precondition
 * @throws RequestError 400 if it is invalid, 428 if the model requires one and it is missing
 */
export function parsePrecondition(
  c: Context<ApiEnv>,
  model: RestModel,
  document?: JsonObject,
): Precondition | undefined {
  const condition = parseUpsertPrecondition(c, model, document)
  // No other request can have changed a resource that an earlier operation of this request added.
  if (model.model.version?.isRequired && !condition?.hasVersion && !c.env.isLocalId)
    throw preconditionRequiredError(model, c)
  return condition
}

/**
 * Like {@link parsePrecondition}, for a request that may create the resource. Such a request never requires a precondition.
 * @param document undefined for a plain create, whose `meta` may be copied from another resource and does not describe an existing row
 */
export function parseUpsertPrecondition(
  c: Context<ApiEnv>,
  model: RestModel,
  document?: JsonObject,
): Precondition | undefined {
  const fromDocument = document && parseDocumentVersion(document, model)
  // Operations have no headers.
  if (c.env.document) return fromDocument
  const match = c.req.header('If-Match')
  const noneMatch = c.req.header('If-None-Match')
  if (match === undefined && noneMatch === undefined) return fromDocument
  const { version } = model.model
  const tags = parseEntityTags(match, 'If-Match')
  const notInTags = parseEntityTags(noneMatch, 'If-None-Match')
  const matched = tags === undefined || tags === '*' ? undefined : strongRevisions(tags, version)
  const revisionsToMatch =
    matched && fromDocument?.match
      ? matched.filter((revision) => includesRevision(fromDocument.match ?? [], revision))
      : (matched ?? fromDocument?.match)
  return {
    ...(revisionsToMatch && { match: revisionsToMatch }),
    ...(notInTags !== undefined && { notIn: notInTags === '*' ? notInTags : revisions(notInTags, version) }),
    hasVersion: tags !== undefined || fromDocument !== undefined,
    source: matched ? { header: 'If-Match' } : (fromDocument?.source ?? { header: 'If-None-Match' }),
  }
}

/** Returns the error for a change that lacks the required precondition. */
export function preconditionRequiredError({ type }: RestModel, c: Context<ApiEnv>): RequestError {
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
function parseDocumentVersion({ meta, data }: JsonObject, { model, type }: RestModel): Precondition | undefined {
  const resourceVersion = isObject(data) && isObject(data['meta']) ? data['meta']['version'] : undefined
  const documentVersion = isObject(meta) ? meta['version'] : undefined
  const value = documentVersion === undefined ? resourceVersion : documentVersion
  if (value === undefined) return undefined
  const pointer = childPointer(documentVersion === undefined ? '/data/meta' : '/meta', 'version')
  if (!model.version) throw malformedDocument(`"${type}" has no versions.`, pointer)
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw malformedDocument('Must be a string: the version received when the resource was read.', pointer)
  }
  const revision = parseRevision(model.version, String(value))
  return { match: revision === undefined ? [] : [revision], hasVersion: true, source: { pointer } }
}

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
 * Parses the conditional headers of a request that reads a resource.
 * @returns undefined if there are none, or if the model has no version
 * @throws RequestError 400 if they are invalid
 */
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

/** Returns Prisma's filter for rows that meet a precondition, to combine with the row's own filter. Undefined if all rows meet it. */
export function preconditionWhere(
  { match, notIn }: Precondition,
  { model, locking }: RestModel,
): Readonly<Record<string, unknown>> | undefined {
  const { version } = model
  if (notIn === '*' || (match && (!version || match.length === 0))) return locking.noRows
  if (!version) return undefined
  const { name } = version
  const [only] = match ?? []
  const matchWhere = match && { [name]: match.length === 1 ? only : { in: match } }
  if (!notIn || notIn.length === 0) return matchWhere
  const notInWhere = { [name]: { notIn } }
  return matchWhere ? { AND: [matchWhere, notInWhere] } : notInWhere
}

/** Whether a revision meets a precondition. */
export function meetsPrecondition({ match, notIn }: Precondition, value: unknown): boolean {
  const text = formatRevision(value)
  // An unreadable version matches no revision.
  if (text === undefined && (match || notIn)) return false
  if (notIn === '*' || (notIn && includesRevision(notIn, value))) return false
  return !match || includesRevision(match, value)
}

function includesRevision(list: readonly Revision[], value: unknown): boolean {
  return list.some((revision) => formatRevision(revision) === formatRevision(value))
}

/** Returns the error for a precondition that is not met. */
export function preconditionFailedError({ type, model }: RestModel, { notIn, source }: Precondition): RequestError {
  const other = model.version
    ? `The "${type}" no longer has the requested version, because it has been changed. Read it again.`
    : `"${type}" has no versions, so no ETag matches. Omit the precondition.`
  const detail = notIn === '*' ? `This "${type}" already exists.` : other
  return new RequestError({ code: 'precondition-failed', detail, ...(source && { source }) })
}
