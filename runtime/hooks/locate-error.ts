import { type ErrorDetail, RequestError } from '../errors/request-error.js'
import type { HookSession } from './session.js'

/** Where a write stands that a hook is told of. */
export interface HookLocation {
  readonly session: HookSession
  /** The operation of the request. */
  readonly operation: string
  /** Where in its data. */
  readonly path: readonly (string | number)[]
  /** How many hooks it was made through: the request has no place for what a hook writes. */
  readonly depth: number
}

/**
 * Says of what a hook throws where in the request it is. Each style knows the fields of the row that a request writes itself; those of
 * a nested row are in the arguments of the RPC style alone.
 */
export function locateHookError(error: unknown, place: HookLocation): unknown {
  const isOwn = place.depth === 0 && place.path.length === 0
  if (isOwn || !(error instanceof RequestError)) return error
  const [first, ...others] = error.faults
  return new RequestError(
    [placedFault(first, place), ...others.map((fault) => placedFault(fault, place))],
    error.headers,
  )
}

function placedFault({ field, ...fault }: ErrorDetail, { session, operation, path, depth }: HookLocation): ErrorDetail {
  const isKnown = depth === 0 && session.event.style === 'rpc' && operation !== 'upsert'
  return field !== undefined && isKnown ? { path: ['data', ...path, field], ...fault } : fault
}
