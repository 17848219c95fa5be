import { isMembers } from './impact/graph.js'

/** Arguments as they stand in a key: what has no JSON of its own is a text, so that different arguments have different keys. */
export function toQueryKey(args: unknown): unknown {
  if (typeof args === 'bigint') return `${args}n`
  if (Array.isArray(args)) return args.map(toQueryKey)
  if (!isMembers(args)) return args
  // Prisma's nulls of Json columns.
  if (typeof args['_getName'] === 'function') return String(args['_getName']())
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, toQueryKey(value)]))
}
