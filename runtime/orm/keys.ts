import type { Field } from '../schema/resource.js'
import { decimalToJson, toBase64 } from '../values/to-json.js'

/** The values of some fields of a row, by which it is found again: its id, or what refers to it. */
export type Key = Readonly<Record<string, unknown>>

/** How many values of keys one query names: SQLite's clients take no more than 999 at once. */
const VALUES = 500

/** Keys in lists that are short enough for one query each. */
export function chunkKeys<K extends Key>(names: readonly string[], keys: readonly K[]): readonly (readonly K[])[] {
  const size = Math.ceil(VALUES / names.length)
  return Array.from({ length: Math.ceil(keys.length / size) }, (_, index) =>
    keys.slice(index * size, (index + 1) * size),
  )
}

/** A text for the values of some fields of a row: the same for the same values, another for others. */
export function serializeKey(names: readonly string[], row: Key): string {
  const [only = ''] = names
  return names.length === 1 ? textOf(row[only]) : JSON.stringify(names.map((name) => textOf(row[name])))
}

/**
 * Prisma's `where` of the rows that have one of some keys.
 * @param keys one at least: an empty `OR` that is not outermost says nothing to Prisma
 */
export function whereAnyKey(names: readonly string[], keys: readonly Key[]): Record<string, unknown> {
  const [only = ''] = names
  const [key, another] = keys
  // Of one value the client makes a query sooner than of a list of one: lists that are cut are asked for one by one.
  if (key && !another) return Object.fromEntries(names.map((name) => [name, key[name]]))
  const values = keys.map((one) => one[only])
  // Prisma's Boolean filter has no `in`.
  if (names.length === 1 && !values.some((value) => typeof value === 'boolean')) return { [only]: { in: values } }
  return { OR: keys.map((key) => Object.fromEntries(names.map((name) => [name, key[name]]))) }
}

/**
 * A filter that no row meets. Prisma's Boolean filter has no `in`.
 * @param names the fields of a row's id, one at least
 */
export function whereNone(names: readonly string[], fields: Readonly<Record<string, Field>>): Record<string, unknown> {
  const name = names.find((each) => fields[each]?.type !== 'Boolean')
  const [first = ''] = names
  return name === undefined ? { AND: [{ [first]: true }, { [first]: false }] } : { [name]: { in: [] } }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return String(value.getTime())
  if (value instanceof Uint8Array) return toBase64(value)
  return typeof value === 'object' ? decimalToJson(value) : String(value)
}
