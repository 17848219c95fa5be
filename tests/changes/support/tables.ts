import type { DMMF } from '@prisma/generator-helper'

const TYPES: Readonly<Record<string, string>> = {
  Int: 'INTEGER',
  BigInt: 'BIGINT',
  Float: 'REAL',
  Decimal: 'DECIMAL',
  Boolean: 'BOOLEAN',
  DateTime: 'DATETIME',
  Json: 'JSONB',
  Bytes: 'BLOB',
}

/** Returns SQL that creates the tables of a schema in SQLite. Prisma's schema engine would need one process per schema. */
export function tablesOf({ models }: Pick<DMMF.Datamodel, 'models'>): string {
  return [...models.map((model) => tableOf(model, models)), ...linksOf(models)].join('\n')
}

/** Returns the quoted name of a column. */
export function columnOf(model: DMMF.Model, name: string): string {
  return `"${model.fields.find((field) => field.name === name)?.dbName ?? name}"`
}

/** Returns the quoted name of a table. */
export function tableName({ name, dbName }: DMMF.Model): string {
  return `"${dbName ?? name}"`
}

function tableOf(model: DMMF.Model, models: readonly DMMF.Model[]): string {
  const columns = model.fields.filter(({ kind }) => kind !== 'object').map((field) => columnSql(model, field))
  const keys = model.primaryKey ? [`PRIMARY KEY (${columnsOf(model, model.primaryKey.fields)})`] : []
  const uniques = [
    ...model.fields.filter(({ isUnique, isId }) => isUnique && !isId).map(({ name }) => [name]),
    ...model.uniqueFields,
  ].map((fields) => `UNIQUE (${columnsOf(model, fields)})`)
  const foreign = model.fields.flatMap((field) => {
    const { relationFromFields: from = [], relationToFields: to = [], relationOnDelete, isRequired, type } = field
    const target = models.find(({ name }) => name === type)
    if (from.length === 0 || target === undefined) return []
    const action = (relationOnDelete ?? (isRequired ? 'Restrict' : 'SetNull'))
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toUpperCase()
    return [
      `FOREIGN KEY (${columnsOf(model, from)}) REFERENCES ${tableName(target)} (${columnsOf(target, to)}) ON DELETE ${action}`,
    ]
  })
  return `CREATE TABLE ${tableName(model)} (${[...columns, ...keys, ...uniques, ...foreign].join(', ')});`
}

function columnSql(model: DMMF.Model, field: DMMF.Field): string {
  const name = columnOf(model, field.name)
  const defaultValue = field.default
  const isCounted = typeof defaultValue === 'object' && 'name' in defaultValue && defaultValue.name === 'autoincrement'
  if (field.isId)
    return `${name} ${TYPES[field.type] ?? 'TEXT'} PRIMARY KEY${isCounted ? ' AUTOINCREMENT' : ' NOT NULL'}`
  return `${name} ${TYPES[field.type] ?? 'TEXT'}${field.isRequired ? ' NOT NULL' : ''}`
}

function columnsOf(model: DMMF.Model, fields: readonly string[]): string {
  return fields.map((field) => columnOf(model, field)).join(', ')
}

/** Returns SQL that creates the join tables. */
function linksOf(models: readonly DMMF.Model[]): string[] {
  return linksBetween(models).map(
    ({ table, one, other }) =>
      `CREATE TABLE "${table}" ("A" ${idType(one)} NOT NULL REFERENCES ${tableName(one)} ON DELETE CASCADE, ` +
      `"B" ${idType(other)} NOT NULL REFERENCES ${tableName(other)} ON DELETE CASCADE, UNIQUE ("A", "B"));`,
  )
}

/** Returns pairs of models with a many-to-many relation, in the order of Prisma's columns. */
export function linksBetween(models: readonly DMMF.Model[]) {
  const found = new Map<string, { table: string; one: DMMF.Model; other: DMMF.Model }>()
  for (const model of models) {
    for (const { isList, relationName = '', type } of model.fields.filter(({ kind }) => kind === 'object')) {
      const target = models.find(({ name }) => name === type)
      const back = target?.fields.find((field) => field.relationName === relationName && field.type === model.name)
      if (!isList || !target || !back?.isList) continue
      const [one, other] = model.name <= target.name ? [model, target] : [target, model]
      found.set(relationName, { table: `_${relationName}`, one, other })
    }
  }
  return [...found.values()]
}

function idType({ fields }: DMMF.Model): string {
  return TYPES[fields.find(({ isId }) => isId)?.type ?? ''] ?? 'TEXT'
}
