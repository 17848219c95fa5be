import type { RequestError } from '../../errors/request-error.js'
import { clientGone, outOfTime } from './refusals.js'

/**
 * Called before a query.
 * @throws RequestError where nobody waits for the answer any more
 */
export type Alive = () => void

/** A request with a time limit, as far as its queries have to know. */
export interface Life {
  /**
   * Called before each query.
   * @param writes whether it may change anything
   * @throws RequestError as {@link Alive}
   */
  begin(writes: boolean): void
  /** How many milliseconds are left; at least 1. */
  left(): number
}

/** A {@link Life}, for who ends it. */
export interface Limited extends Life {
  readonly alive: Alive
  /** What the request is answered with when its time is over. */
  timeout(): RequestError
}

/** Lets queries begin as long as the client waits. */
export function aliveWith(request: Pick<Request, 'signal'>): Alive {
  return () => {
    if (request.signal.aborted) throw clientGone()
  }
}

/**
 * Begins the time of a request.
 * @param timeout how long it has, in milliseconds
 */
export function beginLife(request: Pick<Request, 'signal'>, timeout: number): Limited {
  const end = performance.now() + timeout
  const waits = aliveWith(request)
  let hasWritten = false
  const over = () => outOfTime(hasWritten)
  const alive = () => {
    waits()
    if (performance.now() >= end) throw over()
  }
  return {
    alive,
    begin(writes) {
      alive()
      hasWritten ||= writes
    },
    left: () => Math.max(1, Math.floor(end - performance.now())),
    timeout: over,
  }
}
