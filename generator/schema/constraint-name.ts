import type { DMMF } from '@prisma/generator-helper'

/** The primary key of a model, or another unique constraint. */
export interface Key {
  readonly type: 'id' | 'unique'
  /** The names of its fields, in order. */
  readonly fields: readonly string[]
}

/** The maximum length of a constraint's name, in databases that report violated constraints by their names. */
const MAX_NAME_BYTES: Readonly<Record<string, number>> = { postgresql: 63, cockroachdb: 63, mysql: 64 }

/**
 * Returns the name of a constraint in the database, if it is not the one that Prisma's migrations derive from the table and the columns: the
 * schema's (`map`), or a derived name that the migrations shorten.
 * @param indexes the indexes of all models
 */
export function constraintName(
  model: DMMF.Model,
  { type, fields }: Key,
  indexes: readonly DMMF.Index[],
  provider: string,
): string | undefined {
  const hasFields = (index: DMMF.Index) => index.fields.map(({ name }) => name).join() === fields.join()
  const index = indexes.find((each) => each.model === model.name && each.type === type && hasFields(each))
  if (index?.dbName !== undefined) {
    // MySQL permits the same name in several tables. It then does not determine the fields.
    return indexes.some((other) => other !== index && other.dbName === index.dbName) ? undefined : index.dbName
  }
  const columns = fields.map((name) => model.fields.find((field) => field.name === name)?.dbName ?? name)
  const [suffix, parts] = type === 'id' ? ['_pkey', []] : ['_key', columns]
  const derived = Buffer.from([model.dbName ?? model.name, ...parts].join('_'))
  const maxLength = (MAX_NAME_BYTES[provider] ?? Infinity) - suffix.length
  if (derived.length <= maxLength) return undefined
  // The last character may be incomplete.
  return derived.toString('utf8', 0, maxLength).replace(/\uFFFD+$/, '') + suffix
}
