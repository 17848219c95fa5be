import type { Annotation } from '../values/to-json.js'

/** What JSON escapes, and what it may have to: a lone half of a surrogate pair. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

/** A text as JSON. Most texts have nothing to escape, and to look for it takes half of the time of `JSON.stringify`. */
export function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** superjson's notes on a JSON text, written in the same pass: the members of `meta.serialization.values` (contract 2.5). */
export interface SerializationNotes {
  text: string
}

/**
 * Notes what a value was before it became JSON.
 * @param path where it is, escaped as inside a JSON string
 * @param annotation what superjson notes of it, as JSON
 */
export function addAnnotation(notes: SerializationNotes, path: string, annotation: string): void {
  notes.text += notes.text === '' ? `"${path}":${annotation}` : `,"${path}":${annotation}`
}

/** An annotation as JSON. */
export function annotationText(annotation: Annotation): string {
  return JSON.stringify(annotation)
}
