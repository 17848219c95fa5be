import type { ErrorCode } from '../errors/error-codes.js'
import { RequestError } from '../errors/request-error.js'
import { limitMessage, type Limits } from '../limits.js'

/**
 * Checks that JSON is within `limits.depth` and `limits.nodes`, and that it has no member `__proto__`, which JavaScript may interpret as
 * the prototype. Must run before other code reads the JSON. Is not recursive itself, so deeply nested JSON cannot overflow the stack. A
 * list counts as a level only if it is directly in another list.
 * @param label the subject of the message: "The body"
 * @param code the error code for a member `__proto__`
 * @throws RequestError 400
 */
export function assertJsonShape(json: unknown, label: string, limits: Limits, code: ErrorCode): void {
  let level: unknown[] = [json]
  let nodes = 0
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    const lists: unknown[] = []
    for (let queue = level; queue.length > 0; queue = lists.splice(0)) {
      for (const value of queue) {
        if (++nodes > limits.nodes)
          throw shapeLimitError('nodes', `${label} must not have more than ${limits.nodes} values.`)
        if (typeof value !== 'object' || value === null) continue
        if (depth > limits.depth)
          throw shapeLimitError('depth', `${label} must not nest deeper than ${limits.depth} levels.`)
        // If these lists did not count, nested lists would have no limit.
        if (Array.isArray(value)) for (const element of value) (Array.isArray(element) ? next : lists).push(element)
        else {
          for (const [key, member] of Object.entries(value)) {
            if (key === '__proto__') {
              throw new RequestError({ code, detail: `${label} must not have a member "__proto__".` })
            }
            next.push(member)
          }
        }
      }
    }
    level = next
  }
}

function shapeLimitError(limit: 'depth' | 'nodes', detail: string): RequestError {
  return new RequestError({ code: 'limit-exceeded', detail: limitMessage(limit, detail) })
}
