import type { ResourceOrId, Id } from './types/values.js'

/**
 * An id as it stands in a body.
 * @throws TypeError for what is no id: with an empty one, a URL would be that of the whole collection
 */
export function idString(id: Id): string {
  const isText = typeof id === 'string' && id !== ''
  if (isText || typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id)
  throw new TypeError(`${JSON.stringify(id)} is no id. An id is a text, a bigint or a safe integer.`)
}

/** The id of what was given: of a resource of an answer, its own. */
export function getId(given: ResourceOrId): Id {
  return typeof given === 'object' ? given.id : given
}

/** The version that a resource was read with; undefined for an id alone, and for a resource that has none. */
export function getVersion(given: unknown): string | undefined {
  return Object(Object(given).$meta).version
}
