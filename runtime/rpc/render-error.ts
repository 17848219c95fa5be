import { CACHE_CONTROL } from '../http/cache-control.js'
import { ERROR_STATUSES } from '../errors/codes.js'
import { createOutageLog } from '../errors/logging.js'
import { toRequestError } from '../errors/to-request-error.js'
import { type ErrorDetail, type RequestError, detailOf } from '../errors/request-error.js'
import type { RenderError } from '../http/dispatch.js'
import { recordFailure } from '../http/telemetry.js'
import type { Model, Schema } from '../schema/schema.js'

/** The body of an error in the RPC style (contract 7.4), and the same once more where ZenStack's clients look for it. */
interface RpcErrorBody extends RpcErrorMembers {
  readonly error: RpcErrorMembers & {
    readonly status: number
    /** By which those clients tell a write that succeeded, and whose result is not shown, from one that was denied. */
    readonly rejectReason?: 'cannot-read-back' | 'no-access'
  }
}

interface RpcErrorMembers extends Pick<ErrorDetail, 'orm' | 'rejectedByPolicy' | 'reason'> {
  /** Prisma's own error code, or one that the app gave. */
  readonly code?: string | undefined
  readonly message: string
  /** Each fault with its place in the arguments, where there is one. */
  readonly issues?: readonly RpcIssue[]
}

/** One thing that is wrong with the arguments. */
interface RpcIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
  /** Zod's code of the rule that was not fulfilled. */
  readonly code?: string
  /** Parameters of that rule: `{ minimum: 3 }`. */
  readonly params?: Readonly<Record<string, unknown>>
}

/** Headers of every answer. */
export const HEADERS = { 'Content-Type': 'application/json', ...CACHE_CONTROL } as const

/**
 * Makes of whatever was thrown the answer in the format of contract 7.4.
 * @param byName the models, by the path name that a request begins with
 * @param databaseMessages the handler option of that name
 */
export function renderRpcError(
  schema: Schema,
  byName: ReadonlyMap<string, Model>,
  databaseMessages = false,
): RenderError {
  const logOutage = createOutageLog()
  return (error, told, name = '') => {
    const { faults, headers } = toRequestError(error, schema, told, logOutage)
    recordFailure(told, error, faults)
    return answerOf(faults, headers, byName.get(name), databaseMessages)
  }
}

function answerOf(
  faults: RequestError['faults'],
  headers: RequestError['headers'],
  model: Model | undefined,
  databaseMessages: boolean,
): Response {
  const [{ code, appCode, ormCode, orm, rejectedByPolicy, reason, operation }] = faults
  const issues = faults.flatMap((fault): RpcIssue[] => {
    const { path = pathOf(fault, model), message = detailOf(fault, databaseMessages), rule } = fault
    if (!path) return []
    if (!rule) return [{ path, message }]
    const { rule: code, ...params } = rule
    return [{ path, message, code, params }]
  })
  const status = ERROR_STATUSES[code]
  const message = [...new Set(faults.map((fault) => detailOf(fault, databaseMessages)))].join(' ')
  const members: RpcErrorMembers = {
    ...(orm && { orm }),
    ...(rejectedByPolicy && { rejectedByPolicy }),
    ...((ormCode ?? appCode) !== undefined && { code: ormCode ?? appCode }),
    message: operation === undefined ? message : `${operation}: ${message}`,
    ...(reason !== undefined && { reason }),
    ...(issues.length > 0 && { issues }),
  }
  const rejectReason = reason === 'RESULT_NOT_READABLE' ? 'cannot-read-back' : 'no-access'
  const body: RpcErrorBody = {
    ...members,
    error: { status, ...members, ...(rejectedByPolicy && { rejectReason }) },
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...HEADERS, ...headers },
  })
}

/** Where a write is given the field that a fault of the app's own is about, if the model has it. */
function pathOf({ field }: ErrorDetail, model: Model | undefined): ErrorDetail['path'] {
  if (field === undefined || !model) return undefined
  return model.fields.has(field) || model.relations.has(field) ? ['data', field] : undefined
}
