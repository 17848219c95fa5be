import { type ErrorDetail, RequestError } from '../errors/request-error.js'
import type { HookSession } from './hook-session.js'

/** The location of a write that calls hooks. */
export interface HookLocation {
  readonly session: HookSession
  /** The operation of the request. */
  readonly operation: string
  /** The position in the data of the operation. */
  readonly path: readonly (string | number)[]
  /** The number of hooks that the write is nested in. Writes made by hooks have no position in the request. */
  readonly depth: number
}

/**
 * Adds the position in the request to an error thrown by a hook. Errors about the outermost row keep their `field`, which REST and RPC
 * convert to a location. For nested rows, the field becomes a path in RPC. Otherwise it is removed.
 */
export function locateHookError(error: unknown, location: HookLocation): unknown {
  const isTopLevel = location.depth === 0 && location.path.length === 0
  if (isTopLevel || !(error instanceof RequestError)) return error
  const [first, ...others] = error.errors
  return new RequestError(
    [withPath(first, location), ...others.map((errorDetail) => withPath(errorDetail, location))],
    error.headers,
  )
}

function withPath(
  { field, ...errorDetail }: ErrorDetail,
  { session, operation, path, depth }: HookLocation,
): ErrorDetail {
  const isInRequest = depth === 0 && session.event.style === 'rpc' && operation !== 'upsert'
  return field !== undefined && isInRequest ? { path: ['data', ...path, field], ...errorDetail } : errorDetail
}
