import { serializeKey } from '../prisma/keys.js'
import type { PolicyModel } from './policy-schema.js'
import type { Args } from './args.js'
import { deny } from '../errors/policy-error.js'

/**
 * Returns a filter that matches a row by its id.
 * @throws PolicyError if a value of the id is missing, because rows without an id cannot be distinguished, and a check of one would apply
 * to the others
 */
export function idFilter(model: PolicyModel, row: Args): Args {
  if (model.idFields.some((field) => row[field] === null || row[field] === undefined)) {
    deny(`A row of ${model.name} without an id cannot be verified.`)
  }
  return Object.fromEntries(model.idFields.map((field) => [field, row[field]]))
}

/** Returns the id of a row as a key for maps and sets. */
export function rowKey(model: PolicyModel, row: Args): string {
  return serializeKey(model.idFields, row)
}

/** Returns the unique `where` of a row, for Prisma's `update` and `delete`. */
export function uniqueWhere(model: PolicyModel, row: Args): Args {
  const id = idFilter(model, row)
  return model.idFields.length === 1 ? id : { [model.id]: id }
}
