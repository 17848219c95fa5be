import type { Diagnostic } from '../errors.js'
import type { ZodPackage } from '../project/zod.js'
import type { SchemaSource } from '../schema/schema.js'
import { annotateModel } from './annotated-model.js'
import type { ApiModel, ModelSpec } from './api-model.js'
import { reportNameConflicts } from './name-conflicts.js'
import { parseAnnotations } from './annotations/read-annotations.js'
import { compareCodeUnits, delegateName } from './names.js'
import { allowedOperations, allowedPrismaOperations } from './operations.js'
import { createHiddenRowsCheck } from './nullability.js'
import { createRelationSpec, createWritableCheck, hasServerSetKey } from './relations.js'
import { unfillableNotes } from './unfillable-fields.js'

/** Options for {@link buildApiModel}. */
export interface ApiModelOptions {
  /** Loads the zod that checks rules. Default: the zod of this package. */
  readonly loadZod?: () => ZodPackage
  /** The library whose access policies the app enforces. If set, rows of every model may be hidden from the caller. */
  readonly policy?: string | undefined
}

/**
 * Builds the {@link ApiModel} of a schema: the models, fields, relations and operations that are exposed.
 * @param report called for each problem in the schema
 */
export function buildApiModel(
  schema: SchemaSource,
  report: (problem: Diagnostic) => void,
  { loadZod, policy }: ApiModelOptions = {},
): ApiModel {
  const notes: string[] = []
  const enumValues = new Map(schema.enums.map((each) => [each.name, each.values]))
  for (const each of schema.enums) {
    parseAnnotations(each.comment, 'enum', (problem) => report({ location: { enum: each.name }, ...problem }))
  }

  const annotated = schema.models
    .map((model) => annotateModel(model, enumValues, report, loadZod))
    .sort((a, b) => compareCodeUnits(a.model.name, b.model.name))
  const exposedModels = annotated.filter((model) => {
    if (model.annotations.exposure === 'hidden') return false
    if (model.uniques.length > 0) return true
    notes.push(
      `${model.model.name} has no routes, because it has no unique field or index whose fields are all exposed.`,
    )
    return false
  })
  reportNameConflicts(
    exposedModels.map(({ model }) => model),
    report,
  )
  const servedNames = new Set(exposedModels.map((model) => model.model.name))
  const modelsByName = new Map(schema.models.map((model) => [model.name, model]))

  const operationsByModel = new Map(
    exposedModels.map(({ model, annotations }) => [model.name, allowedOperations(annotations, model.methods)]),
  )
  const isWritable = createWritableCheck(annotated, operationsByModel)
  const hidesRows = createHiddenRowsCheck(annotated, policy !== undefined)

  const specs = exposedModels.map((each): ModelSpec => {
    const { name, methods } = each.model
    const operations = operationsByModel.get(name) ?? []
    const relations = each.relations.map(({ field, annotations }) => {
      const relation = createRelationSpec(field, annotations, modelsByName, servedNames, hidesRows)
      if (relation.exposure !== 'full' || isWritable(name, relation)) return relation
      return { ...relation, exposure: 'readOnly' as const, serverSet: hasServerSetKey(relation, each.fields) }
    })
    if (operations.includes('create')) notes.push(...unfillableNotes(each, relations))
    return {
      name,
      delegate: delegateName(name),
      table: each.model.table,
      documentation: each.annotations.text,
      id: each.uniques[0]?.name ?? '',
      uniques: each.uniques,
      constraints: each.constraints,
      fields: each.fields,
      relations,
      operations,
      prismaOperations: allowedPrismaOperations(operations, methods),
    }
  })
  const { provider, relationMode } = schema
  const hiddenModels = annotated.map(({ model }) => model.name).filter((name) => !servedNames.has(name))
  return { provider, ...(relationMode && { relationMode }), models: specs, hiddenModels, notes }
}
