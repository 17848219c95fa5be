import type { AnnotatedModel } from './annotated-model.js'
import type { RelationSpec } from './api-model.js'

/** Returns warnings about required fields that no request can set, unless `@api.serverSet` declares that the app sets them. */
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
        !field.serverSet &&
        (field.exposure === 'hidden' || field.exposure === 'readOnly') &&
        !byRelation.has(field.name),
    )
    .map(
      (field) =>
        `${model.model.name}.${field.name} is required, has no default and is ${field.exposure === 'hidden' ? 'hidden' : 'read-only'}: ` +
        'create fails unless a hook or your Prisma client sets it. Add "@api.serverSet" to its comment if one of them does.',
    )
}
