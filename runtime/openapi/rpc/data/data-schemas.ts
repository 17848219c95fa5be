import { assertWritable, writableField } from '../../../rpc/guard/assert-permissions.js'
import type { Model } from '../../../schema/model.js'
import type { Field } from '../../../schema/resource.js'
import { ARITHMETIC } from '../../../values/arithmetic.js'
import type { JsonSchema, Reference } from '../../document-types.js'
import { memoize } from '../../../values/memoize.js'
import { capitalize } from '../../name-allocator.js'
import { describeMember } from '../../openapi-options.js'
import { withDescription, withDefault, ruledFieldSchema, fieldValueSchema } from '../../schemas/field-schema.js'
import {
  anyOf,
  mutuallyExclusive,
  closedObject,
  mapNames,
  oneOrMany,
  mapToSchema,
  restricted,
  withoutProperties,
} from '../../schemas/schema-builders.js'
import { type Fields, type Relations, isAccepted } from '../readable-members.js'
import {
  memberSchema,
  modelSchema,
  type RpcDocumentContext,
  sharedElementSchema,
  createSharedSchemas,
  sharedSchema,
} from '../rpc-document-context.js'
import { nestedWritesSchema, type RowSchemas, type ParentRelation } from './nested-writes-schema.js'

/** Returns the schema of a new row's data, including relations. */
export function createSchema(doc: RpcDocumentContext, model: Model, through?: ParentRelation): Reference {
  const omitted = omittedMembers(model, through)
  if (through && omitted.length === 0) return createSchema(doc, model)
  return modelSchema(doc, model, `Create${schemaNameSuffix(through)}`, () => {
    const { required, anyOf: alternatives } = requiredMembers(model, writableRelations(model, through), through)
    const schema = newRowSchema(doc, model)
    return {
      ...withoutProperties(schema, omitted),
      ...(required.length > 0 && { required }),
      ...requireEach(schema, alternatives),
    }
  })
}

/** Returns the schema of all members of a new row's data. None is required. */
function newRowSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'New', () => {
    const fields = writableFields(model)
    const relations = writableRelations(model)
    return {
      ...closedObject({
        ...mapNames(fields, (field, name) =>
          withDescription(
            fieldCreateSchema(doc, model, name, field),
            withDefault(field, describeMember(doc, model.name, name)),
          ),
        ),
        ...mapNames(relations, (relation, name) =>
          nestedWritesSchema(doc, { model, name, relation, rows: ROWS }, 'create'),
        ),
      }),
      ...keyOrRelationSchema(model),
    }
  })
}

/** Returns the schema of an update's data, including relations. */
export function updateSchema(doc: RpcDocumentContext, model: Model, through?: ParentRelation): Reference {
  if (through) {
    return modelSchema(doc, model, `Update${schemaNameSuffix(through)}`, () =>
      withoutProperties(nestedUpdateSchema(doc, model), omittedMembers(model, through)),
    )
  }
  return modelSchema(doc, model, 'Update', () => {
    const fields = writableFields(model)
    const relations = writableRelations(model)
    return {
      ...closedObject({
        ...mapNames(fields, (field, name) => fieldUpdateSchema(doc, model, name, field)),
        ...mapNames(relations, (relation, name) =>
          nestedWritesSchema(doc, { model, name, relation, rows: ROWS }, 'update'),
        ),
      }),
      ...keyOrRelationSchema(model),
    }
  })
}

/**
 * Returns the schema of an update through a relation. On SQLite, Prisma does not support arithmetic operations in it. The schema excludes them
 * for all fields, so that a new number changes nothing here. It therefore also excludes Json values such as `{ "increment": 1 }`.
 */
function nestedUpdateSchema(doc: RpcDocumentContext, model: Model): Reference {
  const hasArithmetic = writableFields(model).some(([, field]) => supportsArithmetic(field))
  if (doc.dialect.provider !== 'sqlite' || !hasArithmetic) return updateSchema(doc, model)
  return modelSchema(doc, model, 'NestedUpdate', () =>
    restricted(updateSchema(doc, model), {
      additionalProperties: sharedSchema(doc, 'NotArithmetic', () => ({
        not: { type: 'object', propertyNames: { enum: [...ARITHMETIC] }, minProperties: 1 },
      })),
    }),
  )
}

