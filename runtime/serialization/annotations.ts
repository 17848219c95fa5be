import type { Annotation } from '../values/to-json.js'

/** superjson's annotations of a JSON text, collected while it is written: the members of `meta.serialization.values` (contract 2.5). */
export interface SerializationNotes {
  text: string
}

/**
 * Adds the annotation of a value.
 * @param path the path of the value, escaped for a JSON string
 * @param annotation superjson's annotation as JSON
 */
export function addAnnotation(notes: SerializationNotes, path: string, annotation: string): void {
  notes.text += notes.text === '' ? `"${path}":${annotation}` : `,"${path}":${annotation}`
}

/** Serializes an annotation as JSON. */
export function annotationText(annotation: Annotation): string {
  return JSON.stringify(annotation)
}

/** superjson's path syntax: keys joined with dots. A dot in a key is escaped as `\.` and, since version 1, a backslash as `\\`. */

/** Escapes a key as a segment of a path. */
export function escapeKey(key: string): string {
  return key.includes('\\') || key.includes('.') ? key.replace(/\\/g, '\\\\').replace(/\./g, '\\.') : key
}

/**
 * Splits a path into its keys.
 * @param legacy whether to use the syntax before version 1, which has no `\\`
 * @returns undefined if the path is malformed
 */
export function parsePath(path: string, legacy: boolean): string[] | undefined {
  const keys: string[] = []
  let key = ''
  for (let index = 0; index < path.length; index++) {
    const char = path.charAt(index)
    const next = path.charAt(index + 1)
    if (char === '\\' && (next === '.' || (next === '\\' && !legacy))) {
      key += next
      index++
    } else if (char === '\\' && !legacy) {
      return undefined
    } else if (char === '.') {
      keys.push(key)
      key = ''
    } else {
      key += char
    }
  }
  keys.push(key)
  return keys
}
