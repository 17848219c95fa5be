import { ERROR_STATUSES } from '../errors/error-codes.js'
import { createOutageLog } from '../errors/logging.js'
import { type ErrorDetail, type RequestError, detailOf } from '../errors/request-error.js'
import { toRequestError } from '../errors/to-request-error.js'
import type { RenderError } from '../http/handler-types.js'
import { CACHE_CONTROL } from '../http/response-headers.js'
import { recordFailure } from '../http/telemetry.js'
import type { Model, Schema } from '../schema/model.js'
import { exceedsByteLength } from '../serialization/write-json.js'
import { serialize } from '../serialization/serialize.js'
import { limitExceeded } from './guard/argument-helpers.js'
import type { RouterContext } from './rpc-router.js'

/** The body of an RPC error (contract 7.4). JSON omits its undefined properties. `error` repeats the other properties for ZenStack's clients. */
interface RpcErrorBody extends RpcErrorProperties {
  readonly error: RpcErrorProperties & {
    readonly status: number
    /** Distinguishes a successful write whose result is not readable from a denied write. */
    readonly rejectReason: 'cannot-read-back' | 'no-access' | undefined
  }
}

interface RpcErrorProperties extends Record<'orm' | 'rejectedByPolicy', true | undefined> {
  /** Prisma's error code, or one that the app set. */
  readonly code: string | undefined
  readonly message: string
  readonly reason: string | undefined
  /** The errors that have a path in the arguments. */
  readonly issues: readonly RpcIssue[] | undefined
}

/** One error in the arguments. */
interface RpcIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
  /** The code of the violated rule, such as `required` or zod's `too_small`. Otherwise the code that the error has in REST. */
  readonly code: string
  /** Parameters of that rule: `{ minimum: 3 }`. */
  readonly params: Readonly<Record<string, unknown>> | undefined
}

/** Headers of every response. */
const RESPONSE_HEADERS = { 'Content-Type': 'application/json', ...CACHE_CONTROL } as const

/**
 * Creates the function that renders an error as a response (contract 7.4).
 * @param byName the models by path name
 * @param databaseMessages the value of the handler option with the same name
 */
export function renderRpcError(
  schema: Schema,
  byName: ReadonlyMap<string, Model>,
  databaseMessages = false,
): RenderError {
  const logOutage = createOutageLog()
  return (error, logContext, name = '') => {
    const { errors, headers } = toRequestError(error, schema, logContext, logOutage)
    recordFailure(logContext, error, errors)
    return toErrorResponse(errors, headers, byName.get(name), databaseMessages)
  }
}

function toErrorResponse(
  errors: RequestError['errors'],
  headers: RequestError['headers'],
  model: Model | undefined,
  databaseMessages: boolean,
): Response {
  const [{ code, appCode, ormCode, orm, rejectedByPolicy, reason, operation }] = errors
  const issues = errors.flatMap((error): RpcIssue[] => {
    const { path = findPath(error, model), message = detailOf(error, databaseMessages), rule } = error
    const { rule: code, ...params } = rule ?? { rule: error.appCode ?? error.code }
    return path ? [{ path, message, code, params: rule && params }] : []
  })
  const status = ERROR_STATUSES[code]
  const message = [...new Set(errors.map((error) => detailOf(error, databaseMessages)))].join(' ')
  const properties: RpcErrorProperties = {
    orm,
    rejectedByPolicy,
    code: ormCode ?? appCode,
    message: operation ? `${operation}: ${message}` : message,
    reason,
    issues: issues.length > 0 ? issues : undefined,
  }
  const rejectReason = rejectedByPolicy && (reason === 'RESULT_NOT_READABLE' ? 'cannot-read-back' : 'no-access')
  const body: RpcErrorBody = { ...properties, error: { status, ...properties, rejectReason } }
  return new Response(JSON.stringify(body), { status, headers: { ...RESPONSE_HEADERS, ...headers } })
}

/** Returns the path of the field that an error thrown by the app names, if the model has that field. */
function findPath({ field = '' }: ErrorDetail, model: Model | undefined): ErrorDetail['path'] {
  return model?.fields.has(field) || model?.relations.has(field) ? ['data', field] : undefined
}

/** Returns the status of the response if an operation succeeds (contract 7.3). */
export function successStatus(operation: string): 200 | 201 {
  return operation.startsWith('create') ? 201 : 200
}

/**
 * Creates the response to a successful request.
 * @throws RequestError 400 if the response would exceed the size limit
 */
export function successResponse(
  result: unknown,
  status: 200 | 201,
  { names, limits }: Pick<RouterContext, 'names' | 'limits'>,
): Response {
  const maxBytes = limits.responseBytes
  const throwTooLarge = () =>
    limitExceeded(
      'responseBytes',
      `The response would exceed ${maxBytes} bytes. Take fewer rows, or select fewer fields.`,
    )
  const { json, meta } = serialize(result ?? null, names, { maxBytes, throwTooLarge })
  const body = meta === undefined ? `{"data":${json}}` : `{"data":${json},"meta":{"serialization":${meta}}}`
  if (exceedsByteLength(maxBytes, body)) throwTooLarge()
  return new Response(body, { status, headers: RESPONSE_HEADERS })
}
