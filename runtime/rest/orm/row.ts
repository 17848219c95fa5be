/** A row as Prisma gives it. */
export type Row = Readonly<Record<string, unknown>>

/** Checks that what Prisma gave is a row. */
export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}

/** The rows in what Prisma gave for many of them. */
export function toRows(values: unknown): Row[] {
  return Array.isArray(values) ? values.filter(isRow) : []
}
