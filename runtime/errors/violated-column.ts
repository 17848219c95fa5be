import type { Model } from '../schema/model.js'
import type { DatabaseErrorKind } from './database-error-kind.js'
import { findDriverError } from './driver-error.js'
import { prismaMeta } from './prisma-meta.js'

/** Whether errors of a kind are caused by the value of a column. Some databases report the column's name. */
export function isAboutColumns(kind: DatabaseErrorKind = 'not-found'): boolean {
  return /^(unique|not-null|check|exclusion|value)-/.test(kind)
}

/** Returns the field of the column that the database names, unless the error is about a different model. */
export function violatedColumn(error: unknown, model: Model): readonly string[] | undefined {
  const { column } = findDriverError(error)
  const { modelName = model.name } = prismaMeta(error)
  const field = column === undefined || modelName !== model.name ? undefined : fieldOfColumn(model, column)
  return field === undefined ? undefined : [field]
}

/** Returns the exposed field of a column. */
export function fieldOfColumn(model: Model, column: string): string | undefined {
  return [...model.fields].find(([name, { column: mapped = name }]) => mapped === column)?.[0]
}
