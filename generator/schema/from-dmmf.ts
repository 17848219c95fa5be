import type { DMMF } from '@prisma/generator-helper'

import { findConstraint, type Key } from './find-constraint.js'
import { createLocationFinder, schemaFiles } from './source-locations.js'
import { readRelationMode } from './relation-mode.js'
import type {
  SchemaConstraint,
  SchemaField,
  SchemaFile,
  SchemaModel,
  SchemaRelation,
  SchemaSource,
  SchemaUnique,
} from './schema.js'

/** The parts of Prisma's DMMF that the generator reads. */
export interface SchemaDmmf {
  readonly datamodel: Pick<DMMF.Datamodel, 'models' | 'enums' | 'indexes'>
  readonly mappings: Pick<DMMF.Mappings, 'modelOperations'>
}

/** A schema as Prisma 7 passes it to generators. */
export interface PrismaSchema {
  readonly dmmf: SchemaDmmf
  /** The datasource's provider. */
  readonly provider: string
  /** The text of all schema files. */
  readonly datamodel: string
  /** Path of the schema's file or folder. */
  readonly schemaPath: string
  /** The schema's files. Default: read from `schemaPath`. */
  readonly files?: readonly SchemaFile[]
}

/** Converts Prisma's DMMF to a {@link SchemaSource}. Only this file and `find-constraint.ts` depend on the DMMF. */
export function schemaFromDmmf({ dmmf, provider, datamodel, schemaPath, ...options }: PrismaSchema): SchemaSource {
  const { models, enums, indexes } = dmmf.datamodel
  const byName = new Map(models.map((model) => [model.name, model]))
  const files = options.files ? () => options.files ?? [] : schemaFiles(schemaPath, datamodel)
  const mappings = new Map(dmmf.mappings.modelOperations.map((mapping) => [mapping.model, mapping]))
  return {
    provider,
    relationMode: readRelationMode(datamodel),
    models: models.map((model) => {
      const methods = listMethods({ ...mappings.get(model.name) })
      return readModel(model, byName, methods, (key) => findConstraint(model, key, indexes, provider))
    }),
    enums: enums.map((each) => ({
      name: each.name,
      comment: each.documentation,
      values: each.values.map((value) => value.name),
    })),
    path: schemaPath,
    files,
    locate: createLocationFinder(files),
  }
}

function readModel(
  model: DMMF.Model,
  models: ReadonlyMap<string, DMMF.Model>,
  methods: readonly string[],
  constraintOf: (key: Key) => SchemaConstraint | undefined,
): SchemaModel {
  const read = (type: Key['type'], fields: readonly string[], name = fields.join('_')): SchemaUnique => ({
    name,
    fields,
    constraint: constraintOf({ type, fields }),
  })
  const id = model.fields.find((field) => field.isId)
  const key = id ? { name: id.name, fields: [id.name] } : model.primaryKey
  return {
    name: model.name,
    table: model.dbName ?? undefined,
    comment: model.documentation,
    fields: model.fields.flatMap((field) =>
      field.kind === 'scalar' || field.kind === 'enum' ? [readField(field, field.kind)] : [],
    ),
    relations: model.fields
      .filter((field) => field.kind === 'object' && field.relationName !== undefined)
      .map((field) => readRelation(model, field, models)),
    primaryKey: key ? read('id', key.fields, key.name ?? undefined) : undefined,
    uniques: [
      ...model.fields.filter((field) => field.isUnique && !field.isId).map((field) => read('unique', [field.name])),
      // The DMMF also lists `@@unique([code])` here. The Prisma client ignores its name.
      ...model.uniqueIndexes
        .filter(({ fields }) => fields.length > 1)
        .map(({ fields, name }) => read('unique', fields, name ?? undefined)),
    ],
    methods,
  }
}

function readField(field: DMMF.Field, kind: 'scalar' | 'enum'): SchemaField {
  return {
    name: field.name,
    comment: field.documentation,
    kind,
    type: field.type,
    list: field.isList,
    optional: !field.isRequired,
    nativeType: field.nativeType?.[0],
    ...(field.nativeType?.[1]?.[0] !== undefined && {
      nativePrecision: Number(field.nativeType[1][0]),
      nativeArguments: field.nativeType[1].map(String),
    }),
    column: field.dbName ?? undefined,
    defaultFrom: isDatabaseGenerated(field) ? 'database' : field.hasDefaultValue ? 'client' : undefined,
    defaultValue: isLiteral(field.default) ? field.default : undefined,
    updatedAt: field.isUpdatedAt === true,
  }
}

function isLiteral(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isDatabaseGenerated(field: DMMF.Field): boolean {
  const defaultValue = field.default
  return (
    typeof defaultValue === 'object' &&
    defaultValue !== null &&
    'name' in defaultValue &&
    (defaultValue.name === 'autoincrement' || defaultValue.name === 'dbgenerated' || defaultValue.name === 'sequence')
  )
}

function readRelation(model: DMMF.Model, field: DMMF.Field, models: ReadonlyMap<string, DMMF.Model>): SchemaRelation {
  const inverse = models
    .get(field.type)
    ?.fields.find(
      (other) => other.relationName === field.relationName && !(field.type === model.name && other.name === field.name),
    )
  const to = field.relationToFields ?? []
  return {
    name: field.name,
    comment: field.documentation,
    target: field.type,
    list: field.isList,
    optional: !field.isRequired,
    foreignKey: (field.relationFromFields ?? []).map((name, index) => [name, to[index] ?? ''] as const),
    onDelete: field.relationOnDelete,
    inverse: inverse?.name,
  }
}

/** Returns the method names of a model's delegate. Every delegate has `count`, which the mapping never contains. */
function listMethods(mapping: Readonly<Record<string, unknown>>): string[] {
  const mapped = Object.keys(mapping).filter((name) => name !== 'model' && mapping[name] !== undefined)
  // The DMMF names the methods `createOne`, `updateOne` and so on. The client's names have no `One`.
  return ['count', ...mapped.map((name) => name.replace(/One$/, ''))]
}
