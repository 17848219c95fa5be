import type { ErrorCode } from '../errors/error-codes.js'
import { RequestError } from '../errors/request-error.js'
import { limitMessage, type Limits } from '../limits.js'

/**
 * Checks that JSON is within `limits.depth` and `limits.nodes`, and that it has no member `__proto__`, which JavaScript may interpret as
 * the prototype. Must run before other code reads the JSON. Does not recurse itself. A list only counts as a level if it is in another
 * list.
 * @param label the subject of the message: "The body"
 * @param code of the error if there is a member `__proto__`
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
        // A list directly in a list counts as a level. Otherwise nested lists would have no limit.
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
