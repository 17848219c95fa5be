import type { Limits } from '../../limits.js'
import { UNSAFE_KEYS } from '../../serialization/deserialize.js'
import { quote, refuse } from './refuse.js'

/**
 * Ends a request whose JSON nests too deep or holds too many values, or that names a member through which a prototype can be
 * reached. Runs before anything else looks at the JSON, and does not recurse itself. Lists do not count as a level.
 */
export function checkTree(json: unknown, what: string, limits: Limits): void {
  let level: unknown[] = [json]
  let nodes = 0
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    const lists: unknown[] = []
    for (let queue = level; queue.length > 0; queue = lists.splice(0)) {
      for (const value of queue) {
        if (++nodes > limits.nodes) refuse('limit-exceeded', `${what} must not hold more than ${limits.nodes} values.`)
        if (typeof value !== 'object' || value === null) continue
        if (depth > limits.depth) refuse('limit-exceeded', `${what} must not nest deeper than ${limits.depth}.`)
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
    if (UNSAFE_KEYS.has(key)) refuse('invalid-arguments', `${what} must not have a member ${quote(key)}.`)
    into.push(member)
  }
}
