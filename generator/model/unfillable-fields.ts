import type { AnnotatedModel } from './annotated-model.js'
import type { RelationSpec } from './api-model.js'

/** Required fields that no request can fill. Create stays: a client extension may fill them in. */
export function unfillableNotes(model: AnnotatedModel, relations: readonly RelationSpec[]): string[] {
  const byRelation = new Set(
    relations
      .filter((relation) => relation.exposure === 'full')
      .flatMap((relation) => relation.foreignKey.map(([field]) => field)),
  )
  return model.fields
    .filter(
      (field) =>
        !field.optional &&
        !field.list &&
        !field.hasDefault &&
        (field.exposure === 'hidden' || field.exposure === 'readOnly') &&
        !byRelation.has(field.name),
    )
    .map(
      (field) =>
        `${model.model.name}.${field.name} is required, has no default and is ${field.exposure === 'hidden' ? 'hidden' : 'read-only'}: ` +
        'create fails unless your Prisma client or a hook fills it in.',
    )
}
