import { ARITHMETIC } from '../../../rpc/guard/data/arithmetic-overflow-where.js'
import type { Field } from '../../../schema/resource.js'
import type { Model } from '../../../schema/model.js'
import type { JsonSchema } from '../../document-types.js'
import { capitalize } from '../../word-forms.js'
import { ruledFieldSchema } from '../../schemas/ruled-field-schema.js'
import { anyOf, closedObject, oneOrMany, mapToSchema } from '../../schemas/schema-builders.js'
import { fieldValueSchema } from '../../schemas/shared-field-schemas.js'
import { modelSchema, type RpcDocumentContext, sharedSchema } from '../rpc-document-context.js'
import { sharedElementSchema, createSharedSchemas } from '../rpc-field-schemas.js'

const NUMBERS: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Float', 'Decimal'])

/**
 * Returns the schema of a field in an update: a new value, or an operation on the old value.
 * @param isNested whether the row is updated through a relation, in which case SQLite does not support arithmetic operations
 */
export function fieldUpdateSchema(
  doc: RpcDocumentContext,
  model: Model,
  name: string,
  field: Field,
  isNested: boolean,
): JsonSchema {
  if (field.type === 'Json' && !field.list) return ruledFieldSchema(field, doc.ruleSchema)
  if (field.rule) return withSet(ruledFieldSchema(field, doc.ruleSchema), {})
  const isNumeric = NUMBERS.has(field.type) && !field.list && !(isNested && doc.dialect.provider === 'sqlite')
  const make = () => plainUpdate(doc, model, name, field, isNumeric)
  const part = `${field.list ? 'List' : field.optional ? 'Nullable' : ''}${isNumeric ? 'Update' : 'Set'}`
  if (field.type === 'Enum') return modelSchema(doc, model, `${capitalize(name)}${part}`, make)
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
