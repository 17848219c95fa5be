/** A row returned by Prisma. */
export type Row = Readonly<Record<string, unknown>>

/** Whether a value returned by Prisma is a row. */
export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}

/** Returns the rows in a list returned by Prisma. */
export function toRows(values: unknown): Row[] {
  return Array.isArray(values) ? values.filter(isRow) : []
}
