import {
  acceptsId,
  type NamedField,
  type Relationship,
  type RestModel,
  isDatabaseGenerated,
} from '../../rest/rest-model.js'
import { isReadOnly } from '../../rest/relationship-capabilities.js'

/** Returns the attributes that bodies may contain. */
export function writableAttributes(model: RestModel): readonly NamedField[] {
  return [...model.bodyFields.values()].filter(
    (named) => !model.model.readOnly.has(named.name) && !isDatabaseGenerated(model, named),
  )
}

/** Returns the relationships that bodies may contain. */
export function writableRelationships(model: RestModel): readonly Relationship[] {
  return [...model.relationships.values()].filter((relationship) => !isReadOnly(relationship, model))
}

/**
 * Returns the names of the fields that `meta.matchFields` may list, one entry per unique constraint. A create must be able to contain
 * values for all of them: in the attributes, or for `id` in `data.id`.
 */
export function upsertKeys(model: RestModel): readonly (readonly string[])[] {
  const { operations, uniques } = model.model
  if (!operations.has('update')) return []
  const wires = new Map(writableAttributes(model).map(({ name, wire }) => [name, wire]))
  if (acceptsId(model) && model.id.fields.some(({ name }) => name === 'id')) wires.set('id', 'id')
  return [...uniques.values()].flatMap((fields) => {
    const names = fields.flatMap((name) => wires.get(name) ?? [])
    return names.length === fields.length ? [names] : []
  })
}

/** The required members in the body of a create. */
export interface CreateRequirements {
  /** Whether the caller may choose the id. */
  readonly takesId: boolean
  /** Whether `data.id` is required because no other member can replace it. */
  readonly idIsRequired: boolean
  /** Names of attributes, without parts of an id that the caller chooses and without foreign keys that a relationship can replace. */
  readonly attributes: readonly string[]
  /** Names of relationships that no other member can replace. */
  readonly relationships: readonly string[]
}

/**
 * Determines the required members. See {@link CreateRequirements}.
 * @param ownerRelationship the relationship that the URL implies, if any
 */
export function createRequirements(model: RestModel, ownerRelationship?: Relationship): CreateRequirements {
  const { model: of, id } = model
  const takesId = acceptsId(model)
  const written = new Set(writableRelationships(model).map(({ name }) => name))
  const required = model.required.filter(
    ({ name }) =>
      !model.foreignKeys
        .get(name)
        ?.some(({ relation }) => relation === ownerRelationship?.name || written.has(relation)),
  )
  return {
    takesId,
    idIsRequired: takesId && required.some(({ name }) => name === 'id'),
    attributes: required
      .filter(({ wire, name }) => wire !== 'id' && !(takesId && id.fields.some((part) => part.name === name)))
      .map(({ wire }) => wire),
    relationships: [...of.requiredRelations].filter((name) => name !== ownerRelationship?.name && written.has(name)),
  }
}
