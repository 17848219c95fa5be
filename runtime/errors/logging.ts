import type { LogContext } from '../http/handler-types.js'

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
