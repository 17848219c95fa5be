import { classifyDatabaseError } from '../errors/classify-database-error.js'
import { RequestError } from '../errors/request-error.js'
import { toRequestError } from '../errors/to-request-error.js'
import { isAboutColumns, violatedColumn } from '../errors/violated-column.js'
import { inferViolatedForeignKey } from '../errors/infer-violated-foreign-key.js'
import type { Model, Schema } from '../schema/model.js'
import { isObject } from '../values/is-object.js'

/**
 * Adds a path in a write's data to a database error: a unique violation, a dangling foreign key or a missing value. Adds no path if the
 * affected fields are unknown or not in the data.
 * @param data the validated data of the write itself, without that of nested writes
 */
export function locateConstraintError(error: unknown, schema: Schema, model: Model, data: unknown): unknown {
  const kind = classifyDatabaseError(error)
  const isKey = kind === 'foreign-key-violation'
  if (!isObject(data) || (!isKey && !isAboutColumns(kind))) return error
  const request = toRequestError(error, schema)
  const [original] = request.errors
  const fields = isKey
    ? inferViolatedForeignKey(model, (name) => data[name])
    : (original.about ?? violatedColumn(error, model))
  const writtenFields = fields?.filter((name) => Object.hasOwn(data, name)) ?? []
  const [first, ...others] = writtenFields.map((name) => ({ ...original, path: ['data', name] }))
  return first && writtenFields.length === fields?.length
    ? new RequestError([first, ...others], request.headers)
    : request
}
