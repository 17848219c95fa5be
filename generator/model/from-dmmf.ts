import type { DMMF } from '@prisma/generator-helper'

import type { Problem } from '../errors.js'
import {
  type ApiModel,
  type FieldSpec,
  type ModelSpec,
  OPERATIONS,
  type Operation,
  PRISMA_OPERATIONS,
  type PrismaOperation,
  type RelationSpec,
  type UniqueSpec,
} from './api-model.js'
import { type Annotations, type AnnotationTarget, readAnnotations } from './comments.js'
import { byCodeUnit, delegateName, folderName, identifierStem } from './names.js'
import { buildRule } from './rule.js'

/** The parts of Prisma's DMMF that are read here. */
export interface SchemaDmmf {
  readonly datamodel: Pick<DMMF.Datamodel, 'models' | 'enums'>
  readonly mappings: Pick<DMMF.Mappings, 'modelOperations'>
}

/**
 * Prisma's DMMF → {@link ApiModel}. The only place that knows the DMMF.
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
  refuseClashes(served, report)
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

interface AnnotatedModel {
  readonly model: DMMF.Model
  readonly annotations: Annotations
  readonly fields: readonly FieldSpec[]
  readonly relations: readonly { readonly field: DMMF.Field; readonly annotations: Annotations }[]
  readonly uniques: readonly UniqueSpec[]
}

function annotateModel(
  model: DMMF.Model,
  enumValues: ReadonlyMap<string, readonly string[]>,
  report: (problem: Problem) => void,
): AnnotatedModel {
  const annotate = (comment: string | undefined, target: AnnotationTarget, field?: string) =>
    readAnnotations(comment, target, (problem) => {
      report({ place: { model: model.name, ...(field === undefined ? {} : { field }) }, ...problem })
    })
  const annotations = annotate(model.documentation, 'model')
  const fields = model.fields
    .filter((field) => field.kind === 'scalar' || field.kind === 'enum')
    .map((field) => fieldSpec(model, field, annotate(field.documentation, 'field', field.name), enumValues, report))
  const relations = model.fields
    .filter((field) => field.kind === 'object' && field.relationName !== undefined)
    .map((field) => ({ field, annotations: annotate(field.documentation, 'relation', field.name) }))
  // Said of the fields themselves: the relation may lead to a hidden model, and then says nothing more.
  const held = new Set(
    relations.flatMap(({ field, annotations: { exposure } }) =>
      exposure === 'readOnly' ? (field.relationFromFields ?? []) : [],
    ),
  )
  const exposed = fields.map((field) =>
    field.exposure === 'full' && held.has(field.name) ? { ...field, exposure: 'readOnly' as const } : field,
  )
  return { model, annotations, fields: exposed, relations, uniques: uniquesOf(model, exposed) }
}

function fieldSpec(
  model: DMMF.Model,
  field: DMMF.Field,
  annotations: Annotations,
  enumValues: ReadonlyMap<string, readonly string[]>,
  report: (problem: Problem) => void,
): FieldSpec {
  const isEnum = field.kind === 'enum'
  const type = isEnum ? 'Enum' : field.type
  const values = isEnum ? (enumValues.get(field.type) ?? []) : []
  let rule: string | undefined
  if (annotations.chain) {
    const result = buildRule(annotations.chain, { type, values, list: field.isList })
    if ('source' in result) rule = result.source
    else report({ place: { model: model.name, field: field.name }, ...result })
  }
  const written = annotations.exposure === 'full' || annotations.exposure === 'writeOnly'
  return {
    name: field.name,
    documentation: annotations.text,
    type,
    values,
    optional: !field.isRequired,
    list: field.isList,
    uuid: field.nativeType?.[0] === 'Uuid',
    column: field.dbName ?? undefined,
    hasDefault: field.hasDefaultValue || field.isUpdatedAt === true,
    generated: isMadeByDatabase(field),
    exposure: annotations.exposure,
    rule: written ? rule : undefined,
  }
}

function isMadeByDatabase(field: DMMF.Field): boolean {
  const made = field.default
  return (
    typeof made === 'object' &&
    made !== null &&
    'name' in made &&
    (made.name === 'autoincrement' || made.name === 'dbgenerated' || made.name === 'sequence')
  )
}

/** Unique criteria that a caller can use, best identifier first: the id, required uniques, then those that may be null. */
function uniquesOf(model: DMMF.Model, fields: readonly FieldSpec[]): UniqueSpec[] {
  const readable = new Map(
    fields
      .filter((field) => field.exposure === 'full' || field.exposure === 'readOnly')
      .map((field) => [field.name, field]),
  )
  const compound = (index: { readonly name: string | null; readonly fields: readonly string[] }) => ({
    name: index.name ?? index.fields.join('_'),
    fields: index.fields,
  })
  const single = (name: string) => ({ name, fields: [name] })
  const ids = [
    ...model.fields.filter((field) => field.isId).map((field) => single(field.name)),
    ...(model.primaryKey ? [compound(model.primaryKey)] : []),
  ]
  const others = [
    ...model.fields.filter((field) => field.isUnique && !field.isId).map((field) => single(field.name)),
    ...model.uniqueIndexes.map(compound),
  ]
  const nullable = (unique: UniqueSpec) => unique.fields.some((field) => readable.get(field)?.optional)
  const seen = new Set<string>()
  return [...ids, ...others.filter((unique) => !nullable(unique)), ...others.filter(nullable)].filter((unique) => {
    if (seen.has(unique.name) || !unique.fields.every((field) => readable.has(field))) return false
    seen.add(unique.name)
    return true
  })
}

