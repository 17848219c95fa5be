import type { RenderError } from '../../http/dispatch.js'
import { recordFailure } from '../../http/telemetry.js'
import { ERROR_STATUSES, errorTitle } from '../../errors/codes.js'
import { createOutageLog } from '../../errors/logging.js'
import { toRequestError } from '../../errors/to-request-error.js'
import { type ErrorDetail, detailOf } from '../../errors/request-error.js'
import type { Schema } from '../../schema/schema.js'
import { JSONAPI } from './document.js'
import type { RestModel } from '../model.js'
import { RESPONSE_HEADERS } from '../request/negotiation.js'
import type { Settings } from '../settings.js'
import { bodyField } from '../written-field.js'

/** How many faults an answer tells of: who has more to mend begins with these. */
const MOST_FAULTS = 100

/**
 * Makes failures into documents of errors (contract 7.2; JSON:API "Errors").
 * @param byType the models, by the path name that a request begins with
 * @param settings `strict`: `status` as a string and `meta.ormCode`, as JSON:API defines them (design 5)
 */
export function renderRestError(
  schema: Schema,
  { strict, databaseMessages }: Pick<Settings, 'strict' | 'databaseMessages'>,
  byType: ReadonlyMap<string, RestModel>,
): RenderError {
  const logOutage = createOutageLog()
  return (error, told, type = '') => {
    const { faults, headers } = toRequestError(error, schema, told, logOutage)
    recordFailure(told, error, faults)
    const model = byType.get(type)
    const errors = faults
      .slice(0, MOST_FAULTS)
      .map((fault) => errorObject(withPointer(fault, model), strict, databaseMessages))
    const status = commonStatus(faults.map(({ code }) => ERROR_STATUSES[code]))
    const body = JSON.stringify({ errors, jsonapi: JSONAPI })
    return new Response(body, { status, headers: { ...RESPONSE_HEADERS, ...headers } })
  }
}

/** Points at the field that a fault of the app's own is about, where the model has it. */
export function withPointer(fault: ErrorDetail, model: RestModel | undefined): ErrorDetail {
  const { field, source } = fault
  if (field === undefined || source || !model) return fault
  if (field === 'id' && model.model.fields.has(field)) return { ...fault, source: { pointer: '/data/id' } }
  const attribute = bodyField(model, field)
  const [place, name] = attribute ? ['attributes', attribute.wire] : ['relationships', field]
  if (!attribute && !model.relationships.has(field)) return fault
  return { ...fault, source: { pointer: `/data/${place}/${name}` } }
}

function errorObject(error: ErrorDetail, strict: boolean, databaseMessages: boolean): object {
  const { code, appCode, source, ormCode, reason, about, message, rule, id, type, meta: more } = error
  const status = ERROR_STATUSES[code]
  const meta = {
    ...(strict && ormCode !== undefined ? { ormCode } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(about ? { fields: about } : {}),
    ...(message === undefined ? {} : { message }),
    ...rule,
    ...more,
  }
  return {
    ...(id === undefined ? {} : { id }),
    ...(type === undefined ? {} : { links: { type } }),
    code: appCode ?? code,
    status: strict ? String(status) : status,
    title: errorTitle(code),
    detail: detailOf(error, databaseMessages),
    ...(source ? { source } : {}),
    ...(!strict && ormCode !== undefined ? { ormCode } : {}),
    ...(Object.keys(meta).length > 0 ? { meta } : {}),
  }
}

/** Of several statuses, the most general one that covers them all. */
function commonStatus(statuses: readonly number[]): number {
  const [first = 500] = statuses
  if (statuses.every((status) => status === first)) return first
  return statuses.some((status) => status >= 500) ? 500 : 400
}
