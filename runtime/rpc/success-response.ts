import { exceedsByteLength } from '../serialization/exceeds-byte-length.js'
import { serialize } from '../serialization/serialize.js'
import { RESPONSE_HEADERS } from './render-rpc-error.js'
import { limitExceeded } from './guard/argument-helpers.js'
import type { RouterContext } from './router-context.js'

const OK = { status: 200, headers: RESPONSE_HEADERS }
const CREATED = { status: 201, headers: RESPONSE_HEADERS }

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
  return new Response(body, status === 200 ? OK : CREATED)
}
