import type { Field, ScalarType } from '../resource.js'
import { annotationText, note, type Notes, quote } from '../serialization/json-text.js'
import { dateToJson, type Encoding, encodingOf, toBase64 } from '../values/to-json.js'

/**
 * Writes the value of an attribute as JSON, and notes what it was.
 * @param path where the resource is, for the notes: `data.3`
 * @returns undefined for what JSON leaves out, which only client extensions give
 */
export type WriteAttribute = (value: unknown, path: string, notes: Notes) => string | undefined

/** How the values of an attribute become JSON text: known once for each field, so that no value is asked what it is. */
export function attributeWriter(wire: string, field: Field): WriteAttribute {
  const encoding = encodingOf(field)
  if (!encoding) return plainText
  const text = ENCODED[field.type] ?? encodedBy(encoding)
  const place = `.attributes.${wire}`
  const annotation = annotationText(encoding.annotation)
  return (value, path, notes) => {
    if (value === null) return 'null'
    if (Array.isArray(value)) return listText(value, path + place, annotation, notes, text)
    note(notes, path + place, annotation)
    return text(value)
  }
}

/** Texts without anything to escape; what else client extensions give is left to the encoding. */
const ENCODED: Partial<Record<ScalarType, (value: unknown) => string | undefined>> = {
  DateTime: (value) => (value instanceof Date ? `"${dateToJson(value)}"` : plainText(value)),
  BigInt: (value) => (typeof value === 'bigint' ? `"${value}"` : plainText(String(value))),
  Bytes: (value) => (value instanceof Uint8Array ? `"${toBase64(value)}"` : plainText(value)),
}

function encodedBy({ encode }: Encoding): (value: unknown) => string | undefined {
  return (value) => plainText(encode(value))
}

function listText(
  list: readonly unknown[],
  path: string,
  annotation: string,
  notes: Notes,
  text: (value: unknown) => string | undefined,
): string {
  const elements = list.map((element, index) => {
    note(notes, `${path}.${index}`, annotation)
    return text(element) ?? 'null'
  })
  return `[${elements.join(',')}]`
}

/** A value of a type that JSON has. */
function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return value === null ? 'null' : JSON.stringify(value)
}
