import type { Limits } from '../../limits.js'
import { quoteText, invalidArguments, limitExceeded } from './arguments.js'

/**
 * Ends a request whose JSON nests too deep or holds too many values, or that has a member `__proto__`, which
 * JavaScript may take for the prototype. (`constructor` and the like are names as any others: members are only ever looked up as
 * own ones, or in maps.) Runs before anything else looks at the JSON, and does not recurse itself. Lists do not count as a level.
 */
export function checkJsonShape(json: unknown, what: string, limits: Limits): void {
  let level: unknown[] = [json]
  let nodes = 0
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    const lists: unknown[] = []
    for (let queue = level; queue.length > 0; queue = lists.splice(0)) {
      for (const value of queue) {
        if (++nodes > limits.nodes) limitExceeded('nodes', `${what} must not hold more than ${limits.nodes} values.`)
        if (typeof value !== 'object' || value === null) continue
        if (depth > limits.depth) limitExceeded('depth', `${what} must not nest deeper than ${limits.depth}.`)
        // Lists in lists would otherwise be no level at all.
        if (Array.isArray(value)) for (const element of value) (Array.isArray(element) ? next : lists).push(element)
        else addMembers(value, what, next)
      }
    }
    level = next
  }
}

function addMembers(object: object, what: string, into: unknown[]): void {
  for (const [key, member] of Object.entries(object)) {
    if (key === '__proto__') invalidArguments('invalid-arguments', `${what} must not have a member ${quoteText(key)}.`)
    into.push(member)
  }
}
