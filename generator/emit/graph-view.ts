import { stringLiteral } from '../model/annotations/parse-chain.js'
import type { ApiModel, FieldSpec, ModelSpec, RelationSpec } from '../model/api-model.js'

/** The data of `graph.hbs`. */
export interface GraphView {
  readonly models: readonly {
    readonly name: string
    /** The exposed relations and their models, as an object literal. */
    readonly relations: string
    /** The storage of each relation: the fields of its foreign key, or the relation on the other side. */
    readonly keys: string
    /** The id fields as literals. Empty if the only one is `id`. */
    readonly id: string
    /** The exposed fields that a write may change even if the request does not set them, as literals. */
    readonly touches: string
    /** The models whose rows are deleted along with a row of this model, as literals. */
    readonly deletes: string
    /** The models whose foreign key is set to null or its default when a row of this model is deleted, as literals. */
    readonly detaches: string
  }[]
}

/** Creates the view of the graph file. */
export function createGraphView({ models }: ApiModel): GraphView {
  return {
    models: models.map((model) => ({
      name: model.name,
      relations: objectOf(visible(model).map(({ name, target }) => [name, stringLiteral(target)])),
      keys: objectOf(visible(model).flatMap((relation) => storageEntry(relation, model, models))),
      id: literals(getIdFields(model).join() === 'id' ? [] : getIdFields(model)),
      touches: literals(model.fields.filter((field) => isSet(field, model)).map(({ name }) => name)),
      deletes: literals(findReferringModels(models, model, 'Cascade')),
      detaches: literals([
        ...findReferringModels(models, model, 'SetNull'),
        ...findReferringModels(models, model, 'SetDefault'),
      ]),
    })),
  }
}

function visible({ relations }: ModelSpec): RelationSpec[] {
  return relations.filter(({ exposure }) => exposure !== 'hidden')
}

/**
 * Returns the entry that describes how a relation is stored. Omitted if it would contain names that are not exposed. Also omitted for
 * one-to-one relations that are optional on both sides, because connecting a row there disconnects it from another row.
 */
function storageEntry(relation: RelationSpec, model: ModelSpec, models: readonly ModelSpec[]): [string, string][] {
  const target = models.find(({ name }) => name === relation.target)
  const inverse = target?.relations.find(({ name }) => name === relation.inverse)
  if (!target || !inverse) return []
  if (!relation.many && !inverse.many && relation.optional && inverse.optional) return []
  if (relation.foreignKey.length === 0) {
    return inverse.exposure === 'hidden' ? [] : [[relation.name, stringLiteral(relation.inverse)]]
  }
  if (!relation.foreignKey.every(([field, key]) => isReadableField(model, field) && isReadableField(target, key)))
    return []
  return [[relation.name, objectOf(relation.foreignKey.map(([field, key]) => [field, stringLiteral(key)]))]]
}

function isReadableField({ fields }: ModelSpec, name: string): boolean {
  return fields.some((field) => field.name === name && isReadable(field))
}

function isReadable({ exposure }: FieldSpec): boolean {
  return exposure === 'full' || exposure === 'readOnly'
}

/**
 * Whether a write may change a field even if the request does not set it. This applies to fields that the Prisma client updates on every
 * write, to read-only fields unless the value is generated on create, and to foreign keys with a default.
 */
function isSet(field: FieldSpec, { relations }: ModelSpec): boolean {
  if (!isReadable(field)) return false
  const isKey = relations.some(({ foreignKey }) => foreignKey.some(([name]) => name === field.name))
  if (isKey && field.hasDefault) return true
  return field.updatedAt || (field.exposure === 'readOnly' && !(field.hasDefault && field.defaultValue === undefined))
}

function getIdFields({ id, uniques }: ModelSpec): readonly string[] {
  return uniques.find(({ name }) => name === id)?.fields ?? [id]
}

function objectOf(entries: readonly (readonly [name: string, value: string])[]): string {
  return entries.length > 0 ? `{ ${entries.map(([name, value]) => `${name}: ${value}`).join(', ')} }` : '{}'
}

/** Returns the models with a foreign key to a model and the given referential action on delete. */
function findReferringModels(
  models: readonly ModelSpec[],
  target: ModelSpec,
  action: RelationSpec['onDelete'],
): string[] {
  return models
    .filter(({ relations }) =>
      relations.some(
        (relation) =>
          relation.foreignKey.length > 0 && relation.target === target.name && actionOf(relation) === action,
      ),
    )
    .map(({ name }) => name)
}

/** Returns the referential action, or Prisma's default if the schema does not set one. */
function actionOf({ onDelete, optional }: RelationSpec): RelationSpec['onDelete'] {
  return onDelete ?? (optional ? 'SetNull' : 'Restrict')
}

function literals(names: readonly string[]): string {
  return [...new Set(names)].map(stringLiteral).join(', ')
}
