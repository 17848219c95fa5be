import type { DMMF } from '@prisma/generator-helper'

import type { AnnotatedModel } from './annotated-model.js'
import type { Operation, RelationSpec } from './api-model.js'
import type { Annotations } from './comments.js'

/** A relation of the schema, as it is on the wire. */
export function relationSpec(
  model: DMMF.Model,
  field: DMMF.Field,
  annotations: Annotations,
  models: ReadonlyMap<string, DMMF.Model>,
  served: ReadonlySet<string>,
): RelationSpec {
  const inverse = models
    .get(field.type)
    ?.fields.find(
      (other) => other.relationName === field.relationName && !(field.type === model.name && other.name === field.name),
    )
  const from = field.relationFromFields ?? []
  const to = field.relationToFields ?? []
  const exposure = annotations.exposure === 'writeOnly' ? 'full' : annotations.exposure
  return {
    name: field.name,
    target: field.type,
    many: field.isList,
    optional: !field.isRequired && !field.isList,
    foreignKey: from.map((name, index) => [name, to[index] ?? ''] as const),
    inverse: inverse?.name ?? '',
    dependent: from.length === 0 && inverse?.isList === false && inverse.isRequired,
    exposure: served.has(field.type) ? exposure : 'hidden',
  }
}

/**
 * Tells whether a relation can be written from one of its ends: the fields that hold it may be read-only, and where the other
 * end holds it, to write it is to update rows there.
 */
export function writableRelations(
  models: readonly AnnotatedModel[],
  operations: ReadonlyMap<string, readonly Operation[]>,
): (model: string, relation: RelationSpec) => boolean {
  const byName = new Map(models.map((each) => [each.model.name, each]))
  const hasReadOnlyField = (model: string, names: readonly string[]) =>
    byName.get(model)?.fields.some((field) => names.includes(field.name) && field.exposure === 'readOnly') === true
  return (model, { target, inverse, foreignKey }) => {
    if (foreignKey.length > 0) {
      return !hasReadOnlyField(
        model,
        foreignKey.map(([field]) => field),
      )
    }
    const other = byName.get(target)?.relations.find(({ field }) => field.name === inverse)
    if (other?.annotations.exposure === 'readOnly') return false
    const keys = other?.field.relationFromFields ?? []
    return keys.length === 0 || (operations.get(target)?.includes('update') === true && !hasReadOnlyField(target, keys))
  }
}
