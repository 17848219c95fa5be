import type { DMMF } from '@prisma/generator-helper'

import type { Problem } from '../errors.js'
import { annotateModel } from './annotated-model.js'
import type { ApiModel, ModelSpec } from './api-model.js'
import { refuseClashes } from './clashes.js'
import { readAnnotations } from './comments.js'
import { byCodeUnit, delegateName } from './names.js'
import { operationsOf, prismaOperationsOf } from './operations.js'
import { relationSpec, writableRelations } from './relations.js'
import { createNotes } from './unfillable.js'

/** The parts of Prisma's DMMF that are read here. */
export interface SchemaDmmf {
  readonly datamodel: Pick<DMMF.Datamodel, 'models' | 'enums'>
  readonly mappings: Pick<DMMF.Mappings, 'modelOperations'>
}

/**
 * Prisma's DMMF → {@link ApiModel}. Only the files that this one uses know the DMMF.
 * @param dmmf the schema, as Prisma gives it to generators
 * @param provider the datasource's provider
 * @param report is told of everything in the schema that cannot be served as it stands
 */
export function apiModelFromDmmf(dmmf: SchemaDmmf, provider: string, report: (problem: Problem) => void): ApiModel {
  const { models, enums } = dmmf.datamodel
  const notes: string[] = []
  const enumValues = new Map(enums.map((each) => [each.name, each.values.map((value) => value.name)]))
  for (const each of enums) {
    readAnnotations(each.documentation, 'enum', (problem) => report({ place: { enum: each.name }, ...problem }))
  }

  const annotated = models
    .map((model) => annotateModel(model, enumValues, report))
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
  const modelsByName = new Map(models.map((model) => [model.name, model]))
  const mappings = new Map(dmmf.mappings.modelOperations.map((mapping) => [mapping.model, mapping]))

  const operationsByModel = new Map(
    served.map(({ model, annotations }) => [model.name, operationsOf(annotations, { ...mappings.get(model.name) })]),
  )
  const isWritable = writableRelations(annotated, operationsByModel)

  const specs = served.map((each): ModelSpec => {
    const mapping: Readonly<Record<string, unknown>> = { ...mappings.get(each.model.name) }
    const operations = operationsByModel.get(each.model.name) ?? []
    const relations = each.relations.map(({ field, annotations }) => {
      const relation = relationSpec(each.model, field, annotations, modelsByName, servedNames)
      const isReadOnly = relation.exposure === 'full' && !isWritable(each.model.name, relation)
      return isReadOnly ? { ...relation, exposure: 'readOnly' as const } : relation
    })
    if (operations.includes('create')) notes.push(...createNotes(each, relations))
    return {
      name: each.model.name,
      delegate: delegateName(each.model.name),
      documentation: each.annotations.text,
      id: each.uniques[0]?.name ?? '',
      uniques: each.uniques,
      fields: each.fields,
      relations,
      operations,
      prismaOperations: prismaOperationsOf(operations, mapping),
    }
  })
  return { provider, models: specs, notes }
}
