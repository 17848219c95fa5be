import type { Model } from '../../schema/model.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { anyOf, closedObject, listOf, mapToSchema } from '../schemas/schema-builders.js'
import { numericFields, orderableFields } from './aggregatable-fields.js'
import { modelSchema, type RpcDocumentContext } from './rpc-document-context.js'
import { type Fields, readableFields } from './readable-members.js'
import { directionSchema, fieldOrders } from './order-by-schemas.js'

type Members = Readonly<Record<string, JsonSchema>>

const TRUE: JsonSchema = { const: true }

/** Returns the schemas of the aggregates of all rows or of a group. */
export function aggregateMembers(doc: RpcDocumentContext, model: Model): Members {
  const numbers = getNames(numericFields(model))
  const comparable = getNames(orderableFields(doc, model))
  const minMaxSchema = () => modelSchema(doc, model, 'Compared', () => booleanMembers(comparable))
  const added = () => modelSchema(doc, model, 'Added', () => booleanMembers(numbers))
  return {
    _count: countSchema(doc, model),
    ...(numbers.length > 0 && { _avg: added(), _sum: added() }),
    ...(comparable.length > 0 && { _min: minMaxSchema(), _max: minMaxSchema() }),
  }
}

/** Returns the schema of `_count`: the number of rows, or of rows in which a field is not null. */
export function countSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Counted', () =>
    anyOf(TRUE, booleanMembers(['_all', ...getNames(readableFields(model))])),
  )
}

/** Returns the schema of one sort order of groups, or of multiple sort orders by descending priority. */
export function groupOrderBySchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'GroupOrderBy', () => {
    const numbers = getNames(numericFields(model))
    const order = (part: string, names: readonly string[]): JsonSchema =>
      modelSchema(doc, model, `${part}Order`, () => ({
        ...closedObject(mapToSchema(names, directionSchema(doc))),
        minProperties: 1,
        maxProperties: 1,
      }))
    const comparable = getNames(orderableFields(doc, model))
    const minMaxOrder = () => order('Compared', comparable)
    const added = () => order('Added', numbers)
    const countable = getNames(readableFields(model))
    const entry = modelSchema(doc, model, 'GroupOrder', () => ({
      ...closedObject({
        ...fieldOrders(doc, model),
        _count: countable.length === comparable.length ? minMaxOrder() : order('Counted', countable),
        ...(numbers.length > 0 && { _avg: added(), _sum: added() }),
        ...(comparable.length > 0 && { _min: minMaxOrder(), _max: minMaxOrder() }),
      }),
      minProperties: 1,
      maxProperties: 1,
    }))
    return anyOf(entry, { ...listOf(entry, doc.limits.listLength), minItems: 1 })
  })
}

function getNames(fields: Fields): readonly string[] {
  return fields.map(([name]) => name)
}

function booleanMembers(names: readonly string[]): JsonSchema {
  return { ...closedObject(mapToSchema(names, TRUE)), minProperties: 1 }
}
