import type { Context } from 'hono'

import { type ErrorDetail, RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../../http/api-handler.js'
import { type EntityTags, parseEntityTags } from '../../http/entity-tags.js'
import { type Revision, formatRevision, parseRevision, type Version } from '../../schema/version.js'
import { isObject } from '../../values/is-object.js'
import type { RestModel } from '../model.js'
import type { Row } from '../orm/row.js'
import { childPointer, type JsonObject, malformedDocument } from './body.js'

/** What a request asks of the resource that it is about: that it is of a version, or that it is of none. */
export interface Precondition {
  /** The revisions that it may be of. Undefined where it may be of any. */
  readonly among?: readonly Revision[] | undefined
  /** The revisions that it must not be of; `*` where it must not be there at all. */
  readonly except?: readonly Revision[] | '*' | undefined
  /** Whether the request says which resource it changes: by a version, or by `*`, which is whatever there is. */
  readonly isNamed: boolean
  /** What of the request asks it. */
  readonly source: ErrorDetail['source']
}

/**
 * Reads what a request that changes a resource asks of it before: `If-Match` and `If-None-Match` (RFC 9110, section 13), and `meta.version`, which
 * resources are read with. Of a tag, the version counts: what stands before the first dot.
 * @param document the request's
 * @returns undefined where nothing is asked
 * @throws RequestError 400 where it cannot be read, 428 where the model requires it and it is missing
 */
export function parsePrecondition(
  c: Context<ApiEnv>,
  model: RestModel,
  document?: JsonObject,
): Precondition | undefined {
  const condition = parseUpsertPrecondition(c, model, document)
  // Nobody else has seen what an earlier operation of the same request has added.
  if (model.model.version?.isRequired && !condition?.isNamed && !c.env.isNew) throw preconditionRequiredError(model, c)
  return condition
}

/**
 * As {@link readCondition}, where the resource may be a new one, of which nothing can be required.
 * @param document undefined where its `meta` says nothing of what there is: a copy of a resource may be created
 */
export function parseUpsertPrecondition(
  c: Context<ApiEnv>,
  model: RestModel,
  document?: JsonObject,
): Precondition | undefined {
  const told = document && toldVersion(document, model)
  // Several operations have no headers of their own.
  if (c.env.document) return told
  const match = c.req.header('If-Match')
  const noneMatch = c.req.header('If-None-Match')
  if (match === undefined && noneMatch === undefined) return told
  const { version } = model.model
  const tags = parseEntityTags(match, 'If-Match')
  const except = parseEntityTags(noneMatch, 'If-None-Match')
  const matched = tags === undefined || tags === '*' ? undefined : strongRevisions(tags, version)
  const among = matched && told?.among ? matched.filter((one) => isIn(told.among ?? [], one)) : (matched ?? told?.among)
  return {
    ...(among && { among }),
    ...(except !== undefined && { except: except === '*' ? except : revisions(except, version) }),
    isNamed: tags !== undefined || told !== undefined,
    source: matched ? { header: 'If-Match' } : (told?.source ?? { header: 'If-None-Match' }),
  }
}

/** The error of a change that says of no version that it was made of it. */
export function preconditionRequiredError({ type }: RestModel, c: Context<ApiEnv>): RequestError {
  const isOperation = c.env.document !== undefined
  const what = isOperation ? '"meta.version"' : 'If-Match'
  const how = isOperation ? 'the version' : 'the tag'
  const detail = `Changes of a "${type}" need ${what}: ${how} that it was read with.`
  return new RequestError({ code: 'precondition-required', detail, ...(!isOperation && { source: { header: what } }) })
}

/** The version in the `meta` of a document, or of the resource in it, as it was read. */
function toldVersion({ meta, data }: JsonObject, { model, type }: RestModel): Precondition | undefined {
  const ofResource = isObject(data) && isObject(data['meta']) ? data['meta']['version'] : undefined
  const ofDocument = isObject(meta) ? meta['version'] : undefined
  const given = ofDocument === undefined ? ofResource : ofDocument
  if (given === undefined) return undefined
  const pointer = childPointer(ofDocument === undefined ? '/data/meta' : '/meta', 'version')
  if (!model.version) throw malformedDocument(`"${type}" has no versions.`, pointer)
  if (typeof given !== 'string' && typeof given !== 'number') {
    throw malformedDocument('It must be the version that the resource was read with: a string.', pointer)
  }
  const revision = parseRevision(model.version, String(given))
  return { among: revision === undefined ? [] : [revision], isNamed: true, source: { pointer } }
}

/** What a request that reads a resource says of the answer to it. */
export interface CacheValidators {
  /**
   * Refuses a row that is not of a revision that is asked for (`If-Match`).
   * @throws RequestError 412
   */
  require(row: Row): void
  /** Whether the caller has the answer with a tag already (`If-None-Match`). Of such a tag all counts. */
  isKnown(tag: string): boolean
}

/**
 * Reads what a request that reads a resource says of the answer to it.
 * @returns undefined where it says nothing, or the model has no version
 * @throws RequestError 400 where it cannot be read
 */
export function parseCacheValidators(c: Context<ApiEnv>, model: RestModel): CacheValidators | undefined {
  const { version } = model.model
  if (!version) return undefined
  const match = c.req.header('If-Match')
  const noneMatch = c.req.header('If-None-Match')
  if (match === undefined && noneMatch === undefined) return undefined
  const among = parseEntityTags(match, 'If-Match')
  const known = parseEntityTags(noneMatch, 'If-None-Match') ?? []
  return {
    require(row) {
      if (among === undefined || among === '*') return
      const condition = { among: strongRevisions(among, version), isNamed: true, source: { header: 'If-Match' } }
      if (!meetsPrecondition(condition, row[version.name])) throw preconditionFailedError(model, condition)
    },
    isKnown: (tag) => known === '*' || known.some(({ opaque }) => tag === `"${opaque}"`),
  }
}

/** Weak tags say nothing of whether a change may be made. */
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

/** Prisma's filter of rows that meet a condition, beside what else finds them. Undefined where all do. */
export function preconditionWhere(
  { among, except }: Precondition,
  { model, locking }: RestModel,
): Readonly<Record<string, unknown>> | undefined {
  const { version } = model
  if (except === '*' || (among && (!version || among.length === 0))) return locking.none
  if (!version) return undefined
  const { name } = version
  const [only] = among ?? []
  const isAmong = among && { [name]: among.length === 1 ? only : { in: among } }
  if (!except || except.length === 0) return isAmong
  const isNot = { [name]: { notIn: except } }
  return isAmong ? { AND: [isAmong, isNot] } : isNot
}

/** Whether a revision meets a condition. */
export function meetsPrecondition({ among, except }: Precondition, value: unknown): boolean {
  const text = formatRevision(value)
  // What may not be read is of no version.
  if (text === undefined && (among || except)) return false
  if (except === '*' || (except && isIn(except, value))) return false
  return !among || isIn(among, value)
}

function isIn(list: readonly Revision[], value: unknown): boolean {
  return list.some((one) => formatRevision(one) === formatRevision(value))
}

/** The error of a condition that is not met. */
export function preconditionFailedError({ type, model }: RestModel, { except, source }: Precondition): RequestError {
  const other = model.version
    ? `The "${type}" is not of the version that is asked for: another change has come before. Read it again.`
    : `"${type}" has no versions, so no tag fits it. Leave the condition out.`
  const detail = except === '*' ? `There is such a "${type}" already.` : other
  return new RequestError({ code: 'precondition-failed', detail, ...(source && { source }) })
}
