import type { NamedField, Relationship, RestModel } from '../../rest/model.js'
import { isReadOnly } from '../../rest/permissions.js'
import { hasGeneratedId, isDatabaseGenerated } from '../../rest/request/attributes.js'

/** The attributes that bodies may hold. */
export function writableAttributes(model: RestModel): readonly NamedField[] {
  return [...model.written.values()].filter(
    (named) => !model.model.readOnly.has(named.name) && !isDatabaseGenerated(model, named),
  )
}

/** The relationships that bodies may hold. */
export function writableRelationships(model: RestModel): readonly Relationship[] {
  return [...model.relationships.values()].filter((relationship) => !isReadOnly(relationship, model))
}

/** What the body of a create has to hold. */
export interface CreateRequirements {
  /** Whether the client may give an id at all. */
  readonly takesId: boolean
  /** Whether nothing but `data.id` can stand for the id. */
  readonly idIsRequired: boolean
  /** Names of attributes. Parts of an id, and foreign keys that a relationship can stand for, are not among them. */
  readonly attributes: readonly string[]
  /** Names of relationships that nothing else can stand for. */
  readonly relationships: readonly string[]
}

/**
 * See {@link CreatedMembers}.
 * @param given the relationship that the URL gives, if it does
 */
export function createRequirements(model: RestModel, given?: Relationship): CreateRequirements {
  const { model: of, id } = model
  const takesId = !hasGeneratedId(model) && id.fields.every(({ name }) => !of.readOnly.has(name))
  const required = model.required.filter(
    ({ name }) =>
      !model.foreignKeys
        .get(name)
        ?.some(({ relation }) => relation === given?.name || model.relationships.has(relation)),
  )
  const written = new Set(writableRelationships(model).map(({ name }) => name))
  return {
    takesId,
    idIsRequired: takesId && required.some(({ name }) => name === 'id'),
    attributes: required
      .filter(({ wire, name }) => wire !== 'id' && !id.fields.some((part) => part.name === name))
      .map(({ wire }) => wire),
    relationships: [...of.requiredRelations].filter((name) => name !== given?.name && written.has(name)),
  }
}
