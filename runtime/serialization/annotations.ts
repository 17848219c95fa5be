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
