import type { Context } from 'hono'

import { type Fault, RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../../http/handler.js'
import { type EntityTags, readEntityTags } from '../../http/entity-tags.js'
import { type Revision, revisionText, revisionValue, type Version } from '../../schema/version.js'
import type { RestModel } from '../model.js'
import type { Row } from '../orm/row.js'
import { below, type JsonObject, malformedDocument } from './body.js'

/** What a request asks of the resource that it is about: that it is of a revision, or that it is of none. */
export interface Condition {
  /** The revisions that it may be of. Undefined where it may be of any. */
  readonly among?: readonly Revision[] | undefined
  /** The revisions that it must not be of; `*` where it must not be there at all. */
  readonly except?: readonly Revision[] | '*' | undefined
  /** What of the request asks it. */
  readonly source: Fault['source']
}

/**
 * Reads what a request that changes a resource asks of it before: `If-Match` and `If-None-Match` (RFC 9110, section 13), or `meta.version` of one
 * operation of several. Of a tag, the revision counts: what stands before the first dot.
 * @param document the request's
 * @returns undefined where nothing is asked
 * @throws RequestError 400 where it cannot be read, 428 where the model requires it and it is missing
 */
export function readCondition(c: Context<ApiEnv>, model: RestModel, document?: JsonObject): Condition | undefined {
  const condition = askedCondition(c, model, document)
  if (model.model.version?.isRequired && !condition && !isOfOwnMaking(c)) throw conditionRequired(model, c)
  return condition
}

/** As {@link readCondition}, where the resource may be a new one, of which nothing can be required. */
export function askedCondition(c: Context<ApiEnv>, model: RestModel, document?: JsonObject): Condition | undefined {
  if (c.env.document) return operationCondition(document, model)
  const match = c.req.header('If-Match')
  const noneMatch = c.req.header('If-None-Match')
  if (match === undefined && noneMatch === undefined) return undefined
  const { version } = model.model
  const among = readEntityTags(match, 'If-Match')
  const except = readEntityTags(noneMatch, 'If-None-Match')
  return {
    ...(among !== undefined && among !== '*' && { among: strongRevisions(among, version) }),
    ...(except !== undefined && { except: except === '*' ? except : revisions(except, version) }),
    source: { header: among === undefined || among === '*' ? 'If-None-Match' : 'If-Match' },
  }
}

/** The error of a change that says of no revision that it was made of it. */
export function conditionRequired({ type }: RestModel, c: Context<ApiEnv>): RequestError {
  const isOperation = c.env.document !== undefined
  const what = isOperation ? '"meta.version"' : 'If-Match'
  const how = isOperation ? 'the version' : 'the tag'
  const detail = `A "${type}" is changed with ${what} only: ${how} that it was read with, so that no change of another is lost.`
  return new RequestError({ code: 'precondition-required', detail, ...(!isOperation && { source: { header: what } }) })
}

/** Whether an operation is about what an earlier one of the same request has added: nobody else has seen it. */
function isOfOwnMaking(c: Context<ApiEnv>): boolean {
  return c.env.isNew === true
}

function operationCondition(document: JsonObject | undefined, { model, type }: RestModel): Condition | undefined {
  const meta = document?.['meta']
  const given = typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'version') : undefined
  if (given === undefined) return undefined
  const pointer = below('/meta', 'version')
  if (!model.version) throw malformedDocument(`"${type}" has no versions.`, pointer)
  if (typeof given !== 'string' && typeof given !== 'number') {
    throw malformedDocument('It must be the version that the resource was read with: a string.', pointer)
  }
  const revision = revisionValue(model.version, String(given))
  return { among: revision === undefined ? [] : [revision], source: { pointer } }
}

/** What a request that reads a resource says of the answer to it. */
export interface Known {
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
export function readKnown(c: Context<ApiEnv>, model: RestModel): Known | undefined {
  const { version } = model.model
  if (!version) return undefined
  const match = c.req.header('If-Match')
  const noneMatch = c.req.header('If-None-Match')
  if (match === undefined && noneMatch === undefined) return undefined
  const among = readEntityTags(match, 'If-Match')
  const known = readEntityTags(noneMatch, 'If-None-Match') ?? []
  return {
    require(row) {
      if (among === undefined || among === '*') return
      const condition = { among: strongRevisions(among, version), source: { header: 'If-Match' } }
      if (!meetsCondition(condition, row[version.name])) throw conditionFailed(model, condition)
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
  return tags.flatMap(({ opaque }) => revisionValue(version, opaque.split('.', 1)[0] ?? '') ?? [])
}

/** Prisma's filter of rows that meet a condition, beside what else finds them. Undefined where all do. */
export function conditionWhere(
  { among, except }: Condition,
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
export function meetsCondition({ among, except }: Condition, value: unknown): boolean {
  const text = revisionText(value)
  const has = (list: readonly Revision[]) => list.some((one) => revisionText(one) === text)
  if (except === '*' || (except && has(except))) return false
  return !among || has(among)
}

/** The error of a condition that is not met. */
export function conditionFailed({ type }: RestModel, { except, source }: Condition): RequestError {
  const detail =
    except === '*'
      ? `There is such a "${type}" already.`
      : `The "${type}" is not of the revision that is asked for: another change has come before. Read it again.`
  return new RequestError({ code: 'precondition-failed', detail, ...(source && { source }) })
}
