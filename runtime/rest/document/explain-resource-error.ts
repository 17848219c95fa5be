import { prismaMeta } from '../../errors/prisma-meta.js'
import { classifyDatabaseError } from '../../errors/classify-database-error.js'
import { ormErrorMembers } from '../../errors/prisma-error.js'
import { RequestError } from '../../errors/request-error.js'
import { notFoundError } from '../not-found-error.js'
import type { RestModel } from '../rest-model.js'

/**
 * Returns the error to report if the resource itself caused the client's error.
 * @param isDelete whether the request deletes the resource
 * @returns a 404 if the client reports that the resource does not exist; a foreign key error if other rows refer to the resource to
 * delete; otherwise undefined
 */
export function explainResourceError(error: unknown, model: RestModel, isDelete = false): RequestError | undefined {
  const meta = prismaMeta(error)
  if (meta['modelName'] !== model.model.name) return undefined
  const kind = classifyDatabaseError(error)
  if (kind === 'not-found' && (meta['operation'] === 'an update' || meta['operation'] === 'a delete')) {
    return new RequestError({ ...notFoundError(model).errors[0], ...ormErrorMembers(error) })
  }
  if (kind !== 'foreign-key-violation' || !isDelete) return undefined
  const detail = 'Other records still refer to this one.'
  return new RequestError({ code: 'foreign-key-violation', detail, ...ormErrorMembers(error) })
}
