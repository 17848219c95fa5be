import { getEncoding, toBase64 } from '../../values/to-json.js'
import { scalarFromJson } from '../../values/from-json.js'
import type { KeysetPosition } from './keyset.js'
import { isNullable, type SortKey, unsupportedSort } from './sort-keys.js'
import { decodeUtf8 } from '../../http/body.js'
import { fromBase64 } from '../../values/parse.js'

/** The longest cursor that is written or read: with it, a URL has room in what servers take. */
const MAX_LENGTH = 3000

/**
 * Writes places as cursors: the values of its keys, and what list it is a place in. They tell nothing that the row did not, and can
 * ask for nothing that a filter could not.
 * @param list what tells lists with other orders and filters from this one
 * @returns throws RequestError 400 where a value is too long for a URL
 */
export function createCursorEncoder(keys: readonly SortKey[], list: string): (place: KeysetPosition) => string {
  const encodings = keys.map(({ field }) => getEncoding(field))
  return ({ values, inclusive }) => {
    const encoded = values.map((value, index) => (value === null ? null : (encodings[index]?.encode(value) ?? value)))
    const cursor = base64Url(JSON.stringify([list, inclusive ? 1 : 0, ...encoded]))
    if (cursor.length > MAX_LENGTH)
      throw unsupportedSort('The values that rows are ordered by are too long for a cursor.')
    return cursor
  }
}

function base64Url(text: string): string {
  // A third of the time, but not everywhere; each row of a page has a cursor.
  if (typeof Buffer === 'function') return Buffer.from(text).toString('base64url')
  return toBase64(new TextEncoder().encode(text)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * Reads a cursor.
 * @returns what is wrong with it, where it is none of this list
 */
export function decodeCursor(keys: readonly SortKey[], cursor: string, list: string): KeysetPosition | string {
  const parts = partsOf(cursor)
  if (!parts) return 'It is no cursor. Take one from the links or the items of a page.'
  const [of, inclusive, ...encoded] = parts
  if (of !== list || encoded.length !== keys.length || (inclusive !== 0 && inclusive !== 1)) {
    return 'It is a cursor of a list with another sort or filter. Begin again without it.'
  }
  const values: unknown[] = []
  for (const [index, key] of keys.entries()) {
    const value = encoded[index]
    const parsed = value === null ? undefined : scalarFromJson(key.field, value)
    if (parsed ? !parsed.ok : !isNullable(key))
      return 'It is no cursor. Take one from the links or the items of a page.'
    values.push(parsed?.ok ? parsed.value : null)
  }
  return { values, inclusive: inclusive === 1 }
}

function partsOf(cursor: string): readonly unknown[] | undefined {
  if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) return undefined
  try {
    const bytes = fromBase64(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    const parts: unknown = JSON.parse(decodeUtf8(bytes))
    return Array.isArray(parts) ? parts : undefined
  } catch {
    return undefined
  }
}

/** A short text that tells lists apart. Two of a kind may share it: then a cursor of one is a place in the other too. */
export function listFingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