/** Returns the schema of a row in `createMany`, which contains only scalars. */
export function createManySchema(doc: RpcDocumentContext, model: Model, through?: ParentRelation): Reference {
  return modelSchema(doc, model, `CreateMany${schemaNameSuffix(through)}`, () => {
    const { required } = requiredMembers(model, [], through)
    return {
      ...withoutProperties(newRowSchema(doc, model), omittedMembers(model, through, true)),
      ...(required.length > 0 && { required }),
    }
  })
}

/** Returns the schema of the data in `updateMany`, which contains only scalars. */
export function updateManySchema(doc: RpcDocumentContext, model: Model, through?: ParentRelation): Reference {
  return modelSchema(doc, model, `UpdateMany${schemaNameSuffix(through)}`, () =>
    withoutProperties(
      through ? nestedUpdateSchema(doc, model) : updateSchema(doc, model),
      omittedMembers(model, through, true),
    ),
  )
}

/** Returns the fields and relations that data must not contain, because the relation to the parent row or the operation excludes them. */
function omittedMembers(model: Model, through: ParentRelation | undefined, isBulk = false): readonly string[] {
  const members = new Set([
    ...writableFields(model, through).map(([name]) => name),
    ...(isBulk ? [] : writableRelations(model, through).map(([name]) => name)),
  ])
  return [...writableFields(model), ...writableRelations(model)]
    .map(([name]) => name)
    .filter((name) => !members.has(name))
}

const NUMBERS: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Float', 'Decimal'])

const allWritableFields = memoize((model: Model): Fields =>
  [...model.fields].filter(([name]) => isAccepted(() => writableField(model, name, ''))),
)

const allWritableRelations = memoize((model: Model): Relations =>
  [...model.relations].filter(([name, relation]) => isAccepted(() => assertWritable(model, name, relation, ''))),
)

const ROWS: RowSchemas = {
  create: createSchema,
  update: updateSchema,
  createMany: createManySchema,
  updateMany: updateManySchema,
}

function schemaNameSuffix(through: ParentRelation | undefined): string {
  return through ? `In${through.model.name}${capitalize(through.name)}` : ''
}

function fieldCreateSchema(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  const { rule, list, writeOnly } = field
  const value = rule
    ? ruledFieldSchema(field, doc.ruleSchema)
    : fieldValueSchema(createSharedSchemas(doc), field, sharedElementSchema(doc, model, name, field))
  const accepted = list ? anyOf(value, closedObject({ set: value }, ['set'])) : value
  return writeOnly ? { ...accepted, writeOnly } : accepted
}

/** Returns the constraint that data contains one member of each list, in addition to the schema in `allOf`. */
function requireEach(schema: Reference, alternatives: readonly (readonly string[])[]): JsonSchema {
  const conditions = alternatives.map((names): JsonSchema => ({ anyOf: names.map((name) => ({ required: [name] })) }))
  const [only, ...others] = conditions
  return only && others.length === 0 ? only : conditions.length > 0 ? { allOf: [schema, ...conditions] } : {}
}

/** A foreign key is written either with its fields or with its relation. */
function keyOrRelationSchema(model: Model): JsonSchema {
  // A field of a read-only relation's key is writable if another field of the key is server-set.
  const keys = new Set([...model.relations.values()].flatMap(({ foreignKey = {} }) => Object.keys(foreignKey)))
  const names = writableFields(model).flatMap(([name]) => (keys.has(name) ? [name] : []))
  const owningRelations = writableRelations(model).flatMap(([name, { foreignKey }]) => (foreignKey ? [name] : []))
  return names.length > 0 && owningRelations.length > 0 ? mutuallyExclusive(owningRelations, names) : {}
}

