import type { RenderFailure } from '../../http/dispatch.js'
import { ERROR_CODES } from '../../errors/codes.js'
import { toRequestError } from '../../errors/to-request-error.js'
import type { Fault } from '../../errors/request-error.js'
import type { Schema } from '../../schema/schema.js'
import { JSONAPI } from './document.js'
import { RESPONSE_HEADERS } from '../request/negotiation.js'

/** How many faults an answer tells of: who has more to mend begins with these. */
const MOST_FAULTS = 100

/**
 * Makes failures into documents of errors (contract 7.2; JSON:API "Errors").
 * @param strict `status` as a string and `meta.ormCode`, as JSON:API has it (design 5)
 */
export function restFailure(schema: Schema, strict: boolean): RenderFailure {
  return (error, log) => {
    const { faults, headers } = toRequestError(error, schema, log)
    const errors = faults.slice(0, MOST_FAULTS).map((fault) => errorObject(fault, strict))
    const status = commonStatus(faults.map(({ code }) => ERROR_CODES[code].status))
    const body = JSON.stringify({ errors, jsonapi: JSONAPI })
    return new Response(body, { status, headers: { ...RESPONSE_HEADERS, ...headers } })
  }
}

function errorObject({ code, detail, source, ormCode, reason, about, rule, id }: Fault, strict: boolean): object {
  const { status, title } = ERROR_CODES[code]
  const meta = {
    ...(strict && ormCode !== undefined ? { ormCode } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(about ? { fields: about } : {}),
    ...rule,
  }
  return {
    ...(id === undefined ? {} : { id }),
    code,
    status: strict ? String(status) : status,
    title,
    detail,
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
