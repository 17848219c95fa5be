import type { DMMF } from '@prisma/generator-helper'

import { columnOf, linksBetween, tableName } from './tables.js'

/** Number of rows per model, unless something else limits it. */
export const ROWS = 3

/**
 * Returns SQL that empties and fills the tables of a schema with rows of every allowed form. The last row has no optional
 * values.
 */
export function rowsOf({ models, enums }: DMMF.Datamodel): string {
  const links = linksBetween(models)
  return [
    'PRAGMA foreign_keys = OFF; BEGIN;',
    ...links.map(({ table }) => `DELETE FROM "${table}";`),
    ...models.map((model) => `DELETE FROM ${tableName(model)};`),
    ...models.flatMap((model) => insertsOf(model, enums)),
    ...links.flatMap(({ table, one, other }) => [
      `INSERT INTO "${table}" ("A", "B") VALUES (${literal(idOf(one, 1))}, ${literal(idOf(other, 1))});`,
    ]),
    'COMMIT; PRAGMA foreign_keys = ON;',
  ].join('\n')
}

/** Returns the number of a model's rows: one less if each takes over a unique related row, so that one remains free. */
export function countOf(model: DMMF.Model, enums: readonly DMMF.DatamodelEnum[]): number {
  const isOwned = model.fields.some(
    ({ name, isRequired, isUnique }) => isRequired && isUnique && isForeign(model, name),
  )
  const values = model.fields.flatMap(({ type, kind }) =>
    kind === 'enum' ? [(enums.find(({ name }) => name === type)?.values.length ?? 0) + 1] : [],
  )
  return isOwned ? ROWS - 1 : Math.max(ROWS, ...values)
}

function insertsOf(model: DMMF.Model, enums: readonly DMMF.DatamodelEnum[]): string[] {
  const count = countOf(model, enums)
  const fields = model.fields.filter(({ kind }) => kind !== 'object')
  return Array.from({ length: count }, (_, at) => at + 1).map((row) => {
    const isBare = row === count && count >= ROWS
    const values = fields.map((field) => {
      const value = isBare && !field.isRequired ? null : valueOf(model, field, row, enums)
      return field.type === 'Bytes' && value !== null ? `CAST(${literal(value)} AS BLOB)` : literal(value)
    })
    const columns = fields.map(({ name }) => columnOf(model, name))
    return `INSERT INTO ${tableName(model)} (${columns.join()}) VALUES (${values.join()});`
  })
}

/** Returns the JSON value of a field in a row. It depends only on the names and not on the rest of the schema. */
export function valueOf(
  model: DMMF.Model,
  field: DMMF.Field,
  row: number,
  enums: readonly DMMF.DatamodelEnum[],
): string | number | boolean | null {
  const isKey = isForeign(model, field.name)
  const values = enums.find(({ name }) => name === field.type)?.values
  if (values) return values[(row - 1) % values.length]?.name ?? ''
  switch (field.type) {
    case 'Int':
    case 'BigInt':
      return field.isId ? row : isKey ? Math.min(row, ROWS) : row * 10
    case 'Float':
    case 'Decimal':
      return row + 0.5
    case 'Boolean':
      return row % 2 === 1
    case 'DateTime':
      return `2024-01-0${Math.min(row, 9)}T00:00:00.000+00:00`
    case 'Bytes':
      return `bytes${row}`
    case 'Json':
      return `{"row":${row}}`
    default:
      if (isKey) return `id${Math.min(row, ROWS)}`
      return field.isId ? `id${row}` : `${field.name}${row}`
  }
}

/** Returns the id of a row, as in URLs. */
export function idOf(model: DMMF.Model, row: number): string | number {
  if (model.primaryKey) return Object.values(keyOf(model, row)).join('_')
  const field = model.fields.find(({ isId }) => isId)
  return field?.type === 'Int' || field?.type === 'BigInt' ? row : `id${row}`
}

/** Returns the values of a row's id fields. */
export function keyOf(model: DMMF.Model, row: number): Readonly<Record<string, unknown>> {
  const names = model.primaryKey?.fields ?? model.fields.filter(({ isId }) => isId).map(({ name }) => name)
  const fields = model.fields.filter(({ name }) => names.includes(name))
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(model, field, row, [])]))
}

/** Whether a field is part of a foreign key. */
export function isForeign({ fields }: DMMF.Model, name: string): boolean {
  return fields.some(({ relationFromFields }) => relationFromFields?.includes(name))
}

function literal(value: string | number | boolean | null): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return String(Number(value))
}
