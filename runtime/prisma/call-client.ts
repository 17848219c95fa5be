import type { PortResults, PortOperation, PortArgs } from './client-port.js'
import { providerOf } from './internals.js'

/** A model, identified by its delegate. */
export interface CallTarget {
  /** The name of the delegate. */
  readonly delegate: string
}

/**
 * Calls an operation of a model on a client by name. Emitted code does not use this function: it calls clients with their own types.
 * @throws Error if the client does not have the operation because it belongs to a different schema
 */
export function callClient<O extends PortOperation>(
  client: unknown,
  { delegate }: CallTarget,
  operation: O,
  args: PortArgs<O>,
): PromiseLike<PortResults[O]> {
  const operations = memberOf(client, delegate)
  const call = memberOf(operations, operation)
  if (typeof call === 'function') return call.call(operations, args)
  throw new Error(`The client has no ${delegate}.${operation}. It was generated from a different schema.`)
}

/** The databases that cannot return the rows that a statement writes. Prisma's delegates have the corresponding operations anyway. */
const WITHOUT_RETURNING: readonly unknown[] = ['mysql', 'sqlserver']

/** Whether a client has an operation that is not available on every database. */
export function hasOperation(
  client: unknown,
  { delegate }: CallTarget,
  operation: 'createManyAndReturn' | 'updateManyAndReturn',
): boolean {
  if (WITHOUT_RETURNING.includes(providerOf(client))) return false
  return typeof memberOf(memberOf(client, delegate), operation) === 'function'
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
