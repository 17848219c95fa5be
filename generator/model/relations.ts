import type { SchemaModel, SchemaRelation } from '../schema/schema.js'
import type { AnnotatedModel } from './annotated-model.js'
import { DELETE_ACTIONS, type FieldSpec, type Operation, type RelationSpec } from './api-model.js'
import type { Annotations } from './annotations/read-annotations.js'

/**
 * Creates the spec of a relation.
 * @param hidesRows whether rows of a model may be hidden from the caller
 */
export function createRelationSpec(
  field: SchemaRelation,
  annotations: Annotations,
  models: ReadonlyMap<string, SchemaModel>,
  exposedModels: ReadonlySet<string>,
  hidesRows: (model: string) => boolean,
): RelationSpec {
  const { name, target, list, optional, foreignKey } = field
  const targetModel = models.get(target)
  const inverse = targetModel?.relations.find(({ name }) => name === field.inverse)
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
    dependent:
      foreignKey.length === 0 &&
      targetModel !== undefined &&
      inverse?.list === false &&
      mustStayConnected(targetModel, inverse),
    exposure: exposedModels.has(target) ? exposure : 'hidden',
    serverSet: false,
  }
}

/**
 * Whether rows cannot be disconnected from the other side of a relation, because a field of their foreign key is required. To disconnect a
 * row, Prisma sets all these fields to null. In many schemas, the relation field is optional even though a key field is required.
 */
function mustStayConnected({ fields }: SchemaModel, { optional, foreignKey }: SchemaRelation): boolean {
  return !optional || fields.some(({ name, optional }) => !optional && foreignKey.some(([field]) => field === name))
}

/** Whether server-set fields are the only read-only fields of a relation's foreign key. */
export function hasServerSetKey({ foreignKey }: RelationSpec, fields: readonly FieldSpec[]): boolean {
  const keys = fields.filter(({ name }) => foreignKey.some(([key]) => key === name))
  return keys.some(({ serverSet }) => serverSet) && keys.every((key) => key.serverSet || key.exposure !== 'readOnly')
}

/**
 * Creates a function that returns whether a relation can be written from one of its sides. It cannot be written if its foreign key fields are
 * read-only or server-set. If the other side has the foreign key, writing the relation also requires the operation `update` there.
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
    const inverseRelation = byName.get(target)?.relations.find(({ field }) => field.name === inverse)
    if (inverseRelation?.annotations.exposure === 'readOnly') return false
    const keys = inverseRelation?.field.foreignKey.map(([field]) => field) ?? []
    return keys.length === 0 || (operations.get(target)?.includes('update') === true && !hasReadOnlyField(target, keys))
  }
}
