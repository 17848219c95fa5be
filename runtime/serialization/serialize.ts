import SuperJSON from 'superjson'

import { type DecimalLike, isDecimal, type OtherValue, type SizeLimit, writeJson } from './write-json.js'
import { isObject } from '../values/is-object.js'
import { decimalToJson, toBase64 } from '../values/to-json.js'
import type { SerializationNotes } from './annotations.js'

/** A value as JSON text with the annotations to restore it. */
export interface Serialized {
  readonly json: string
  /** The value of `meta.serialization` (contract 2.5) as JSON text. Absent if there are no annotations. */
  readonly meta?: string
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Serializes a value to JSON text with annotations for the types that JSON does not have (contract 2.5). The result equals superjson's with
 * the custom types `Decimal` and `Bytes`. Only values that Prisma's rows rarely or never contain are passed to superjson, which needs
 * several passes. A value that occurs twice is written twice without an annotation: Prisma's rows are trees, and the contract does not
 * include superjson's annotations of equal dates.
 * @param names names of the schema that need no escaping, because they are identifiers
 * @param limit maximum length of the JSON text, checked while a list is written
 */
export function serialize(value: unknown, names: ReadonlySet<string> = NONE, limit?: SizeLimit): Serialized {
  const notes: SerializationNotes = { text: '' }
  const json = writeJson(value, '', undefined, { notes, names, limit, writeOther: writeBySuperjson }) ?? 'null'
  if (notes.text === '') return { json }
  const isContainer = Array.isArray(value) || isObject(value)
  // The annotation of the root has no path.
  return { json, meta: `{"values":${isContainer ? `{${notes.text}}` : notes.text.slice('"":'.length)},"v":1}` }
}

/** Writes the values that only client extensions return, such as maps, sets and errors, and numbers such as NaN. */
function writeBySuperjson(value: unknown): OtherValue {
  const { json, meta } = superjson.serialize(value)
  return { json: JSON.stringify(json), annotation: meta?.values && JSON.stringify(meta.values) }
}

const superjson = new SuperJSON()
superjson.registerCustom<DecimalLike, string>(
  { isApplicable: isDecimal, serialize: decimalToJson, deserialize: throwNotDecoded },
  'Decimal',
)
superjson.registerCustom<Uint8Array, string>(
  { isApplicable: (value) => value instanceof Uint8Array, serialize: toBase64, deserialize: throwNotDecoded },
  'Bytes',
)

function throwNotDecoded(): never {
  throw new Error('Requests are decoded by deserialize.ts.')
}
