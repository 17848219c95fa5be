import type { Field } from '../../schema/resource.js'
import { annotationText, addAnnotation, type SerializationNotes } from '../../serialization/annotations.js'
import { quoteJson } from '../../serialization/write-json.js'
import { dateToJson, getEncoding, toBase64 } from '../../values/to-json.js'

/**
 * Converts an attribute's value to JSON and adds superjson's annotation of its type to the notes.
 * @param path the path of the resource in the document, for the notes: `data.3`
 * @returns undefined for values that JSON omits, which only client extensions produce
 */
export type WriteAttribute = (value: unknown, path: string, notes: SerializationNotes) => string | undefined

/** Renders a field of a row as an attribute. */
export interface AttributeWriter {
  /** The name in the row. */
  readonly name: string
  /** The name as an attribute. */
  readonly wire: string
  /** The name as JSON, with the colon. */
  readonly key: string
  /** Converts the field's values to JSON. */
  readonly write: WriteAttribute
  /** Whether the client computes the field. If so, undefined is a valid value. */
  readonly isComputed?: true
}

/** Returns the writer for the attribute of a field. Looks up the encoding of the field's type once. */
export function attributeWriter(wire: string, field: Field): WriteAttribute {
  const encoding = getEncoding(field)
  if (!encoding) return plainText
  const text = (value: unknown) => encodedText(value) ?? plainText(encoding.encode(value))
  const attributePath = `.attributes.${wire}`
  const annotation = annotationText(encoding.annotation)
  return (value, path, notes) => {
    if (value === null || isInvalidDate(value)) return 'null'
    if (Array.isArray(value)) return listText(value, path + attributePath, annotation, notes, text)
    addAnnotation(notes, path + attributePath, annotation)
    return text(value)
  }
}

/**
 * Returns the JSON of values whose text needs no escaping, or undefined for other values. Client extensions can put any value into any
 * field.
 */
function encodedText(value: unknown): string | undefined {
  if (value instanceof Date) return `"${dateToJson(value)}"`
  if (typeof value === 'bigint') return `"${value}"`
  return value instanceof Uint8Array ? `"${toBase64(value)}"` : undefined
}

/** PostgreSQL and SQLite can contain dates that JavaScript cannot represent. */
function isInvalidDate(value: unknown): boolean {
  return value instanceof Date && Number.isNaN(value.getTime())
}

function listText(
  list: readonly unknown[],
  path: string,
  annotation: string,
  notes: SerializationNotes,
  text: (value: unknown) => string | undefined,
): string {
  const elements = list.map((element, index) => {
    if (isInvalidDate(element)) return 'null'
    addAnnotation(notes, `${path}.${index}`, annotation)
    return text(element) ?? 'null'
  })
  return `[${elements.join(',')}]`
}

/** Converts a value of a type that JSON supports. Returns undefined for values that JSON omits, which only client extensions produce. */
function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return quoteJson(value)
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return value === null ? 'null' : JSON.stringify(value)
}
