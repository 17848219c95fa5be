import type { Problem } from '../errors.js'
import type { Zod } from '../project/zod.js'
import type { SchemaSource } from '../schema/schema.js'
import { annotateModel } from './annotated-model.js'
import type { ApiModel, ModelSpec } from './api-model.js'
import { refuseClashes } from './clashes.js'
import { readAnnotations } from './annotations/comments.js'
import { byCodeUnit, delegateName } from './names.js'
import { operationsOf, prismaOperationsOf } from './operations.js'
import { relationSpec, writableRelations } from './relations.js'
import { createNotes } from './unfillable.js'

/**
 * A schema → {@link ApiModel}: what of it is on the wire.
 * @param schema whoever read it
 * @param report is told of everything in the schema that cannot be served as it stands
 * @param loadZod what rules are tried on; by default the zod of this package
 */
export function apiModelOf(schema: SchemaSource, report: (problem: Problem) => void, loadZod?: () => Zod): ApiModel {
  const notes: string[] = []
  const enumValues = new Map(schema.enums.map((each) => [each.name, each.values]))
  for (const each of schema.enums) {
    readAnnotations(each.comment, 'enum', (problem) => report({ place: { enum: each.name }, ...problem }))
  }

  const annotated = schema.models
    .map((model) => annotateModel(model, enumValues, report, loadZod))
    .sort((a, b) => byCodeUnit(a.model.name, b.model.name))
  const served = annotated.filter((model) => {
    if (model.annotations.exposure === 'hidden') return false
    if (model.uniques.length > 0) return true
    notes.push(`${model.model.name} has no routes: it has no unique field or index whose fields are all on the wire.`)
    return false
  })
  refuseClashes(
    served.map(({ model }) => model),
    report,
  )
  const servedNames = new Set(served.map((model) => model.model.name))
  const modelsByName = new Map(schema.models.map((model) => [model.name, model]))

  const operationsByModel = new Map(
    served.map(({ model, annotations }) => [model.name, operationsOf(annotations, model.methods)]),
  )
  const isWritable = writableRelations(annotated, operationsByModel)

  const specs = served.map((each): ModelSpec => {
    const { name, methods } = each.model
    const operations = operationsByModel.get(name) ?? []
    const relations = each.relations.map(({ field, annotations }) => {
      const relation = relationSpec(field, annotations, modelsByName, servedNames)
      const isReadOnly = relation.exposure === 'full' && !isWritable(name, relation)
      return isReadOnly ? { ...relation, exposure: 'readOnly' as const } : relation
    })
    if (operations.includes('create')) notes.push(...createNotes(each, relations))
    return {
      name,
      delegate: delegateName(name),
      documentation: each.annotations.text,
      id: each.uniques[0]?.name ?? '',
      uniques: each.uniques,
      fields: each.fields,
      relations,
      operations,
      prismaOperations: prismaOperationsOf(operations, methods),
    }
  })
  const { provider, relationMode } = schema
  return { provider, ...(relationMode && { relationMode }), models: specs, notes }
}
