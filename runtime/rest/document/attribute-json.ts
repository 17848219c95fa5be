import type { Field } from '../../schema/resource.js'
import { annotationText, addAnnotation, type SerializationNotes, quote } from '../../serialization/json-writer.js'
import { dateToJson, getEncoding, toBase64 } from '../../values/to-json.js'

/**
 * Writes the value of an attribute as JSON, and notes what it was.
 * @param path where the resource is, for the notes: `data.3`
 * @returns undefined for what JSON leaves out, which only client extensions give
 */
export type WriteAttribute = (value: unknown, path: string, notes: SerializationNotes) => string | undefined

/** How a member of a row is shown as an attribute. */
export interface AttributeWriter {
  /** Its name in the row. */
  readonly name: string
  /** Its name as an attribute. */
  readonly wire: string
  /** Its name as JSON, with the colon. */
  readonly key: string
  /** How its values become JSON. */
  readonly write: WriteAttribute
  /** Whether the client computes it. Where it has, even undefined is a value. */
  readonly isComputed?: true
}

/** How the values of an attribute become JSON text: what its type says of them is looked up once for each field. */
export function attributeWriter(wire: string, field: Field): WriteAttribute {
  const encoding = getEncoding(field)
  if (!encoding) return plainText
  const text = (value: unknown) => encodedText(value) ?? plainText(encoding.encode(value))
  const place = `.attributes.${wire}`
  const annotation = annotationText(encoding.annotation)
  return (value, path, notes) => {
    if (value === null) return 'null'
    if (Array.isArray(value)) return listText(value, path + place, annotation, notes, text)
    addAnnotation(notes, path + place, annotation)
    return text(value)
  }
}

/** Values whose texts have nothing to escape, whatever field a client extension gives them to. */
function encodedText(value: unknown): string | undefined {
  if (value instanceof Date) return `"${dateToJson(value)}"`
  if (typeof value === 'bigint') return `"${value}"`
  return value instanceof Uint8Array ? `"${toBase64(value)}"` : undefined
}

function listText(
  list: readonly unknown[],
  path: string,
  annotation: string,
  notes: SerializationNotes,
  text: (value: unknown) => string | undefined,
): string {
  const elements = list.map((element, index) => {
    addAnnotation(notes, `${path}.${index}`, annotation)
    return text(element) ?? 'null'
  })
  return `[${elements.join(',')}]`
}

/** A value of a type that JSON has. Undefined for what JSON leaves out, which only client extensions give. */
function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return value === null ? 'null' : JSON.stringify(value)
}
