import { isDecimal } from '../values/is-decimal.js'
import { isObject } from '../values/is-object.js'
import { dateToJson, decimalToJson, toBase64 } from '../values/to-json.js'
import { annotationText, addAnnotation, type SerializationNotes } from './annotations.js'
import { quoteJson } from './quote-json.js'
import { escapeKey } from './annotation-path.js'

/** A value as JSON text with the annotations to restore it. */
export interface Serialized {
  readonly json: string
  /** The value of `meta.serialization` (contract 2.5) as JSON text. Absent if there are no annotations. */
  readonly meta?: string
}

const DATE = annotationText(['Date'])
const BIGINT = annotationText(['bigint'])
const DECIMAL = annotationText([['custom', 'Decimal']])
const BYTES = annotationText([['custom', 'Bytes']])

/**
 * Serializes a value to JSON text with annotations for the types that JSON does not have (contract 2.5). The result equals superjson's with
 * the custom types `Decimal` and `Bytes`, but needs only one pass. A value that occurs twice is written twice without an annotation:
 * Prisma's rows are trees, and the contract does not include superjson's annotations of equal dates.
 * @param names names of the schema that need no escaping, because they are identifiers
 * @param limit maximum length of the JSON text, checked while a list is written
 */
export function serialize(value: unknown, names: ReadonlySet<string> = NONE, limit?: SizeLimit): Serialized {
  const notes: SerializationNotes = { text: '' }
  const rootAnnotation = getRootAnnotation(value)
  const json = write(value, '', undefined, { notes, names, limit }) ?? 'null'
  if (rootAnnotation) return { json, meta: `{"values":${rootAnnotation},"v":1}` }
  return notes.text === '' ? { json } : { json, meta: `{"values":{${notes.text}},"v":1}` }
}

/** The maximum length of a text. */
export interface SizeLimit {
  readonly maxBytes: number
  /** Throws the error for a text that is too long. */
  readonly throwTooLarge: () => never
}

const NONE: ReadonlySet<string> = new Set()

/** The serialization of a value that Prisma rarely returns, or that only client extensions return. */
interface SpecialValue {
  /** Undefined if the value cannot be represented in JSON, as with functions. */
  readonly json: string | undefined
  readonly annotation?: string
}

function writeSpecial(value: unknown): SpecialValue {
  if (value === undefined) return { json: 'null', annotation: '["undefined"]' }
  if (typeof value === 'number') {
    return { json: Object.is(value, -0) ? '"-0"' : `"${value}"`, annotation: '["number"]' }
  }
  if (typeof value !== 'object') return { json: undefined }
  if (value instanceof Map) return writeParts('map', [...value])
  if (value instanceof Set) return writeParts('set', [...value])
  if (value instanceof Error) {
    const { name, message, cause } = value
    return writeParts('Error', { name, message, ...('cause' in value && { cause }) })
  }
  if (value instanceof RegExp) return { json: quoteJson(String(value)), annotation: '["regexp"]' }
  if (value instanceof URL) return { json: quoteJson(value.href), annotation: '["URL"]' }
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    // JSON cannot represent `NaN` and infinity.
    const numbers = String(value).replaceAll(/NaN|-?Infinity/g, 'null')
    return { json: `[${numbers}]`, annotation: `[["typed-array","${value.constructor.name}"]]` }
  }
  return { json: JSON.stringify(value) }
}

/** Serializes a value that contains others, which have their own annotations. */
function writeParts(type: string, parts: object): SpecialValue {
  const notes: SerializationNotes = { text: '' }
  const json = write(parts, '', undefined, { notes, names: NONE, limit: undefined })
  return { json, annotation: notes.text === '' ? `["${type}"]` : `["${type}",{${notes.text}}]` }
}

type Step = string | number | undefined

interface WriterState {
  readonly notes: SerializationNotes
  readonly names: ReadonlySet<string>
  readonly limit: SizeLimit | undefined
}

/**
 * @param parentPath the path of the container, followed by a dot; escaped
 * @param key the last segment of the path; escaped. Undefined for the root
 * @returns undefined if the value cannot be represented in JSON
 */
function write(value: unknown, parentPath: string, key: Step, state: WriterState): string | undefined {
  switch (typeof value) {
    case 'string':
      return quoteJson(value)
    case 'number':
      if (Number.isFinite(value) && !Object.is(value, -0)) return String(value)
      return writeSpecialAt(value, parentPath, key, state)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      addAnnotation(state.notes, `${parentPath}${key}`, BIGINT)
      return `"${value}"`
    case 'object':
      break
    default:
      return writeSpecialAt(value, parentPath, key, state)
  }
  if (value === null) return 'null'
  if (Array.isArray(value)) return writeList(value, childPath(parentPath, key), state)
  if (isObject(value)) return writeObject(value, childPath(parentPath, key), state)
  const annotation = getAnnotation(value)
  if (!annotation) return writeSpecialAt(value, parentPath, key, state)
  addAnnotation(state.notes, `${parentPath}${key}`, annotation)
  if (value instanceof Date) return `"${dateToJson(value)}"`
  return quoteJson(isBytes(value) ? toBase64(value) : decimalToJson(value))
}

function writeSpecialAt(value: unknown, parentPath: string, key: Step, { notes }: WriterState): string | undefined {
  const { json, annotation } = writeSpecial(value)
  if (annotation) addAnnotation(notes, `${parentPath}${key}`, annotation)
  return json
}

function writeList(list: readonly unknown[], path: string, writing: WriterState): string {
  const { notes, limit } = writing
  let text = ''
  for (let index = 0; index < list.length; index++) {
    const json = write(list[index], path, index, writing) ?? 'null'
    text += index === 0 ? json : `,${json}`
    // Checked here because the whole text may exceed the maximum length of a string.
    if (limit && text.length + notes.text.length > limit.maxBytes) limit.throwTooLarge()
  }
  return `[${text}]`
}

function writeObject(object: object, path: string, writing: WriterState): string {
  let text = ''
  for (const [key, member] of Object.entries(object)) {
    const isName = writing.names.has(key)
    const json = write(member, path, isName ? key : quoteJson(escapeKey(key)).slice(1, -1), writing)
    if (json === undefined) continue
    const name = isName ? `"${key}"` : quoteJson(key)
    text += text === '' ? `${name}:${json}` : `,${name}:${json}`
  }
  return `{${text}}`
}

function childPath(parentPath: string, key: Step): string {
  return key === undefined ? '' : `${parentPath}${key}.`
}

function getRootAnnotation(value: unknown): string | undefined {
  if (typeof value === 'bigint') return BIGINT
  if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)) return undefined
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return undefined
  if (Array.isArray(value) || isObject(value)) return undefined
  return (typeof value === 'object' ? getAnnotation(value) : undefined) ?? writeSpecial(value).annotation
}

function getAnnotation(value: object): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : DATE
  if (isBytes(value)) return BYTES
  return isDecimal(value) ? DECIMAL : undefined
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array
}
