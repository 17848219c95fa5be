import type { Model } from '../schema/schema.js'
import type { DatabaseErrorKind } from './database-error.js'
import { findDriverError, prismaMeta } from './driver-error.js'

/** The errors that are about values of columns, which some databases name. */
const ABOUT_COLUMNS = /^(unique|not-null|check|exclusion|value)-/

/** Whether an error may be located in the data of a write by the columns that the database names. */
export function isAboutColumns(kind: DatabaseErrorKind | undefined): boolean {
  return ABOUT_COLUMNS.test(kind ?? '')
}

/** Returns the field of the column that the database names, unless the error is about another model. */
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
