import { decode, type ReadDecimal } from '../codec/decode.js'
import { encode } from '../codec/encode.js'
import { malformed, readJson } from '../http/read-json.js'
import { retryAfterOf } from '../http/retry-after.js'
import type { CallOptions } from '../http/options.js'
import type { HttpRequest, Transport } from '../http/transport.js'
import { RpcError, type RpcIssue } from './rpc-error.js'

/** Calls an operation. */
export type Call = (model: string, operation: string, args?: unknown, options?: CallOptions) => Promise<unknown>

interface CallerOptions {
  readonly maxUrlLength?: number | undefined
  readonly decimal?: ReadDecimal | undefined
}

const JSON_BODY = { 'Content-Type': 'application/json' }

const makeError = (message: string, details: ConstructorParameters<typeof RpcError>[1]) =>
  new RpcError(message, details)

/** Makes what calls operations and reads their results. */
export function caller({ url, send }: Transport, { maxUrlLength = 2000, decimal }: CallerOptions): Call {
  return async (model, operation, args = {}, options) => {
    const request = requestOf(`/${model.toLowerCase()}/${operation}`, operation, args, maxUrlLength - url.length)
    const response = await send(request, options)
    const body = await readJson(response, makeError, options?.signal)
    if (!response.ok) throw errorOf(response, body)
    if (!('data' in body)) throw malformed(response, JSON.stringify(body), makeError)
    const { data, meta } = body
    return decode(data, Object(meta).serialization, decimal)
  }
}

function requestOf(path: string, operation: string, args: unknown, maxLength: number): HttpRequest {
  const safe = /^(find|count|aggregate|groupBy|check)/.test(operation)
  // In a condition of a write the server refuses undefined, which would widen it.
  const { json, values } = encode(args, safe ? 'leave out' : 'note')
  const meta = values && { serialization: { values, v: 1 } }
  const withBody = (method: string): HttpRequest => ({
    method,
    path,
    safe,
    headers: JSON_BODY,
    body: JSON.stringify(meta ? { ...Object(json), meta } : json),
  })
  if (operation.startsWith('update')) return withBody('PATCH')
  if (!safe && !operation.startsWith('delete')) return withBody('POST')
  const query = new URLSearchParams({ q: JSON.stringify(json), ...(meta && { meta: JSON.stringify(meta) }) })
  const inUrl = { method: safe ? 'GET' : 'DELETE', path: `${path}?${query}`, safe }
  return safe && inUrl.path.length > maxLength ? withBody('POST') : inUrl
}

/** What the server says of a failure. */
function errorOf(response: Response, body: Readonly<Record<string, unknown>>): Error {
  const { message, code, issues, rejectedByPolicy, reason } = body
  if (typeof message !== 'string') return malformed(response, JSON.stringify(body), makeError)
  return new RpcError(message, {
    status: response.status,
    code: typeof code === 'string' ? code : undefined,
    issues: Array.isArray(issues) ? (issues as readonly RpcIssue[]) : undefined,
    rejectedByPolicy: rejectedByPolicy === true,
    reason: typeof reason === 'string' ? reason : undefined,
    retryAfter: retryAfterOf(response),
  })
}
