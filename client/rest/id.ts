import type { ResourceOrId, Id } from './types/values.js'

/**
 * Converts an id to a string.
 * @throws TypeError if the value is not an id. With an empty id, a URL would address the whole collection.
 */
export function idString(id: Id): string {
  const isText = typeof id === 'string' && id !== ''
  if (isText || typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id)
  throw new TypeError(`${JSON.stringify(id)} is not an id. Use a string, a bigint or a safe integer.`)
}

/** Returns the id of a resource, or the id itself. */
export function getId(target: ResourceOrId): Id {
  return typeof target === 'object' ? target.id : target
}

/** Returns the version received when a resource was read, or undefined if the target is an id or has no version. */
export function getVersion(target: unknown): string | undefined {
  return Object(Object(target).$meta).version
}
