import { searchesTexts } from '../../orm/dialect.js'
import type { Model } from '../../schema/schema.js'
import type { JsonSchema, Reference } from '../document.js'
import { anyOf, closed, listOf, oneOrMany } from '../schemas/shapes.js'
import { each, partOf, readableFields, readableRelations, type RpcDescription, shared } from './describe.js'

type Members = Readonly<Record<string, JsonSchema>>

/** One order of rows, or several of which each decides where those before it do not. */
export function orderBySchema(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, 'OrderBy', () =>
    oneOrMany(orderSchema(described, model), described.limits.listLength),
  )
}

function orderSchema(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, 'Order', () => ({
    ...closed({
      ...fieldOrders(described, model),
      ...each(readableRelations(model), ({ target, many }) =>
        many ? countOrder(described) : orderSchema(described, target),
      ),
      ...relevanceOrder(described, model),
    }),
    maxProperties: 1,
  }))
}

/** By which fields rows, or groups of them, are ordered. */
export function fieldOrders(described: RpcDescription, model: Model): Members {
  const direction = directionSchema(described)
  return each(readableFields(model), ({ optional, list }) =>
    optional && !list && described.dialect.provider !== 'mysql' ? nullableOrder(described) : direction,
  )
}

/** One of the two directions. */
export function directionSchema(described: RpcDescription): Reference {
  return shared(described, 'Sort', () => ({ type: 'string', enum: ['asc', 'desc'] }))
}

/** How well texts match what is searched for, where the client searches texts. */
function relevanceOrder(described: RpcDescription, model: Model): Members {
  const texts = readableFields(model).filter(([, { type, list, uuid }]) => type === 'String' && !list && !uuid)
  if (texts.length === 0 || !searchesTexts(described.dialect)) return {}
  const relevance = partOf(described, model, 'Relevance', () => {
    const field: JsonSchema = { type: 'string', enum: texts.map(([name]) => name) }
    const fields = anyOf(field, { ...listOf(field, described.limits.listLength), minItems: 1 })
    const members = { fields, search: { type: 'string' }, sort: directionSchema(described) }
    return closed(members, Object.keys(members))
  })
  return { _relevance: relevance }
}

function nullableOrder(described: RpcDescription): Reference {
  const direction = directionSchema(described)
  return shared(described, 'SortNulls', () =>
    anyOf(direction, closed({ sort: direction, nulls: { type: 'string', enum: ['first', 'last'] } }, ['sort'])),
  )
}

function countOrder(described: RpcDescription): Reference {
  return shared(described, 'SortCount', () => closed({ _count: directionSchema(described) }, ['_count']))
}
