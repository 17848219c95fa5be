import type { LogContext } from '../http/api-handler.js'

/** Writes a line where the app wants it, and to the console where that fails: an answer is made all the same, and the process goes on. */
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

/** Where failures are written, unless the app says otherwise. */
export function logToConsole(message: string, error: unknown): void {
  console.error(message, ...(error === undefined ? [] : [error]))
}

/** How a line names a failure and its request: ` 1b9d… (request 7)`. */
export function logLabel(id: string | undefined, told: LogContext): string {
  const request = safeRequestId(told)
  return (id === undefined ? '' : ` ${id}`) + (request === undefined ? '' : ` (request ${request})`)
}

// Nothing of it can end a line or begin a word of a log's own format.
const REQUEST_ID = /^[\w.:=+/@~-]{1,255}$/

/** The id of a request, unless it is one that nobody should put into a log. */
export function safeRequestId({ requestId }: LogContext): string | undefined {
  const given = requestId?.()
  const text = typeof given === 'number' ? String(given) : given
  return typeof text === 'string' && REQUEST_ID.test(text) ? text : undefined
}

/**
 * Lets one through in an interval, and counts the others.
 * @param interval in milliseconds
 * @param now the time in milliseconds, which only goes forward
 * @returns gives how many were held back since the last one, or undefined where this one is held back
 */
export function throttle(interval: number, now: () => number): () => number | undefined {
  let next = -Infinity
  let held = 0
  return () => {
    const at = now()
    if (at < next) {
      held++
      return undefined
    }
    const before = held
    next = at + interval
    held = 0
    return before
  }
}

/** Writes that a database does not do what it is asked, with what its driver says of it. */
export type LogOutage = (told: LogContext, id: string, what: string) => void

/**
 * Makes what writes the outages of one handler: a line a second, however many requests fail.
 * @param now as {@link throttle} has it
 */
export function createOutageLog(now: () => number = () => performance.now()): LogOutage {
  const pass = throttle(1000, now)
  return (told, id, what) => {
    const held = pass()
    if (held === undefined) return
    const others = held === 0 ? '' : ` (${held} more since the last such line)`
    writeLog(told, `[routewright] error${logLabel(id, told)}: ${what}${others}`)
  }
}
