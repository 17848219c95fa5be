import type { Field } from '../../../schema/resource.js'
import type { Model } from '../../../schema/model.js'
import type { JsonSchema, Reference } from '../../document-types.js'
import { capitalize } from '../../word-forms.js'
import { describeMember } from '../../schema-descriptions.js'
import { withDescription, withDefault } from '../../schemas/field-schema.js'
import { ruledFieldSchema } from '../../schemas/ruled-field-schema.js'
import { anyOf, mutuallyExclusive, closedObject, mapNames } from '../../schemas/schema-builders.js'
import { fieldValueSchema } from '../../schemas/shared-field-schemas.js'
import { modelSchema, type RpcDocumentContext } from '../rpc-document-context.js'
import { sharedElementSchema, createSharedSchemas } from '../rpc-field-schemas.js'
import type { Fields, Relations } from '../readable-members.js'
import { fieldUpdateSchema } from './field-update-schema.js'
import { nestedWritesSchema, type RowSchemas, type ParentRelation } from './nested-writes-schema.js'
import { requiredMembers, writableFields, writableRelations } from './writable-members.js'

/** Returns the schema of a new row's data, including relations. */
export function createSchema(doc: RpcDocumentContext, model: Model, through?: ParentRelation): Reference {
  return modelSchema(doc, model, `Create${schemaNameSuffix(through)}`, () => {
    const fields = writableFields(model, through)
    const relations = writableRelations(model, through)
    const members = {
      ...mapNames(fields, (field, name) => {
        const value = fieldCreateSchema(doc, model, name, field)
        // Only top-level creates include descriptions and defaults, to avoid repetition.
        return through ? value : withDescription(value, withDefault(field, describeMember(doc, model.name, name)))
      }),
      ...mapNames(relations, (relation, name) =>
        nestedWritesSchema(doc, { model, name, relation, rows: ROWS }, 'create'),
      ),
    }
    const { required, anyOf: alternatives } = requiredMembers(model, relations, through)
    return {
      ...closedObject(members, required),
      ...requireEach(alternatives),
      ...keyOrRelationSchema(fields, relations),
    }
  })
}

/** Returns the schema of an update's data, including relations. */
export function updateSchema(doc: RpcDocumentContext, model: Model, through?: ParentRelation): Reference {
  return modelSchema(doc, model, `Update${schemaNameSuffix(through)}`, () => {
    const fields = writableFields(model, through)
    const relations = writableRelations(model, through)
    return {
      ...closedObject({
        ...mapNames(fields, (field, name) => fieldUpdateSchema(doc, model, name, field, through !== undefined)),
        ...mapNames(relations, (relation, name) =>
          nestedWritesSchema(doc, { model, name, relation, rows: ROWS }, 'update'),
        ),
      }),
      ...keyOrRelationSchema(fields, relations),
    }
  })
}

/** Returns the schema of a row in `createMany`, which contains only scalars. */
export function createManySchema(doc: RpcDocumentContext, model: Model, through?: ParentRelation): Reference {
  return modelSchema(doc, model, `CreateMany${schemaNameSuffix(through)}`, () => {
    const members = mapNames(writableFields(model, through), (field, name) =>
      fieldCreateSchema(doc, model, name, field),
    )
    return closedObject(members, requiredMembers(model, [], through).required)
  })
}

/** Returns the schema of the data in `updateMany`, which contains only scalars. */
export function updateManySchema(doc: RpcDocumentContext, model: Model, through?: ParentRelation): Reference {
  return modelSchema(doc, model, `UpdateMany${schemaNameSuffix(through)}`, () =>
    closedObject(
      mapNames(writableFields(model, through), (field, name) =>
        fieldUpdateSchema(doc, model, name, field, through !== undefined),
      ),
    ),
  )
}

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

function requireEach(alternatives: readonly (readonly string[])[]): JsonSchema {
  const conditions = alternatives.map((names): JsonSchema => ({ anyOf: names.map((name) => ({ required: [name] })) }))
  const [only, ...others] = conditions
  return only && others.length === 0 ? only : conditions.length > 0 ? { allOf: conditions } : {}
}

/** A foreign key is written either with its fields or with its relation. */
function keyOrRelationSchema(fields: Fields, relations: Relations): JsonSchema {
  const owningRelations = relations.filter(([, { foreignKey }]) => foreignKey)
  const keys = new Set(owningRelations.flatMap(([, { foreignKey = {} }]) => Object.keys(foreignKey)))
  const names = fields.map(([name]) => name).filter((name) => keys.has(name))
  if (names.length === 0) return {}
  return mutuallyExclusive(
    owningRelations.map(([name]) => name),
    names,
  )
}
