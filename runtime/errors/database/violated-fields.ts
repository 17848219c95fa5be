import type { Model, Schema } from '../../schema/model.js'
import type { DatabaseErrorKind } from './database-error-kind.js'
import { type DriverError, findDriverError } from './driver-error.js'
import { prismaMeta } from './prisma-error.js'

/**
 * Returns the exposed fields of the violated unique criterion. Databases report the criterion either by its columns or by its index.
 * @returns undefined if the criterion is unknown or no field of it is exposed
 */
export function violatedUniqueFields(
  error: unknown,
  cause: DriverError,
  schema: Schema,
): readonly string[] | undefined {
  const { modelName, target } = prismaMeta(error)
  const named = schema.get(String(modelName))
  const reported = cause.index ?? target
  const reportedName = typeof reported === 'string' ? reported.slice(reported.lastIndexOf('.') + 1) : undefined
  const fields = cause.fields ?? (Array.isArray(target) ? target : undefined)
  for (const model of named ? [named, ...schema.values()] : schema.values()) {
    const { name, table = name, id, constraints } = model
    const nameOf = (parts: readonly unknown[] = []) => `${table}_${parts.join('_')}_key`
    const primary = `${table}_pkey`
    // MySQL calls every primary key PRIMARY.
    const isPrimary = reportedName === 'PRIMARY' && model === named
    const index = isPrimary ? primary : (reportedName ?? nameOf(fields))
    const constraint = constraints?.[index]
    if (typeof constraint === 'object') return constraint
    for (const [criterion, unique] of model.uniques) {
      const isId = criterion === id && index === primary
      const isDerived = index === nameOf(unique.map((field) => model.fields.get(field)?.column ?? field))
      // Some errors contain field names instead of column names.
      if (isId || isDerived || constraint === criterion || (fields && index === nameOf(unique))) return unique
    }
  }
  return undefined
}

/**
 * Whether a write failed because another row already has the values of a unique criterion in `where`. A violation in a row of a different
 * model, written by a nested write, does not count.
 */
export function violatesUnique(error: unknown, model: Model, where: object): boolean {
  const violated = violatedUniqueFields(error, findDriverError(error), new Map([[model.name, model]]))
  const isSameModel = prismaMeta(error)['modelName'] === model.name
  return isSameModel && Object.keys(where).some((name) => violated && model.uniques.get(name) === violated)
}

/** Whether errors of a kind are caused by the value of a column. Some databases report the column's name. */
export function isAboutColumns(kind: DatabaseErrorKind = 'not-found'): boolean {
  return /^(unique|not-null|check|exclusion|value)-/.test(kind)
}

/**
 * Returns the fields that an error is about, unless it is about a different model.
 * @param about the fields of a violated constraint, if they are known. Default: the field of the column that the database names
 */
export function violatedFields(error: unknown, model: Model, about?: readonly string[]): readonly string[] | undefined {
  const { column } = findDriverError(error)
  const { modelName = model.name } = prismaMeta(error)
  if (modelName !== model.name) return undefined
  const field = fieldOfColumn(model, column)
  return about ?? (field === undefined ? undefined : [field])
}

/** Returns the exposed field of a column. If the database does not name a column, there is none. */
export function fieldOfColumn(model: Model, column: string | undefined): string | undefined {
  return [...model.fields].find(([name, { column: mapped = name }]) => mapped === column)?.[0]
}

/**
 * Returns the fields of the violated foreign key if the write sets only one foreign key. The database error is not used, because its
 * details depend on the database. Under access policies, an unreadable row and a missing row must result in the same response on every
 * database.
 * @param value returns the value that the write sets for a field, or the nested write of a relation
 * @returns undefined if the write sets several foreign keys, contains nested writes, or if the key is not fully exposed
 */
export function inferViolatedForeignKey(
  model: Model,
  value: (field: string) => unknown,
): readonly string[] | undefined {
  const isNested = [...model.relations.keys()].some((name) => value(name))
  const [only, ...others] = [...model.relations.values()]
    .map(({ foreignKey = {} }) => Object.keys(foreignKey))
    .filter((fields) => fields.some((name) => (value(name) ?? null) !== null))
  return !isNested && others.length === 0 && only?.every((name) => model.fields.has(name)) ? only : undefined
}
