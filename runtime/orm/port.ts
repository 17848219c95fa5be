import type { Model } from '../schema/schema.js'

/** The operations that the runtime calls by name, beside those that the emitted routes call. */
export type NamedOperation = 'findUnique' | 'findFirst' | 'findMany' | 'count'

/**
 * Calls an operation of a model on any client. The emitted code has the client's own types; what is called here is known by
 * name only.
 * @throws Error where the client lacks it: it is not one of this schema
 */
export async function callDelegate(
  orm: unknown,
  { delegate }: Model,
  operation: NamedOperation,
  args: object,
): Promise<unknown> {
  const operations = memberOf(orm, delegate)
  const call = memberOf(operations, operation)
  if (typeof call !== 'function') throw new Error(`The client has no ${delegate}.${operation}.`)
  return Reflect.apply(call, operations, [args])
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
