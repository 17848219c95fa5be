import { isObject } from '../values/is-object.js'
import { dateToJson, decimalToJson, toBase64 } from '../values/to-json.js'
import { escapeKey, addAnnotation, annotationText, type SerializationNotes } from './annotations.js'

const DATE = annotationText(['Date'])
const BIGINT = annotationText(['bigint'])
const DECIMAL = annotationText([['custom', 'Decimal']])
const BYTES = annotationText([['custom', 'Bytes']])

/** The maximum length of a text. */
export interface SizeLimit {
  readonly maxBytes: number
  /** Throws the error for a text that is too long. */
  readonly throwTooLarge: () => never
}

/** The JSON of a value that rows rarely or never contain. */
export interface OtherValue {
  /** Undefined if the value is omitted, as functions are. */
  readonly json: string | undefined
  /** The JSON of superjson's annotation of the value. */
  readonly annotation?: string | undefined
}

/** The settings and the annotations of a text. */
export interface JsonWriter {
  /** Receives the annotations. */
  readonly notes: SerializationNotes
  /** Names of the schema that need no escaping, because they are identifiers. */
  readonly names: ReadonlySet<string>
  /** Maximum length of the text, checked while a list is written. */
  readonly limit: SizeLimit | undefined
  /**
   * Writes a value that is neither JSON nor of a field's type: `undefined`, a number such as NaN, an invalid date, a function or an object
   * of a class.
   * @param write writes another value instead
   */
  readonly writeOther: (value: unknown, write: (replacement: unknown) => string | undefined) => OtherValue
}

/**
 * Writes a value as JSON in one pass, with superjson's annotations of dates, bigints, decimals and bytes (contract 2.5). A value that
 * occurs twice is written twice.
 * @param parentPath the path of the container, followed by a dot; escaped for a JSON string
 * @param key the last segment of the path; escaped. Undefined for the root
 * @returns undefined if the value cannot be represented in JSON
 */
export function writeJson(
  value: unknown,
  parentPath: string,
  key: string | number | undefined,
  writer: JsonWriter,
): string | undefined {
  switch (typeof value) {
    case 'string':
      return quoteJson(value)
    case 'number':
      if (Number.isFinite(value) && !Object.is(value, -0)) return String(value)
      return writeOther(value, parentPath, key, writer)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      addAnnotation(writer.notes, pathOf(parentPath, key), BIGINT)
      return `"${value}"`
    case 'object':
      break
    default:
      return writeOther(value, parentPath, key, writer)
  }
  if (value === null) return 'null'
  if (Array.isArray(value)) return writeList(value, childPath(parentPath, key), writer)
  if (isObject(value)) return writeObject(value, childPath(parentPath, key), writer)
  const annotation = getAnnotation(value)
  if (!annotation) return writeOther(value, parentPath, key, writer)
  addAnnotation(writer.notes, pathOf(parentPath, key), annotation)
  if (value instanceof Date) return `"${dateToJson(value)}"`
  return quoteJson(value instanceof Uint8Array ? toBase64(value) : decimalToJson(value))
}

function writeOther(
  value: unknown,
  parentPath: string,
  key: string | number | undefined,
  writer: JsonWriter,
): string | undefined {
  const { json, annotation } = writer.writeOther(value, (replacement) =>
    writeJson(replacement, parentPath, key, writer),
  )
  if (annotation) addAnnotation(writer.notes, pathOf(parentPath, key), annotation)
  return json
}

function writeList(list: readonly unknown[], path: string, writer: JsonWriter): string {
  const { notes, limit } = writer
  let text = ''
  for (let index = 0; index < list.length; index++) {
    const json = writeJson(list[index], path, index, writer) ?? 'null'
    text += index === 0 ? json : `,${json}`
    // Checked here because the whole text may exceed the maximum length of a string.
    if (limit && text.length + notes.text.length > limit.maxBytes) limit.throwTooLarge()
  }
  return `[${text}]`
}

function writeObject(object: object, path: string, writer: JsonWriter): string {
  let text = ''
  for (const [key, member] of Object.entries(object)) {
    const isName = writer.names.has(key)
    const json = writeJson(member, path, isName ? key : quoteJson(escapeKey(key)).slice(1, -1), writer)
    if (json === undefined) continue
    const name = isName ? `"${key}"` : quoteJson(key)
    text += text === '' ? `${name}:${json}` : `,${name}:${json}`
  }
  return `{${text}}`
}

function pathOf(parentPath: string, key: string | number | undefined): string {
  return key === undefined ? parentPath : `${parentPath}${key}`
}

function childPath(parentPath: string, key: string | number | undefined): string {
  return key === undefined ? parentPath : `${parentPath}${key}.`
}

function getAnnotation(value: object): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : DATE
  if (value instanceof Uint8Array) return BYTES
  return isDecimal(value) ? DECIMAL : undefined
}

/** Whether a text is longer than a number of bytes in UTF-8. For most texts, the number of UTF-16 units is sufficient to decide. */
export function exceedsByteLength(bytes: number, text: string): boolean {
  if (text.length > bytes) return true
  if (text.length * 3 <= bytes) return false
  let left = bytes
  for (let index = 0; index < text.length && left >= 0; index++) {
    const unit = text.charCodeAt(index)
    // Each half of a surrogate pair counts two of the pair's four bytes.
    left -= unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return left < 0
}

/** Characters that JSON escapes, and surrogates, which it escapes if they are unpaired. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

/** Serializes a string as JSON. Most strings need no escaping, and the check takes half the time of `JSON.stringify`. */
export function quoteJson(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** A `Decimal` of Prisma's client or of decimal.js, from any copy of the module. */
export interface DecimalLike {
  toFixed(): string
}

/** Whether a value is a `Decimal` of Prisma's client or of decimal.js. */
export function isDecimal(value: unknown): value is DecimalLike {
  return Object.prototype.toString.call(value) === '[object Decimal]'
}
