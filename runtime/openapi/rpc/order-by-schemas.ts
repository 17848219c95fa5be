import { supportsFullText } from '../../prisma/dialect.js'
import type { Model } from '../../schema/model.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { anyOf, closedObject, listOf, oneOrMany, mapNames } from '../schemas/schema-builders.js'
import { modelSchema, type RpcDocumentContext, sharedSchema } from './rpc-document-context.js'
import { readableFields, readableRelations } from './readable-members.js'

type Members = Readonly<Record<string, JsonSchema>>

/** Returns the schema of one sort order of rows, or of multiple sort orders by descending priority. */
export function orderBySchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'OrderBy', () => oneOrMany(orderSchema(doc, model), doc.limits.listLength))
}

function orderSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Order', () => ({
    ...closedObject({
      ...fieldOrders(doc, model),
      ...mapNames(readableRelations(model), ({ target, many }) => (many ? countOrder(doc) : orderSchema(doc, target))),
      ...relevanceOrder(doc, model),
    }),
    maxProperties: 1,
  }))
}

/** Returns the fields that rows or groups can be sorted by. */
export function fieldOrders(doc: RpcDocumentContext, model: Model): Members {
  const direction = directionSchema(doc)
  return mapNames(readableFields(model), ({ optional, list }) =>
    optional && !list && doc.dialect.provider !== 'mysql' ? nullableOrder(doc) : direction,
  )
}

/** Returns the schema of a sort direction. */
export function directionSchema(doc: RpcDocumentContext): Reference {
  return sharedSchema(doc, 'Sort', () => ({ type: 'string', enum: ['asc', 'desc'] }))
}

/** Returns the schema of the sort order by relevance in a full-text search, if the client supports it. */
function relevanceOrder(doc: RpcDocumentContext, model: Model): Members {
  const texts = readableFields(model).filter(([, { type, list, uuid }]) => type === 'String' && !list && !uuid)
  if (texts.length === 0 || !supportsFullText(doc.dialect)) return {}
  const relevance = modelSchema(doc, model, 'Relevance', () => {
    const field: JsonSchema = { type: 'string', enum: texts.map(([name]) => name) }
    const fields = anyOf(field, { ...listOf(field, doc.limits.listLength), minItems: 1 })
    const members = { fields, search: { type: 'string' }, sort: directionSchema(doc) }
    return closedObject(members, Object.keys(members))
  })
  return { _relevance: relevance }
}

function nullableOrder(doc: RpcDocumentContext): Reference {
  const direction = directionSchema(doc)
  return sharedSchema(doc, 'SortNulls', () =>
    anyOf(direction, closedObject({ sort: direction, nulls: { type: 'string', enum: ['first', 'last'] } }, ['sort'])),
  )
}

function countOrder(doc: RpcDocumentContext): Reference {
  return sharedSchema(doc, 'SortCount', () => closedObject({ _count: directionSchema(doc) }, ['_count']))
}
