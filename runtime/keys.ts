import { decimalToJson, toBase64 } from './values/to-json.js'

type Row = Readonly<Record<string, unknown>>

/** A text for the values of some fields of a row: the same for the same values, another for others. */
export function keyText(names: readonly string[], row: Row): string {
  return JSON.stringify(names.map((name) => textOf(row[name])))
}

/** Prisma's `where` of the rows that have one of some keys. */
export function anyOf(names: readonly string[], keys: readonly Row[]): Record<string, unknown> {
  const [only = ''] = names
  const values = keys.map((key) => key[only])
  // Prisma's Boolean filter has no `in`.
  if (names.length === 1 && !values.some((value) => typeof value === 'boolean')) return { [only]: { in: values } }
  return { OR: keys.map((key) => Object.fromEntries(names.map((name) => [name, key[name]]))) }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return String(value.getTime())
  if (value instanceof Uint8Array) return toBase64(value)
  return typeof value === 'object' ? decimalToJson(value) : String(value)
}
