import { classifyDatabaseError } from '../errors/database-error.js'
import { RequestError } from '../errors/request-error.js'
import { toRequestError } from '../errors/to-request-error.js'
import { isAboutColumns, violatedColumn } from '../errors/violated-column.js'
import { violatedForeignKey } from '../errors/violated-foreign-key.js'
import type { Model, Schema } from '../schema/schema.js'
import { isObject } from '../values/is-object.js'

/**
 * Says where in the data of a write the fault is that the database found: a value that is not unique, a foreign key that leads
 * nowhere, a value that is missing. As it came where neither the error nor the request tells.
 * @param data the write's own data, checked
 */
export function locateConstraintError(error: unknown, schema: Schema, model: Model, data: unknown): unknown {
  const fault = classifyDatabaseError(error)
  const isKey = fault === 'foreign-key-violation'
  if (!isObject(data) || (!isKey && !isAboutColumns(fault))) return error
  const request = toRequestError(error, schema)
  const [told] = request.faults
  const fields = isKey ? violatedForeignKey(model, (name) => data[name]) : (told.about ?? violatedColumn(error, model))
  const given = fields?.filter((name) => Object.hasOwn(data, name)) ?? []
  const [first, ...others] = given.map((name) => ({ ...told, path: ['data', name] }))
  return first && given.length === fields?.length ? new RequestError([first, ...others], request.headers) : request
}
