import { isPlainObject } from './impact/graph.js'

/**
 * Converts arguments to their form in a query key. Values without a JSON form become strings, so that different arguments have different
 * keys.
 */
export function toQueryKey(args: unknown): unknown {
  if (typeof args === 'bigint') return `${args}n`
  if (Array.isArray(args)) return args.map(toQueryKey)
  if (!isPlainObject(args)) return args
  // Prisma's null values for Json columns.
  if (typeof args['_getName'] === 'function') return String(args['_getName']())
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, toQueryKey(value)]))
}
