import type { RenderError } from '../../http/pipeline-types.js'
import { recordFailure } from '../../http/telemetry.js'
import { ERROR_STATUSES, errorTitle } from '../../errors/error-codes.js'
import { createOutageLog } from '../../errors/outage-log.js'
import { toRequestError } from '../../errors/to-request-error.js'
import { type ErrorDetail, detailOf } from '../../errors/request-error.js'
import type { Schema } from '../../schema/model.js'
import { JSONAPI } from './jsonapi-member.js'
import type { RestModel } from '../rest-model.js'
import { RESPONSE_HEADERS } from './response-headers.js'
import type { Settings } from '../settings.js'
import { bodyFieldBySchemaName } from '../body-field-by-schema-name.js'

/** Maximum number of errors in a response. */
const MAX_ERRORS = 100

/**
 * Creates the function that renders errors as JSON:API error documents (contract 7.2; JSON:API "Errors"). In strict mode, `status` is a
 * string and Prisma's code is in `meta.ormCode`.
 * @param byType the models by path name, which is the first segment of a request's path
 */
export function renderRestError(
  schema: Schema,
  { strict, databaseMessages }: Pick<Settings, 'strict' | 'databaseMessages'>,
  byType: ReadonlyMap<string, RestModel>,
): RenderError {
  const logOutage = createOutageLog()
  return (error, logContext, type = '') => {
    const { errors, headers } = toRequestError(error, schema, logContext, logOutage)
    recordFailure(logContext, error, errors)
    const model = byType.get(type)
    const errorObjects = errors
      .slice(0, MAX_ERRORS)
      .map((errorDetail) => errorObject(withPointer(errorDetail, model), strict, databaseMessages))
    const status = commonStatus(errors.map(({ code }) => ERROR_STATUSES[code]))
    const body = JSON.stringify({ errors: errorObjects, jsonapi: JSONAPI })
    return new Response(body, { status, headers: { ...RESPONSE_HEADERS, ...headers } })
  }
}

/** Adds a pointer to the field that an error thrown by the app names, if the model has that field. */
export function withPointer(error: ErrorDetail, model: RestModel | undefined): ErrorDetail {
  const { field, source } = error
  if (field === undefined || source || !model) return error
  if (field === 'id' && model.model.fields.has(field)) return { ...error, source: { pointer: '/data/id' } }
  const attribute = bodyFieldBySchemaName(model, field)
  const [member, name] = attribute ? ['attributes', attribute.wire] : ['relationships', field]
  if (!attribute && !model.relationships.has(field)) return error
  return { ...error, source: { pointer: `/data/${member}/${name}` } }
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

/** Returns the status that all errors share. If they differ, returns 500 if one of them is a server error, and 400 otherwise. */
function commonStatus(statuses: readonly number[]): number {
  const [first = 500] = statuses
  if (statuses.every((status) => status === first)) return first
  return statuses.some((status) => status >= 500) ? 500 : 400
}
