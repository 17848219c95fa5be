import { getEncoding, toBase64 } from '../../values/to-json.js'
import { scalarFromJson } from '../../values/from-json.js'
import type { KeysetPosition } from './keyset.js'
import { isNullable, type SortKey, unsupportedSort } from './sort-keys.js'
import { decodeUtf8 } from '../../http/read-body.js'
import { fromBase64 } from '../../values/parse-scalars.js'

/** Maximum length of a cursor. Leaves room for the rest of the URL within the limits of common servers. */
const MAX_LENGTH = 3000

/**
 * Creates a function that encodes positions as cursors: the values of the sort keys and the fingerprint of the list. Cursors contain only
 * values of the row, and they select only rows that a filter could also select.
 * @param list the fingerprint that identifies the list's sort order and filter
 * @returns a function that throws RequestError 400 if the values are too long for a URL
 */
export function createCursorEncoder(keys: readonly SortKey[], list: string): (position: KeysetPosition) => string {
  const encodings = keys.map(({ field }) => getEncoding(field))
  return ({ values, inclusive }) => {
    const encoded = values.map((value, index) => (value === null ? null : (encodings[index]?.encode(value) ?? value)))
    const cursor = base64Url(JSON.stringify([list, inclusive ? 1 : 0, ...encoded]))
    if (cursor.length > MAX_LENGTH) throw unsupportedSort('The sort values are too long for a cursor.')
    return cursor
  }
}

function base64Url(text: string): string {
  // Each row of a page has a cursor. `Buffer` takes a third of the time, but is not available in all runtimes.
  if (typeof Buffer === 'function') return Buffer.from(text).toString('base64url')
  return toBase64(new TextEncoder().encode(text)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * Decodes a cursor.
 * @returns an error message if the cursor is invalid or belongs to a different list
 */
export function decodeCursor(keys: readonly SortKey[], cursor: string, list: string): KeysetPosition | string {
  const parts = parseParts(cursor)
  if (!parts) return 'This is not a valid cursor. Use one from the links or the resources of a page.'
  const [fingerprint, inclusive, ...encoded] = parts
  if (fingerprint !== list || encoded.length !== keys.length || (inclusive !== 0 && inclusive !== 1)) {
    return 'The cursor belongs to a list with a different sort order or filter. Start again without a cursor.'
  }
  const values: unknown[] = []
  for (const [index, key] of keys.entries()) {
    const value = encoded[index]
    const parsed = value === null ? undefined : scalarFromJson(key.field, value)
    if (parsed ? !parsed.ok : !isNullable(key))
      return 'This is not a valid cursor. Use one from the links or the resources of a page.'
    values.push(parsed?.ok ? parsed.value : null)
  }
  return { values, inclusive: inclusive === 1 }
}

function parseParts(cursor: string): readonly unknown[] | undefined {
  if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) return undefined
  try {
    const bytes = fromBase64(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    const parts: unknown = JSON.parse(decodeUtf8(bytes))
    return Array.isArray(parts) ? parts : undefined
  } catch {
    return undefined
  }
}

/** Returns a short hash that identifies a list. If two lists have the same hash, a cursor of one is accepted as a position in the other. */
export function listFingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
