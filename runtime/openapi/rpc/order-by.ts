import { supportsFullText } from '../../orm/dialect.js'
import type { Model } from '../../schema/schema.js'
import type { JsonSchema, Reference } from '../document.js'
import { anyOf, closedObject, listOf, oneOrMany } from '../schemas/shapes.js'
import {
  mapNames,
  modelSchema,
  readableFields,
  readableRelations,
  type RpcDocumentContext,
  sharedSchema,
} from './context.js'

type Members = Readonly<Record<string, JsonSchema>>

/** Returns the schema of one order of rows, or several with descending priority. */
export function orderBySchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'OrderBy', () =>
    oneOrMany(orderSchema(described, model), described.limits.listLength),
  )
}

function orderSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'Order', () => ({
    ...closedObject({
      ...fieldOrders(described, model),
      ...mapNames(readableRelations(model), ({ target, many }) =>
        many ? countOrder(described) : orderSchema(described, target),
      ),
      ...relevanceOrder(described, model),
    }),
    maxProperties: 1,
  }))
}

/** Returns the fields that rows or groups can be ordered by. */
export function fieldOrders(described: RpcDocumentContext, model: Model): Members {
  const direction = directionSchema(described)
  return mapNames(readableFields(model), ({ optional, list }) =>
    optional && !list && described.dialect.provider !== 'mysql' ? nullableOrder(described) : direction,
  )
}

/** Returns the schema of a direction. */
export function directionSchema(described: RpcDocumentContext): Reference {
  return sharedSchema(described, 'Sort', () => ({ type: 'string', enum: ['asc', 'desc'] }))
}

/** Returns the order by relevance of a full-text search, if the client supports it. */
function relevanceOrder(described: RpcDocumentContext, model: Model): Members {
  const texts = readableFields(model).filter(([, { type, list, uuid }]) => type === 'String' && !list && !uuid)
  if (texts.length === 0 || !supportsFullText(described.dialect)) return {}
  const relevance = modelSchema(described, model, 'Relevance', () => {
    const field: JsonSchema = { type: 'string', enum: texts.map(([name]) => name) }
    const fields = anyOf(field, { ...listOf(field, described.limits.listLength), minItems: 1 })
    const members = { fields, search: { type: 'string' }, sort: directionSchema(described) }
    return closedObject(members, Object.keys(members))
  })
  return { _relevance: relevance }
}

function nullableOrder(described: RpcDocumentContext): Reference {
  const direction = directionSchema(described)
  return sharedSchema(described, 'SortNulls', () =>
    anyOf(direction, closedObject({ sort: direction, nulls: { type: 'string', enum: ['first', 'last'] } }, ['sort'])),
  )
}

function countOrder(described: RpcDocumentContext): Reference {
  return sharedSchema(described, 'SortCount', () => closedObject({ _count: directionSchema(described) }, ['_count']))
}
