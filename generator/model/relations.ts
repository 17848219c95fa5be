import type { SchemaModel, SchemaRelation } from '../schema/schema.js'
import type { AnnotatedModel } from './annotated-model.js'
import { DELETE_ACTIONS, type Operation, type RelationSpec } from './api-model.js'
import type { Annotations } from './annotations/read-annotations.js'

/**
 * A relation of the schema, as it is on the wire.
 * @param hidesRows whether rows of a model may be hidden from the caller
 */
export function createRelationSpec(
  field: SchemaRelation,
  annotations: Annotations,
  models: ReadonlyMap<string, SchemaModel>,
  served: ReadonlySet<string>,
  hidesRows: (model: string) => boolean,
): RelationSpec {
  const { name, target, list, optional, foreignKey } = field
  const other = models.get(target)
  const inverse = other?.relations.find(({ name }) => name === field.inverse)
  const exposure = annotations.exposure === 'writeOnly' ? 'full' : annotations.exposure
  return {
    name,
    documentation: annotations.text,
    target,
    many: list,
    optional: optional && !list,
    nullable: !optional && !list && (annotations.nullable ?? hidesRows(target)),
    foreignKey,
    onDelete: DELETE_ACTIONS.find((action) => action === field.onDelete),
    inverse: inverse?.name ?? '',
    dependent: foreignKey.length === 0 && other !== undefined && inverse?.list === false && mustBeTied(other, inverse),
    exposure: served.has(target) ? exposure : 'hidden',
  }
}

/**
 * Whether rows cannot be untied from the other end of a relation that they hold, because a field of its foreign key is required. The
 * relation itself may be optional all the same, as many schemas have it. To untie a row, Prisma empties all these fields.
 */
function mustBeTied({ fields }: SchemaModel, { optional, foreignKey }: SchemaRelation): boolean {
  return !optional || fields.some(({ name, optional }) => !optional && foreignKey.some(([field]) => field === name))
}

/**
 * Tells whether a relation can be written from one of its ends: the fields that hold it may be read-only or set by the server, and
 * where the other end holds it, to write it is to update rows there.
 */
export function createWritableCheck(
  models: readonly AnnotatedModel[],
  operations: ReadonlyMap<string, readonly Operation[]>,
): (model: string, relation: RelationSpec) => boolean {
  const byName = new Map(models.map((each) => [each.model.name, each]))
  const hasReadOnlyField = (model: string, names: readonly string[]) =>
    byName
      .get(model)
      ?.fields.some(
        ({ name, exposure, serverSet }) => names.includes(name) && (exposure === 'readOnly' || serverSet),
      ) === true
  return (model, { target, inverse, foreignKey }) => {
    if (foreignKey.length > 0) {
      return !hasReadOnlyField(
        model,
        foreignKey.map(([field]) => field),
      )
    }
    const other = byName.get(target)?.relations.find(({ field }) => field.name === inverse)
    if (other?.annotations.exposure === 'readOnly') return false
    const keys = other?.field.foreignKey.map(([field]) => field) ?? []
    return keys.length === 0 || (operations.get(target)?.includes('update') === true && !hasReadOnlyField(target, keys))
  }
}
