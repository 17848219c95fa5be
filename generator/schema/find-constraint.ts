import type { DMMF } from '@prisma/generator-helper'

import type { SchemaConstraint } from './schema.js'

/** The primary key of a model, or another unique constraint. */
export interface Key {
  readonly type: 'id' | 'unique'
  /** The names of its fields, in order. */
  readonly fields: readonly string[]
}

/** The maximum length of a constraint's name, in databases that report violated constraints by their names. */
const MAX_NAME_BYTES: Readonly<Record<string, number>> = { postgresql: 63, cockroachdb: 63, mysql: 64 }

/**
 * Returns the constraint of a key in the database. Its name is the schema's (`map`) or the one that Prisma's migrations derive from the
 * table and the columns, and shorten if necessary.
 * @param indexes the indexes of all models
 * @returns undefined if the name does not determine the fields
 */
export function findConstraint(
  model: DMMF.Model,
  { type, fields }: Key,
  indexes: readonly DMMF.Index[],
  provider: string,
): SchemaConstraint | undefined {
  const hasFields = (each: DMMF.Index) => each.fields.map(({ name }) => name).join() === fields.join()
  const index = indexes.find((each) => each.model === model.name && each.type === type && hasFields(each))
  // SQLite reports the columns. The runtime derives a name from them.
  const isByColumns = provider === 'sqlite'
  if (index?.dbName !== undefined && !isByColumns) {
    // MySQL permits the same name in several tables. It then does not determine the fields.
    const isAmbiguous = indexes.some((other) => other !== index && other.dbName === index.dbName)
    return isAmbiguous ? undefined : { name: index.dbName, isDerived: false }
  }
  const columns = fields.map((name) => model.fields.find((field) => field.name === name)?.dbName ?? name)
  const [suffix, parts] = type === 'id' && !isByColumns ? ['_pkey', []] : ['_key', columns]
  const derived = Buffer.from([model.dbName ?? model.name, ...parts].join('_'))
  const maxLength = (MAX_NAME_BYTES[provider] ?? Infinity) - suffix.length
  // The last character of a shortened name may be incomplete.
  const name = derived
    .subarray(0, maxLength)
    .toString()
    .replace(/\uFFFD+$/, '')
  return { name: name + suffix, isDerived: derived.length <= maxLength }
}
