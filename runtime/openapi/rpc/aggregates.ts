import type { Model } from '../../schema/schema.js'
import type { JsonSchema, Reference } from '../document.js'
import { anyOf, closedObject, listOf } from '../schemas/shapes.js'
import { numericFields, orderableFields } from './aggregatable-fields.js'
import { sameForAll, type Fields, modelSchema, readableFields, type RpcDocumentContext } from './context.js'
import { directionSchema, fieldOrders } from './order-by.js'

type Members = Readonly<Record<string, JsonSchema>>

const TRUE: JsonSchema = { const: true }

/** Returns the aggregates of all rows or of a group. */
export function aggregateMembers(described: RpcDocumentContext, model: Model): Members {
  const numbers = namesOf(numericFields(model))
  const extremes = namesOf(orderableFields(described, model))
  const compared = () => modelSchema(described, model, 'Compared', () => chosen(extremes))
  const added = () => modelSchema(described, model, 'Added', () => chosen(numbers))
  return {
    _count: countSchema(described, model),
    ...(numbers.length > 0 && { _avg: added(), _sum: added() }),
    ...(extremes.length > 0 && { _min: compared(), _max: compared() }),
  }
}

/** Returns the schema of `_count`: rows, or rows in which a field is not null. */
export function countSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'Counted', () =>
    anyOf(TRUE, chosen(['_all', ...namesOf(readableFields(model))])),
  )
}

/** Returns the schema of one order of groups, or several with descending priority. */
export function groupOrderBySchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'GroupOrderBy', () => {
    const numbers = namesOf(numericFields(model))
    const order = (part: string, names: readonly string[]): JsonSchema =>
      modelSchema(described, model, `${part}Order`, () => ({
        ...closedObject(sameForAll(names, directionSchema(described))),
        minProperties: 1,
        maxProperties: 1,
      }))
    const extremes = namesOf(orderableFields(described, model))
    const compared = () => order('Compared', extremes)
    const added = () => order('Added', numbers)
    const counted = namesOf(readableFields(model))
    const one = modelSchema(described, model, 'GroupOrder', () => ({
      ...closedObject({
        ...fieldOrders(described, model),
        _count: counted.length === extremes.length ? compared() : order('Counted', counted),
        ...(numbers.length > 0 && { _avg: added(), _sum: added() }),
        ...(extremes.length > 0 && { _min: compared(), _max: compared() }),
      }),
      minProperties: 1,
      maxProperties: 1,
    }))
    return anyOf(one, { ...listOf(one, described.limits.listLength), minItems: 1 })
  })
}

function namesOf(fields: Fields): readonly string[] {
  return fields.map(([name]) => name)
}

function chosen(names: readonly string[]): JsonSchema {
  return { ...closedObject(sameForAll(names, TRUE)), minProperties: 1 }
}
