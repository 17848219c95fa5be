import { decode, type ReadDecimal } from '../codec/decode.js'
import { encode } from '../codec/encode.js'
import { malformedResponse, readJson } from '../http/read-json.js'
import { parseRetryAfter } from '../http/retry-after.js'
import type { CallOptions } from '../http/options.js'
import type { HttpRequest, Transport } from '../http/transport.js'
import { isRead } from './is-read.js'
import { RpcError, type RpcIssue } from './rpc-error.js'

/** Calls operations of an RPC API. */
export interface Caller {
  /**
   * Calls an operation or a custom route.
   * @param method the HTTP method of a custom route. Operations have the method that fits their name.
   */
  call(model: string, operation: string, args?: unknown, options?: CallOptions, method?: string): Promise<unknown>
  /** Calls several operations in one transaction. */
  transact(calls: readonly PendingCall[], options?: CallOptions): Promise<unknown>
}

/** An operation that has not been called yet. */
export interface PendingCall {
  readonly model: string
  readonly op: string
  readonly args?: unknown
  /** The models that a custom route writes, for TanStack Query. Undefined for other operations. */
  readonly writes?: readonly string[]
}

interface CallerOptions {
  readonly maxUrlLength?: number | undefined
  readonly decimal?: ReadDecimal | undefined
}

const JSON_BODY = { 'Content-Type': 'application/json' }

const makeError = (message: string, details: ConstructorParameters<typeof RpcError>[1]) =>
  new RpcError(message, details)

/** Creates the {@link Caller} of a client. */
export function createCaller({ url, send }: Transport, { maxUrlLength = 2000, decimal }: CallerOptions): Caller {
  const sendRequest = async (
    request: HttpRequest,
    options: CallOptions | undefined,
    isCustomRoute: (operation: unknown) => boolean,
  ) => {
    const response = await send(request, options)
    const body = await readJson(response, makeError, options?.signal)
    if (!response.ok) throw toError(response, body, isCustomRoute)
    if (!('data' in body)) throw malformedResponse(response, JSON.stringify(body), makeError)
    const { data, meta } = body
    return decode(data, Object(meta).serialization, decimal)
  }
  return {
    call(model, operation, args = {}, options, method) {
      const path = `/${model.toLowerCase()}/${operation}`
      // If the arguments cannot be encoded, the call returns a rejected promise instead of throwing.
      return new Promise((resolve) =>
        resolve(
          sendRequest(
            toRequest(path, operation, args, maxUrlLength - url.length, method),
            options,
            () => method !== undefined,
          ),
        ),
      )
    },
    transact: async (calls, options) =>
      sendRequest(toTransactionRequest(calls), options, (operation) => isRouteCall(calls[Number(operation)])),
  }
}

/** Whether a call is that of a declared route. Only these have `writes`. */
function isRouteCall(call: PendingCall | undefined): boolean {
  return call?.writes !== undefined
}

function toTransactionRequest(calls: readonly PendingCall[]): HttpRequest {
  const isSafe = (call: PendingCall) => !isRouteCall(call) && isRead(call.op)
  const body = calls.map((call) => {
    const { model, op, args = {} } = call
    if (typeof op !== 'string') throw new TypeError('$transaction requires unsent calls: api.post.create.call(…).')
    return { model, op, args: encodeBody(args, isSafe(call)) }
  })
  return {
    method: 'POST',
    path: '/$transaction/sequential',
    safe: calls.every(isSafe),
    headers: JSON_BODY,
    body: JSON.stringify(body),
  }
}

function encodeBody(args: unknown, safe: boolean): unknown {
  // If an undefined condition were omitted, a write would match more rows. Undefined conditions are therefore sent, and the server rejects them.
  const { json, values } = encode(args, safe ? 'omit' : 'annotate')
  return values ? { ...Object(json), meta: { serialization: { values, v: 1 } } } : json
}

function toRequest(
  path: string,
  operation: string,
  args: unknown,
  maxLength: number,
  routeMethod: string | undefined,
): HttpRequest {
  const safe = routeMethod ? routeMethod === 'GET' : isRead(operation)
  const body = encodeBody(args, safe)
  const method = routeMethod ?? getMethod(operation, safe)
  const withBody = { method, path, safe, headers: JSON_BODY, body: JSON.stringify(body) }
  if (method !== 'GET' && method !== 'DELETE') return withBody
  const { meta, ...q } = Object(body)
  const query = new URLSearchParams({ q: JSON.stringify(q), ...(meta && { meta: JSON.stringify(meta) }) })
  const urlRequest = { method, path: `${path}?${query}`, safe }
  return safe && !routeMethod && urlRequest.path.length > maxLength ? { ...withBody, method: 'POST' } : urlRequest
}

/** Returns the HTTP method of an operation. */
function getMethod(operation: string, safe: boolean): string {
  if (safe) return 'GET'
  return operation.startsWith('update') ? 'PATCH' : operation.startsWith('delete') ? 'DELETE' : 'POST'
}

/** @param isCustomRoute whether the request or, in a transaction, the operation with this index calls a custom route */
function toError(
  response: Response,
  body: Readonly<Record<string, unknown>>,
  isCustomRoute: (operation: unknown) => boolean,
): Error {
  const { message, code, rejectedByPolicy, reason } = body
  const issues = Array.isArray(body['issues']) ? (body['issues'] as readonly RpcIssue[]) : undefined
  if (typeof message !== 'string') return malformedResponse(response, JSON.stringify(body), makeError)
  return new RpcError(message, {
    status: response.status,
    code: typeof code === 'string' ? code : undefined,
    issues,
    rejectedByPolicy: rejectedByPolicy === true,
    reason: typeof reason === 'string' ? reason : undefined,
    // All issues belong to the same operation.
    isCustomRoute: isCustomRoute(issues?.[0]?.path?.[0]),
    retryAfter: parseRetryAfter(response),
  })
}