function relationSpec(
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

function operationsOf(annotations: Annotations, mapping: Readonly<Record<string, unknown>>): Operation[] {
  const possible = {
    list: 'findMany',
    get: 'findUnique',
    create: 'createOne',
    update: 'updateOne',
    delete: 'deleteOne',
  }
  const allowed = annotations.exposure === 'readOnly' ? ['list', 'get'] : OPERATIONS
  return OPERATIONS.filter(
    (operation) =>
      mapping[possible[operation]] !== undefined &&
      allowed.includes(operation) &&
      (annotations.operations?.includes(operation) ?? true),
  )
}

function prismaOperationsOf(
  operations: readonly Operation[],
  mapping: Readonly<Record<string, unknown>>,
): PrismaOperation[] {
  // `count` is on every delegate, and never in the mapping.
  const inMapping = (name: string) =>
    name === 'count' || mapping[name] !== undefined || mapping[`${name}One`] !== undefined
  return Object.entries(PRISMA_OPERATIONS)
    .filter(([name, needs]) => inMapping(name) && needs.every((need) => operations.includes(need)))
    .map(([name]) => name as PrismaOperation)
}

/**
 * Tells whether a relation can be written from one of its ends: the fields that hold it may be read-only, and where the other
 * end holds it, to write it is to update rows there.
 */
function writableRelations(
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

/** Required fields that no request can fill. Create stays: a client extension may fill them in. */
function createNotes(model: AnnotatedModel, relations: readonly RelationSpec[]): string[] {
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
        'create fails unless your Prisma client fills it in.',
    )
}

function refuseClashes(models: readonly AnnotatedModel[], report: (problem: Problem) => void): void {
  const shared = [
    { of: (name: string) => name.toLowerCase(), what: 'It would have the same path as' },
    { of: folderName, what: 'Its files would be written to the same folder as those of' },
    { of: identifierStem, what: 'Its files would export the same names as those of' },
  ]
  const taken = shared.map(() => new Map<string, string>())
  for (const { model } of models) {
    const clash = shared.map(({ of, what }, index) => ({ what, other: taken[index]?.get(of(model.name)) }))
    const found = clash.find(({ other }) => other !== undefined)
    if (found) {
      const mend = 'Rename one of the models, and keep the name of its table with "@@map".'
      report({ place: { model: model.name }, what: `${found.what} ${found.other}.`, mend })
    }
    for (const [index, { of }] of shared.entries()) taken[index]?.set(of(model.name), model.name)
  }
}
