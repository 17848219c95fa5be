import type { Id } from './types/values.js'

/**
 * An id as it stands in a body.
 * @throws TypeError for what is no id: with an empty one, a URL would be that of the whole collection
 */
export function idText(id: Id): string {
  const isText = typeof id === 'string' && id !== ''
  if (isText || typeof id === 'bigint' || Number.isSafeInteger(id)) return String(id)
  throw new TypeError(`${JSON.stringify(id)} is no id. An id is a text that is not empty, a bigint or a safe integer.`)
}