/** Whether updates of the field accept arithmetic operations. */
function supportsArithmetic({ type, list, rule, writeOnly }: Field): boolean {
  return NUMBERS.has(type) && !list && !rule && !writeOnly
}

/** Returns the schema of a field in an update: a new value, or an operation on the old value. */
function fieldUpdateSchema(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  if (field.type === 'Json' && !field.list) return ruledFieldSchema(field, doc.ruleSchema)
  if (field.rule) return withSet(ruledFieldSchema(field, doc.ruleSchema), {})
  const isNumeric = supportsArithmetic(field)
  const make = () => plainUpdate(doc, model, name, field, isNumeric)
  const part = `${field.list ? 'List' : field.optional ? 'Nullable' : ''}${isNumeric ? 'Update' : 'Set'}`
  if (field.type === 'Enum') return memberSchema(doc, model, name, part, make)
  return sharedSchema(doc, `${field.uuid ? 'Uuid' : field.type}${part}`, make)
}

function plainUpdate(
  doc: RpcDocumentContext,
  model: Model,
  name: string,
  field: Field,
  isNumeric: boolean,
): JsonSchema {
  const element = sharedElementSchema(doc, model, name, field)
  if (field.list) return withSet({ type: 'array', items: element }, { push: oneOrMany(element) })
  return withSet(
    fieldValueSchema(createSharedSchemas(doc), field, element),
    isNumeric ? mapToSchema([...ARITHMETIC], element) : {},
  )
}

function withSet(value: JsonSchema, operations: Readonly<Record<string, JsonSchema>>): JsonSchema {
  if (Object.keys(operations).length === 0) return anyOf(value, closedObject({ set: value }, ['set']))
  return anyOf(value, { ...closedObject({ set: value, ...operations }), minProperties: 1, maxProperties: 1 })
}

/** Returns the fields that data may contain. */
export function writableFields(model: Model, through?: ParentRelation): Fields {
  const parentKeys = parentKeyFields(through)
  return allWritableFields(model).filter(([name]) => !parentKeys.includes(name))
}

/** Returns the relations that data may contain. */
export function writableRelations(model: Model, through?: ParentRelation): Relations {
  const inverse = through && inverseName(through)
  return allWritableRelations(model).filter(([name]) => name !== inverse)
}

/** Returns the fields of the foreign key to the parent row of a nested write, which Prisma sets itself. */
function parentKeyFields(through: ParentRelation | undefined): readonly string[] {
  if (!through || through.relation.foreignKey) return []
  return Object.keys(through.relation.inverseRelation?.foreignKey ?? {})
}

/** Returns the relation on the other side. Either side may declare it. */
function inverseName({ model, name, relation }: ParentRelation): string | undefined {
  const { target, inverse } = relation
  if (inverse !== undefined) return inverse
  return [...target.relations].find(([, candidate]) => candidate.target === model && candidate.inverse === name)?.[0]
}

/** The required members of data. */
interface Required {
  readonly required: readonly string[]
  /** Lists of alternatives: a field, or the relations that can set it. One entry of each list is required. */
  readonly anyOf: readonly (readonly string[])[]
}

/** Determines the required members. See {@link Required}. */
export function requiredMembers(model: Model, relations: Relations, through?: ParentRelation): Required {
  const parentKeys = parentKeyFields(through)
  const required: string[] = []
  const alternatives: (readonly string[])[] = []
  for (const name of model.required) {
    if (parentKeys.includes(name)) continue
    const keys = relations.filter(([, { foreignKey = {} }]) => Object.hasOwn(foreignKey, name)).map(([key]) => key)
    if (keys.length === 0) required.push(name)
    else alternatives.push([name, ...keys])
  }
  const requiredRelations = relations.filter(([name, { foreignKey = {} }]) => {
    return model.requiredRelations.has(name) && !Object.keys(foreignKey).some((field) => parentKeys.includes(field))
  })
  return { required: [...required, ...requiredRelations.map(([name]) => name)], anyOf: alternatives }
}
