import type { LogContext } from '../http/handler-types.js'
import { writeLog, logLabel } from './logging.js'

/**
 * Allows one call per interval and counts suppressed calls.
 * @param interval in milliseconds
 * @param now a monotonic clock in milliseconds
 * @returns a function that returns the number of calls suppressed since the last allowed one, or undefined if this call is suppressed
 */
export function throttle(interval: number, now: () => number): () => number | undefined {
  let next = -Infinity
  let suppressed = 0
  return () => {
    const time = now()
    if (time < next) {
      suppressed++
      return undefined
    }
    const before = suppressed
    next = time + interval
    suppressed = 0
    return before
  }
}

/** Logs a database outage with the driver's message. */
export type LogOutage = (logContext: LogContext, id: string, description: string) => void

/**
 * Creates the outage log of a handler, which writes at most one line per second.
 * @param now see {@link throttle}
 */
export function createOutageLog(now: () => number = () => performance.now()): LogOutage {
  const nextSuppressed = throttle(1000, now)
  return (logContext, id, description) => {
    const suppressed = nextSuppressed()
    if (suppressed === undefined) return
    const others = suppressed === 0 ? '' : ` (${suppressed} more since the last such line)`
    writeLog(logContext, `[routewright] error${logLabel(id, logContext)}: ${description}${others}`)
  }
}
