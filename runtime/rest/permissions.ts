import { RequestError } from '../errors/request-error.js'
import { isReadOnlyKey } from '../schema/schema.js'
import type { Relationship, RestModel } from './model.js'

/** Whether the target of a relation may be read through it: `list` of it where the relation is to-many, `get` where it is to-one. */
export function mayRead({ relation, target }: Relationship): boolean {
  return target.model.operations.has(relation.many ? 'list' : 'get')
}

/**
 * Ends the request where the target of a relation may not be read through it. See {@link mayRead}.
 * @param parameter the query parameter that reaches into it; absent where the URL's path does
 * @throws RequestError 403
 */
export function assertReadable(relationship: Relationship, parameter?: string): void {
  if (mayRead(relationship)) return
  const { name, relation, target } = relationship
  const detail = `"${name}" cannot be read: "${target.type}" does not offer "${relation.many ? 'list' : 'get'}".`
  throw new RequestError({ code: 'forbidden', detail, ...(parameter === undefined ? {} : { source: { parameter } }) })
}

/**
 * Whether a relation may not be written: it, or the foreign key that holds it. Where the other side holds it, to write it is to
 * update rows there, so what is read-only there cannot be changed from here.
 */
export function isReadOnly(relationship: Relationship, model: RestModel): boolean {
  const { relation, target } = relationship
  if (relation.readOnly) return true
  if (relation.foreignKey) return isReadOnlyKey(model.model, relation.foreignKey)
  const { inverse } = relationship
  // A table between the two holds it: no row of the other side changes.
  if (!inverse.foreignKey) return inverse.readOnly === true
  // Who moves a member changes it, and would have to say of which version it is.
  if (target.model.version?.isRequired) return true
  return (
    inverse.readOnly === true ||
    !target.model.operations.has('update') ||
    isReadOnlyKey(target.model, inverse.foreignKey)
  )
}
