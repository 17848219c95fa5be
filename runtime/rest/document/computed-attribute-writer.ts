import { annotationText, addAnnotation, type SerializationNotes } from '../../serialization/annotations.js'
import { quoteJson } from '../../serialization/quote-json.js'
import { escapeKey } from '../../serialization/annotation-path.js'
import { isDecimal } from '../../values/is-decimal.js'
import { dateToJson, decimalToJson, toBase64 } from '../../values/to-json.js'
import type { AttributeWriter } from './attribute-writer.js'

const DATE = annotationText(['Date'])
const BIGINT = annotationText(['bigint'])
const DECIMAL = annotationText([['custom', 'Decimal']])
const BYTES = annotationText([['custom', 'Bytes']])

/** Returns the writer for a computed field. The schema does not contain its type, so each value is written according to its own type. */
export function computedAttributeWriter(name: string): AttributeWriter {
  const attributePath = `.attributes.${name}`
  return {
    name,
    wire: name,
    key: `"${name}":`,
    isComputed: true,
    write: (value, path, notes) => valueText(value, path + attributePath, notes) ?? 'null',
  }
}

/** Converts a value like `JSON.stringify`, but annotates types that JSON does not have. Returns undefined for values that JSON omits. */
function valueText(value: unknown, path: string, notes: SerializationNotes): string | undefined {
  switch (typeof value) {
    case 'string':
      return quoteJson(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'boolean':
      return String(value)
    case 'bigint':
      return annotate(`"${value}"`, path, BIGINT, notes)
    case 'object':
      return value === null ? 'null' : objectText(value, path, notes)
    default:
      return undefined
  }
}

function objectText(value: object, path: string, notes: SerializationNotes): string | undefined {
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? 'null' : annotate(`"${dateToJson(value)}"`, path, DATE, notes)
  }
  if (value instanceof Uint8Array) return annotate(`"${toBase64(value)}"`, path, BYTES, notes)
  if (isDecimal(value)) return annotate(quoteJson(decimalToJson(value)), path, DECIMAL, notes)
  if (Array.isArray(value)) {
    return `[${value.map((element, index) => valueText(element, `${path}.${index}`, notes) ?? 'null').join(',')}]`
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return valueText(value.toJSON(), path, notes)
  const entries = Object.entries(value).flatMap(([name, entryValue]) => {
    const text = valueText(entryValue, `${path}.${quoteJson(escapeKey(name)).slice(1, -1)}`, notes)
    return text === undefined ? [] : [`${quoteJson(name)}:${text}`]
  })
  return `{${entries.join(',')}}`
}

function annotate(text: string, path: string, annotation: string, notes: SerializationNotes): string {
  addAnnotation(notes, path, annotation)
  return text
}
