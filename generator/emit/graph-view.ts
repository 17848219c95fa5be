import { stringLiteral } from '../model/annotations/parse-chain.js'
import type { ApiModel, FieldSpec, ModelSpec, RelationSpec } from '../model/api-model.js'

/** What `graph.hbs` shows. */
export interface GraphView {
  readonly models: readonly {
    readonly name: string
    /** The relations that are on the wire and their models, as an object. */
    readonly relations: string
    /** How each of these relations is kept: the fields of its foreign key, or the relation at its other end. */
    readonly by: string
    /** The fields that identify a row, as literals; empty where that is `id` alone. */
    readonly id: string
    /** The fields on the wire that a write may change without being told to, as literals. */
    readonly sets: string
    /** The models of which rows go along with a row that is deleted, as literals. */
    readonly deletes: string
    /** The models of which rows lose their foreign key to it, as literals. */
    readonly changes: string
  }[]
}

export function createGraphView({ models }: ApiModel): GraphView {
  return {
    models: models.map((model) => ({
      name: model.name,
      relations: objectOf(visible(model).map(({ name, target }) => [name, stringLiteral(target)])),
      by: objectOf(visible(model).flatMap((relation) => keptBy(relation, model, models))),
      id: literals(idOf(model).join() === 'id' ? [] : idOf(model)),
      sets: literals(model.fields.filter((field) => isSet(field, model)).map(({ name }) => name)),
      deletes: literals(referring(models, model, 'Cascade')),
      changes: literals([...referring(models, model, 'SetNull'), ...referring(models, model, 'SetDefault')]),
    })),
  }
}

function visible({ relations }: ModelSpec): RelationSpec[] {
  return relations.filter(({ exposure }) => exposure !== 'hidden')
}

/**
 * The member that says how a relation is kept. There is none where that cannot be told without names that are not on the wire, nor of a
 * relation of one row to one other that may lose it: who is given a new row takes it from another.
 */
function keptBy(relation: RelationSpec, model: ModelSpec, models: readonly ModelSpec[]): [string, string][] {
  const target = models.find(({ name }) => name === relation.target)
  const inverse = target?.relations.find(({ name }) => name === relation.inverse)
  if (!target || !inverse) return []
  if (!relation.many && !inverse.many && relation.optional && inverse.optional) return []
  if (relation.foreignKey.length === 0) {
    return inverse.exposure === 'hidden' ? [] : [[relation.name, stringLiteral(relation.inverse)]]
  }
  if (!relation.foreignKey.every(([field, key]) => isShown(model, field) && isShown(target, key))) return []
  return [[relation.name, objectOf(relation.foreignKey.map(([field, key]) => [field, stringLiteral(key)]))]]
}

function isShown({ fields }: ModelSpec, name: string): boolean {
  return fields.some((field) => field.name === name && isReadable(field))
}

function isReadable({ exposure }: FieldSpec): boolean {
  return exposure === 'full' || exposure === 'readOnly'
}

/**
 * Those that the client sets at every write, those that callers do not set, but for what a database makes once, and foreign keys that are
 * not null where they are left out.
 */
function isSet(field: FieldSpec, { relations }: ModelSpec): boolean {
  if (!isReadable(field)) return false
  const isKey = relations.some(({ foreignKey }) => foreignKey.some(([name]) => name === field.name))
  if (isKey && field.hasDefault) return true
  return field.updatedAt || (field.exposure === 'readOnly' && !(field.hasDefault && field.defaultValue === undefined))
}

function idOf({ id, uniques }: ModelSpec): readonly string[] {
  return uniques.find(({ name }) => name === id)?.fields ?? [id]
}

function objectOf(members: readonly (readonly [name: string, value: string])[]): string {
  return members.length > 0 ? `{ ${members.map(([name, value]) => `${name}: ${value}`).join(', ')} }` : '{}'
}

/** The models whose rows refer to rows of a model, and of which a database makes something where that is deleted. */
function referring(models: readonly ModelSpec[], target: ModelSpec, action: RelationSpec['onDelete']): string[] {
  return models
    .filter(({ relations }) =>
      relations.some(
        (relation) =>
          relation.foreignKey.length > 0 && relation.target === target.name && actionOf(relation) === action,
      ),
    )
    .map(({ name }) => name)
}

/** Prisma's own default where the schema is silent. */
function actionOf({ onDelete, optional }: RelationSpec): RelationSpec['onDelete'] {
  return onDelete ?? (optional ? 'SetNull' : 'Restrict')
}

function literals(names: readonly string[]): string {
  return [...new Set(names)].map(stringLiteral).join(', ')
}
