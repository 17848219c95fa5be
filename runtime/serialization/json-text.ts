import type { Annotation } from '../values/to-json.js'

/** A text as JSON. */
export const quote: (text: string) => string = JSON.stringify

/** superjson's notes on a JSON text, written in the same pass: the members of `meta.serialization.values` (contract 2.5). */
export interface Notes {
  text: string
}

/**
 * Notes what a value was before it became JSON.
 * @param path where it is, escaped as inside a JSON string
 * @param annotation what superjson notes of it, as JSON
 */
export function note(notes: Notes, path: string, annotation: string): void {
  notes.text += notes.text === '' ? `"${path}":${annotation}` : `,"${path}":${annotation}`
}

/** An annotation as JSON. */
export function annotationText(annotation: Annotation): string {
  return JSON.stringify(annotation)
}
