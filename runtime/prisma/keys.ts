import type { Field } from '../schema/resource.js'
import { decimalToJson, toBase64 } from '../values/to-json.js'

/** The values of fields that identify a row: its id or a foreign key. */
export type Key = Readonly<Record<string, unknown>>

/** Maximum number of key values per query. SQLite's clients accept at most 999 parameters. */
const VALUES = 500

/** Splits keys into chunks that fit into one query each. */
export function chunkKeys<K extends Key>(names: readonly string[], keys: readonly K[]): readonly (readonly K[])[] {
  const size = Math.ceil(VALUES / names.length)
  return Array.from({ length: Math.ceil(keys.length / size) }, (_, index) =>
    keys.slice(index * size, (index + 1) * size),
  )
}

/** Serializes the values of some fields of a row. Different values result in different strings. */
export function serializeKey(names: readonly string[], row: Key): string {
  const [only = ''] = names
  return names.length === 1 ? textOf(row[only]) : JSON.stringify(names.map((name) => textOf(row[name])))
}

/**
 * Returns a Prisma `where` that matches the rows with any of the given keys.
 * @param keys at least one, because Prisma ignores an empty `OR` that is not at the top level
 */
export function whereAnyKey(names: readonly string[], keys: readonly Key[]): Record<string, unknown> {
  const [only = ''] = names
  const [key, second] = keys
  // Prisma builds a query for a single value faster than a query for a list with one value. This matters for truncated lists, which are
  // loaded one by one.
  if (key && !second) return Object.fromEntries(names.map((name) => [name, key[name]]))
  const values = keys.map((current) => current[only])
  // Prisma's Boolean filter has no `in`.
  if (names.length === 1 && !values.some((value) => typeof value === 'boolean')) return { [only]: { in: values } }
  return { OR: keys.map((key) => Object.fromEntries(names.map((name) => [name, key[name]]))) }
}

/**
 * Returns a filter that matches no row. Prisma's Boolean filter has no `in`.
 * @param names the fields of a row's id, at least one
 */
export function whereNoRows(
  names: readonly string[],
  fields: Readonly<Record<string, Field>>,
): Record<string, unknown> {
  const name = names.find((candidate) => fields[candidate]?.type !== 'Boolean')
  const [first = ''] = names
  return name === undefined ? { AND: [{ [first]: true }, { [first]: false }] } : { [name]: { in: [] } }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return String(value.getTime())
  if (value instanceof Uint8Array) return toBase64(value)
  return typeof value === 'object' ? decimalToJson(value) : String(value)
}

/** Returns a Prisma `select` or `omit` with the given fields. */
export function selectFields(names: Iterable<string>): Record<string, true> {
  return Object.fromEntries(Array.from(names, (name) => [name, true] as const))
}
