import type { LogContext } from '../http/handler-types.js'
import type { DriverError } from './database/driver-error.js'

/** Writes a line to the app's log, or to the console if that fails. Never throws. */
export function writeLog({ log = logToConsole }: LogContext, message: string, error?: unknown): void {
  const failed = (reason: unknown) => {
    logToConsole(message, error)
    logToConsole('[routewright] log failed:', reason)
  }
  try {
    const written: unknown = log(message, error)
    if (written instanceof Promise) written.catch(failed)
  } catch (reason) {
    failed(reason)
  }
}

/** Writes a line to `console.error`. The default log. */
export function logToConsole(message: string, error: unknown): void {
  console.error(message, ...(error === undefined ? [] : [error]))
}

/** Formats the ids of an error and of its request for a log line: ` 1b9d… (request 7)`. */
export function logLabel(id: string | undefined, logContext: LogContext): string {
  const request = safeRequestId(logContext)
  return (id === undefined ? '' : ` ${id}`) + (request === undefined ? '' : ` (request ${request})`)
}

// Excludes line breaks and other characters with a meaning in log formats.
const REQUEST_ID = /^[\w.:=+/@~-]{1,255}$/

/** Returns the id of a request, or undefined if it is not safe to log. */
export function safeRequestId({ requestId }: LogContext): string | undefined {
  const value = requestId?.()
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && REQUEST_ID.test(text) ? text : undefined
}

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

/** Summarizes an outage in one line. Omits the statement and its values, which drivers and Prisma include in their messages. */
export function outageLogMessage({ message, kind, codes }: DriverError): string {
  // Drivers append the statement to their message, Prisma puts an excerpt of the source before it, and adapters repeat the kind.
  const [words = ''] = message.split(/^\s*sql:/m)
  // An indented line continues the previous one.
  const lines = words.replaceAll(/\n[ \t]+(?=\S)/g, ' ').split('\n')
  const line = lines.findLast((text) => text.trim() !== '' && text !== kind)
  return (line ?? codes.at(-1) ?? 'no reason given').replaceAll(/\p{Cc}/gu, ' ').slice(0, 300)
}
