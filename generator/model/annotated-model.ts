import type { Diagnostic } from '../errors.js'
import type { ZodPackage } from '../project/zod.js'
import type { SchemaModel, SchemaRelation } from '../schema/schema.js'
import type { Exposure, FieldSpec, UniqueSpec } from './api-model.js'
import { type Annotations, type AnnotationTarget, parseAnnotations } from './annotations/read-annotations.js'
import { createFieldSpec } from './fields.js'
import { checkNullability } from './nullability.js'
import { findUsableUniques } from './uniques.js'
import { checkVersion } from './version-field.js'

/** A schema model with its parsed annotations. */
export interface AnnotatedModel {
  readonly model: SchemaModel
  readonly annotations: Annotations
  readonly fields: readonly FieldSpec[]
  readonly relations: readonly { readonly field: SchemaRelation; readonly annotations: Annotations }[]
  readonly uniques: readonly UniqueSpec[]
}

/** Parses the annotations of a model and its fields and applies their effects. */
export function annotateModel(
  model: SchemaModel,
  enumValues: ReadonlyMap<string, readonly string[]>,
  report: (problem: Diagnostic) => void,
  loadZod?: () => ZodPackage,
): AnnotatedModel {
  const annotate = (comment: string | undefined, target: AnnotationTarget, field?: string) =>
    parseAnnotations(comment, target, (problem) => {
      report({ location: { model: model.name, ...(field === undefined ? {} : { field }) }, ...problem })
    })
  const annotations = annotate(model.comment, 'model')
  const fields = model.fields.map((field) =>
    createFieldSpec(model, field, annotate(field.comment, 'field', field.name), enumValues, report, loadZod),
  )
  const relations = model.relations.map((field) => {
    const annotations = annotate(field.comment, 'relation', field.name)
    const location = { model: model.name, field: field.name }
    checkNullability(field, annotations, (problem) => report({ location, ...problem }))
    return { field, annotations }
  })
  const exposed = withReadOnlyKeys(fields, relations)
  const uniques = findUsableUniques(model, exposed)
  checkVersion(model.name, exposed, uniques, report)
  return { model, annotations, fields: exposed, relations, uniques }
}

/**
 * Makes the other fields of a foreign key read-only if a relation or one of its fields is `@api.readOnly`. Server-set fields have no such
 * effect, because a tenant id is often part of all foreign keys. This is done here, because relations to hidden models are hidden later.
 */
function withReadOnlyKeys(fields: readonly FieldSpec[], relations: AnnotatedModel['relations']): readonly FieldSpec[] {
  const readOnly = new Set(
    fields.flatMap(({ name, exposure, serverSet }) => (exposure === 'readOnly' && !serverSet ? [name] : [])),
  )
  const keys = relations.map(({ field, annotations: { exposure } }) => ({
    isReadOnly: exposure === 'readOnly',
    names: field.foreignKey.map(([name]) => name),
  }))
  // A field that becomes read-only can be part of another key.
  for (let size = -1; size !== readOnly.size;) {
    size = readOnly.size
    for (const { isReadOnly, names } of keys)
      if (isReadOnly || names.some((name) => readOnly.has(name))) for (const name of names) readOnly.add(name)
  }
  return fields.map((field) =>
    readOnly.has(field.name) ? { ...field, exposure: withoutWrites(field.exposure) } : field,
  )
}

function withoutWrites(exposure: Exposure): Exposure {
  if (exposure === 'writeOnly') return 'hidden'
  return exposure === 'full' ? 'readOnly' : exposure
}
