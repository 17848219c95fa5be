import type { Model } from '../../schema/schema.js'
import type { JsonSchema, Reference } from '../document.js'
import { anyOf, closed, listOf } from '../schemas/shapes.js'
import { averagedFields, comparedFields } from './compared.js'
import { all, type Fields, partOf, readableFields, type RpcDescription } from './describe.js'
import { directionSchema, fieldOrders } from './orders.js'

type Members = Readonly<Record<string, JsonSchema>>

const TRUE: JsonSchema = { const: true }

/** What is taken of all rows, or of those of a group. */
export function aggregateMembers(described: RpcDescription, model: Model): Members {
  const numbers = namesOf(averagedFields(model))
  const extremes = namesOf(comparedFields(described, model))
  const compared = () => partOf(described, model, 'Compared', () => chosen(extremes))
  const added = () => partOf(described, model, 'Added', () => chosen(numbers))
  return {
    _count: countedSchema(described, model),
    ...(numbers.length > 0 && { _avg: added(), _sum: added() }),
    ...(extremes.length > 0 && { _min: compared(), _max: compared() }),
  }
}

/** What is counted: rows, or those in which a field is not null. */
export function countedSchema(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, 'Counted', () => anyOf(TRUE, chosen(['_all', ...namesOf(readableFields(model))])))
}

/** One order of groups, or several of which each decides where those before it do not. */
export function groupOrderBySchema(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, 'GroupOrderBy', () => {
    const numbers = namesOf(averagedFields(model))
    const order = (part: string, names: readonly string[]): JsonSchema =>
      partOf(described, model, `${part}Order`, () => ({
        ...closed(all(names, directionSchema(described))),
        minProperties: 1,
        maxProperties: 1,
      }))
    const extremes = namesOf(comparedFields(described, model))
    const compared = () => order('Compared', extremes)
    const added = () => order('Added', numbers)
    const counted = namesOf(readableFields(model))
    const one = partOf(described, model, 'GroupOrder', () => ({
      ...closed({
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
  return { ...closed(all(names, TRUE)), minProperties: 1 }
}
