import { isDecimal } from '../values/is-decimal.js'
import { isObject } from '../values/is-object.js'
import { dateToJson, decimalToJson, toBase64 } from '../values/to-json.js'
import { annotationText, addAnnotation, type SerializationNotes, quote } from './json-writer.js'
import { escapeKey } from './path.js'

/** A value as JSON text, and what is needed to make it again. */
export interface Serialized {
  readonly json: string
  /** What stands in `meta.serialization` (contract 2.5), as JSON text. Absent where the JSON says everything. */
  readonly meta?: string
}

const DATE = annotationText(['Date'])
const BIGINT = annotationText(['bigint'])
const DECIMAL = annotationText([['custom', 'Decimal']])
const BYTES = annotationText([['custom', 'Bytes']])

/**
 * Turns a value into JSON text and the types that JSON does not have (contract 2.5): the same as superjson does with the custom
 * types `Decimal` and `Bytes`, in one pass. What is in two places is written twice, and nothing says that it is one: Prisma's rows are trees,
 * and superjson's notes of equal dates are none of the contract's.
 * @param names members that are identifiers, so that they need no escaping; the schema's own
 * @param bound how long a list may become; found while it is written
 */
export function serialize(value: unknown, names: ReadonlySet<string> = NONE, bound?: Bound): Serialized {
  const notes: SerializationNotes = { text: '' }
  const own = ownAnnotation(value)
  const json = write(value, '', undefined, { notes, names, bound }) ?? 'null'
  if (own) return { json, meta: `{"values":${own},"v":1}` }
  return notes.text === '' ? { json } : { json, meta: `{"values":{${notes.text}},"v":1}` }
}

/** How long a text may be. */
export interface Bound {
  readonly most: number
  /** Ends what writes it. */
  readonly refuse: () => never
}

const NONE: ReadonlySet<string> = new Set()

/** A value of a kind that Prisma seldom gives, or only a client extension. */
interface Rare {
  /** Undefined where JSON has nothing for it: a function. */
  readonly json: string | undefined
  readonly annotation?: string
}

function writeRare(value: unknown): Rare {
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
  if (value instanceof RegExp) return { json: quote(String(value)), annotation: '["regexp"]' }
  if (value instanceof URL) return { json: quote(value.href), annotation: '["URL"]' }
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    // As in JSON, which has nothing for some numbers.
    const numbers = String(value).replaceAll(/NaN|-?Infinity/g, 'null')
    return { json: `[${numbers}]`, annotation: `[["typed-array","${value.constructor.name}"]]` }
  }
  return { json: JSON.stringify(value) }
}

/** A value that is made of others, which have notes of their own. */
function writeParts(type: string, parts: object): Rare {
  const notes: SerializationNotes = { text: '' }
  const json = write(parts, '', undefined, { notes, names: NONE, bound: undefined })
  return { json, annotation: notes.text === '' ? `["${type}"]` : `["${type}",{${notes.text}}]` }
}

type Step = string | number | undefined

interface Writing {
  readonly notes: SerializationNotes
  readonly names: ReadonlySet<string>
  readonly bound: Bound | undefined
}

/**
 * @param above the path of what holds the value, with a dot behind it; escaped
 * @param key the last step of its path; escaped. The root has none
 * @returns undefined for what JSON has nothing for
 */
function write(value: unknown, above: string, key: Step, writing: Writing): string | undefined {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
      if (Number.isFinite(value) && !Object.is(value, -0)) return String(value)
      return writeNoted(value, above, key, writing)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      addAnnotation(writing.notes, `${above}${key}`, BIGINT)
      return `"${value}"`
    case 'object':
      break
    default:
      return writeNoted(value, above, key, writing)
  }
  if (value === null) return 'null'
  if (Array.isArray(value)) return writeList(value, below(above, key), writing)
  if (isObject(value)) return writeObject(value, below(above, key), writing)
  const annotation = annotationOf(value)
  if (!annotation) return writeNoted(value, above, key, writing)
  addAnnotation(writing.notes, `${above}${key}`, annotation)
  if (value instanceof Date) return `"${dateToJson(value)}"`
  return quote(isBytes(value) ? toBase64(value) : decimalToJson(value))
}

function writeNoted(value: unknown, above: string, key: Step, { notes }: Writing): string | undefined {
  const { json, annotation } = writeRare(value)
  if (annotation) addAnnotation(notes, `${above}${key}`, annotation)
  return json
}

function writeList(list: readonly unknown[], path: string, writing: Writing): string {
  const { notes, bound } = writing
  let text = ''
  for (let index = 0; index < list.length; index++) {
    const json = write(list[index], path, index, writing) ?? 'null'
    text += index === 0 ? json : `,${json}`
    // The whole may be more than a text can hold.
    if (bound && text.length + notes.text.length > bound.most) bound.refuse()
  }
  return `[${text}]`
}

function writeObject(object: object, path: string, writing: Writing): string {
  let text = ''
  for (const [key, member] of Object.entries(object)) {
    const isName = writing.names.has(key)
    const json = write(member, path, isName ? key : quote(escapeKey(key)).slice(1, -1), writing)
    if (json === undefined) continue
    const name = isName ? `"${key}"` : quote(key)
    text += text === '' ? `${name}:${json}` : `,${name}:${json}`
  }
  return `{${text}}`
}

function below(above: string, key: Step): string {
  return key === undefined ? '' : `${above}${key}.`
}

function ownAnnotation(value: unknown): string | undefined {
  if (typeof value === 'bigint') return BIGINT
  if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)) return undefined
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return undefined
  if (Array.isArray(value) || isObject(value)) return undefined
  return (typeof value === 'object' ? annotationOf(value) : undefined) ?? writeRare(value).annotation
}

function annotationOf(value: object): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : DATE
  if (isBytes(value)) return BYTES
  return isDecimal(value) ? DECIMAL : undefined
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array
}
