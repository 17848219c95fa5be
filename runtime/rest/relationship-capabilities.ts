import { RequestError } from '../errors/request-error.js'
import { isReadOnlyKey } from '../schema/model.js'
import type { Relationship, RestModel } from './rest-model.js'

/**
 * Whether the target of a relation can be read through it. Requires the target's `list` operation for to-many relations, and `get` for
 * to-one relations.
 */
export function mayRead({ relation, target }: Relationship): boolean {
  return target.model.operations.has(relation.many ? 'list' : 'get')
}

/**
 * Checks that the target of a relation can be read through it. See {@link mayRead}.
 * @param parameter the query parameter that uses the relation; undefined if the path of the URL uses it
 * @throws RequestError 403 if it cannot be read
 */
export function assertReadable(relationship: Relationship, parameter?: string): void {
  if (mayRead(relationship)) return
  const { name, relation, target } = relationship
  const detail = `"${name}" cannot be read, because "${target.type}" does not expose "${relation.many ? 'list' : 'get'}".`
  throw new RequestError({ code: 'forbidden', detail, ...(parameter === undefined ? {} : { source: { parameter } }) })
}

/**
 * Whether a relation is read-only, by itself or through its foreign key. If the other side holds the foreign key, writing the relation
 * updates rows there, so read-only fields of that side count too.
 */
export function isReadOnly(relationship: Relationship, model: RestModel): boolean {
  const { relation, target } = relationship
  if (relation.readOnly) return true
  if (relation.foreignKey) return isReadOnlyKey(model.model, relation.foreignKey)
  const { inverse } = relationship
  // The relation is stored in a join table, so the rows of the other side do not change.
  if (!inverse.foreignKey) return inverse.readOnly === true
  // Adding or removing a member updates its row, so the request would have to contain the version of each member.
  if (target.model.version?.isRequired) return true
  return (
    inverse.readOnly === true ||
    !target.model.operations.has('update') ||
    isReadOnlyKey(target.model, inverse.foreignKey)
  )
}
