import type { Diagnostic } from '../errors.js'
import type { ZodPackage } from '../project/zod.js'
import type { SchemaModel, SchemaRelation } from '../schema/schema.js'
import type { ConstraintSpec, FieldSpec, UniqueSpec } from './api-model.js'
import { type Annotations, type AnnotationTarget, parseAnnotations } from './annotations/read-annotations.js'
import { createFieldSpec } from './fields.js'
import { checkNullability } from './nullability.js'
import { findConstraints, findUsableUniques } from './uniques.js'
import { checkVersion } from './version-field.js'

/** A schema model with its parsed annotations. */
export interface AnnotatedModel {
  readonly model: SchemaModel
  readonly annotations: Annotations
  readonly fields: readonly FieldSpec[]
  readonly relations: readonly { readonly field: SchemaRelation; readonly annotations: Annotations }[]
  readonly uniques: readonly UniqueSpec[]
  readonly constraints: readonly ConstraintSpec[]
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
  // `@api.readOnly` on a relation also applies to its foreign key fields. It must be applied here, because relations to hidden models are
  // hidden later.
  const readOnlyKeys = new Set(
    relations.flatMap(({ field, annotations: { exposure } }) =>
      exposure === 'readOnly' ? field.foreignKey.map(([name]) => name) : [],
    ),
  )
  const exposed = fields.map((field) =>
    field.exposure === 'full' && readOnlyKeys.has(field.name) ? { ...field, exposure: 'readOnly' as const } : field,
  )
  const uniques = findUsableUniques(model, exposed)
  checkVersion(model.name, exposed, uniques, report)
  const constraints = findConstraints(model, uniques, exposed)
  return { model, annotations, fields: exposed, relations, uniques, constraints }
}
