import { supportsFullText, supportsLoadStrategy } from '../../prisma/dialect.js'
import type { Model, ModelRelation } from '../../schema/model.js'
import type { JsonSchema, Reference } from '../document-types.js'
import {
  anyOf,
  closedObject,
  composedObject,
  mutuallyExclusive,
  oneOrMany,
  mapToSchema,
  mapNames,
  listOf,
  recordOf,
  restricted,
  withoutProperties,
} from '../schemas/schema-builders.js'
import {
  countableRelations,
  readableFields,
  readableRelations,
  numericFields,
  orderableFields,
  type Fields,
} from './readable-members.js'
import { modelSchema, requestMetaSchema, type RpcDocumentContext, sharedSchema } from './rpc-document-context.js'
import { argumentsExample } from './rpc-examples.js'
import { cursorSchema, whereSchema } from './where-schemas.js'

type Members = Readonly<Record<string, JsonSchema>>

const TRUE: JsonSchema = { const: true }
const MAX_SKIP = 2 ** 31 - 1

/** Returns the schema of `select`, `include`, `omit` and `meta`. `select` cannot be combined with `include` or `omit`. */
export function returningSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Returning', () => {
    const include = includeMembers(doc, model)
    const shared = sharedSchema(doc, 'Returning', () => ({
      type: 'object',
      properties: { meta: requestMetaSchema(doc) },
      ...mutuallyExclusive(['select'], ['include', 'omit']),
    }))
    return restricted(shared, {
      properties: {
        select: selectSchema(doc, model),
        ...(Object.keys(include).length > 0 && { include: includeSchema(doc, model) }),
        ...omitMember(doc, model),
      },
    })
  })
}

/**
 * Returns {@link returningSchema} for bulk writes that return rows. Prisma only returns relations whose foreign key is in the rows.
 */
export function returningRowsSchema(doc: RpcDocumentContext, model: Model): Reference {
  const names = Object.keys(includeMembers(doc, model))
  const returned = readableRelations(model).flatMap(([name, { foreignKey }]) => (foreignKey ? [name] : []))
  const others = names.filter((name) => !returned.includes(name))
  if (others.length === 0) return returningSchema(doc, model)
  return modelSchema(doc, model, 'ReturningRows', () =>
    restricted(returningSchema(doc, model), {
      properties: {
        select: withoutProperties(selectSchema(doc, model), others),
        include: returned.length > 0 ? withoutProperties(includeSchema(doc, model), others) : { not: {} },
      },
    }),
  )
}

/** Returns the schema of the arguments that filter, sort and page rows. */
export function windowSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Window', () => ({
    type: 'object',
    properties: {
      where: whereSchema(doc, model),
      orderBy: orderBySchema(doc, model),
      cursor: cursorSchema(doc, model),
      ...pageMembers(doc),
    },
  }))
}

/** Returns the schemas of `take` and `skip`. */
export function pageMembers(doc: RpcDocumentContext): Members {
  const { rows, offset } = doc.limits
  const take = rows < Infinity ? { minimum: -rows, maximum: rows } : {}
  return {
    take: sharedSchema(doc, 'Take', () => ({
      type: 'integer',
      ...take,
      description: 'Number of rows. If negative, the last rows before the cursor or the end.',
    })),
    skip: sharedSchema(doc, 'Skip', () => ({
      type: 'integer',
      minimum: 0,
      maximum: Math.min(offset, MAX_SKIP),
      description: 'Number of rows to skip. A `cursor` has no limit.',
    })),
  }
}

/** Returns the schema of `limit`, the maximum number of rows to change. */
export function numberSchema(doc: RpcDocumentContext): Reference {
  return sharedSchema(doc, 'RowCount', () => ({ type: 'integer', minimum: 0, maximum: MAX_SKIP }))
}

/** Returns the schema of one or more field names. */
export function fieldNamesSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'FieldNames', () => {
    const field = fieldNameSchema(doc, model)
    return anyOf(field, { ...listOf(field, doc.limits.listLength), minItems: 1, uniqueItems: true })
  })
}

/** Returns the schema of a readable field's name. */
export function fieldNameSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Field', () => namesOf(readableFields(model)))
}

function includeSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Include', () => ({ ...closedObject(includeMembers(doc, model)), minProperties: 1 }))
}

function selectSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Select', () => ({
    ...closedObject({ ...mapToSchema(scalarNames(model), TRUE), ...includeMembers(doc, model) }),
    minProperties: 1,
  }))
}

/**
 * Returns the schema of `omit`. Only the document's rules state that at least one field must remain, because `maxProperties` would change
 * with each new field.
 */
function omitMember(doc: RpcDocumentContext, model: Model): Members {
  if (readableFields(model).length < 2) return {}
  return { omit: modelSchema(doc, model, 'Omit', () => recordOf(namesSchema(doc, model, model.computed), TRUE)) }
}

/** Returns the schema of the names of readable fields and of other names. */
function namesSchema(doc: RpcDocumentContext, model: Model, others: Iterable<string>): JsonSchema {
  const names = [...others]
  return anyOf(fieldNameSchema(doc, model), ...(names.length > 0 ? [{ enum: names }] : []))
}

function scalarNames(model: Model): readonly string[] {
  return [...readableFields(model).map(([name]) => name), ...model.computed]
}

function includeMembers(doc: RpcDocumentContext, model: Model): Members {
  const countable = countableRelations(model)
  return {
    ...mapNames(readableRelations(model), (relation) => relationArguments(doc, relation)),
    ...(countable.length > 0 && { _count: countSelect(doc, model) }),
  }
}

function countSelect(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'RelationCount', () => {
    const members = mapNames(countableRelations(model), ({ target }) =>
      modelSchema(doc, target, 'Countable', () => anyOf(TRUE, closedObject({ where: whereSchema(doc, target) }))),
    )
    return anyOf(TRUE, closedObject({ select: { ...closedObject(members), minProperties: 1 } }, ['select']))
  })
}

function relationArguments(doc: RpcDocumentContext, { target, many, optional }: ModelRelation): Reference {
  if (many) return modelSchema(doc, target, 'Many', () => anyOf(TRUE, nestedRowsSchema(doc, target)))
  const create = (where: Members): JsonSchema =>
    anyOf(TRUE, {
      ...composedObject([returningSchema(doc, target)], where),
      propertyNames: { not: { const: 'meta' } },
    })
  return optional
    ? modelSchema(doc, target, 'OneOrNone', () => create({ where: whereSchema(doc, target) }))
    : modelSchema(doc, target, 'One', () => create({}))
}

/** Returns the schema of the arguments of `findMany`. */
export function findManySchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'FindManyArgs', () => ({
    ...listArgumentsSchema(doc, model, {}),
    examples: [argumentsExample(doc, model, 'findMany')],
  }))
}

/** Returns the schema of an object with the arguments of `findMany` and other properties. */
export function listArgumentsSchema(
  doc: RpcDocumentContext,
  model: Model,
  others: Members,
  required: readonly string[] = [],
): JsonSchema {
  const members = { ...others, distinct: fieldNamesSchema(doc, model), ...loadingMember(doc) }
  return composedObject([windowSchema(doc, model), returningSchema(doc, model)], members, required)
}

/** Returns the schema of the arguments of a to-many relation. */
function nestedRowsSchema(doc: RpcDocumentContext, model: Model): JsonSchema {
  return withoutProperties(findManySchema(doc, model), [...Object.keys(loadingMember(doc)), 'meta'])
}

/** Returns `relationLoadStrategy`, if the client supports it. */
export function loadingMember({ dialect }: RpcDocumentContext): Members {
  return supportsLoadStrategy(dialect) ? { relationLoadStrategy: { type: 'string', enum: ['query', 'join'] } } : {}
}

/** Returns the schema of one sort order of rows, or of multiple sort orders by descending priority. */
function orderBySchema(doc: RpcDocumentContext, model: Model): Reference {
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
function fieldOrders(doc: RpcDocumentContext, model: Model): Members {
  const direction = directionSchema(doc)
  return mapNames(readableFields(model), ({ optional, list }) =>
    optional && !list && doc.dialect.provider !== 'mysql' ? nullableOrder(doc) : direction,
  )
}

/** Returns the schema of a sort direction. */
function directionSchema(doc: RpcDocumentContext): Reference {
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

/** Returns the schema of the arguments that select the aggregates of all rows or of a group. */
export function aggregatingSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Aggregating', () => ({
    type: 'object',
    properties: {
      _count: countSchema(doc, model),
      ...aggregatedFields(doc, model, (part, fields) =>
        modelSchema(doc, model, part, () => ({ ...fields(TRUE), minProperties: 1 })),
      ),
      meta: requestMetaSchema(doc),
    },
  }))
}

/**
 * Returns a schema for each aggregate of fields.
 * @param create receives a function that returns the schema of an object with these fields, given the schema of their values
 */
function aggregatedFields(
  doc: RpcDocumentContext,
  model: Model,
  create: (part: 'Added' | 'Compared', fields: (values: JsonSchema) => JsonSchema, areAll: boolean) => JsonSchema,
): Members {
  const numbers = numericFields(model)
  const comparable = orderableFields(doc, model)
  const areAll = comparable.length === readableFields(model).length
  // Not a record of an enum of names. Prettier breaks a long enum into one line per name, so a new field would change all of them.
  const added = () => create('Added', (values) => closedObject(mapNames(numbers, () => values)), false)
  const names = () =>
    areAll ? fieldNameSchema(doc, model) : modelSchema(doc, model, 'ComparedField', () => namesOf(comparable))
  const compared = () => create('Compared', (values) => recordOf(names(), values), areAll)
  return {
    ...(numbers.length > 0 && { _avg: added(), _sum: added() }),
    ...(comparable.length > 0 && { _min: compared(), _max: compared() }),
  }
}

/** Returns the schema of `_count`: the number of rows, or of rows in which a field is not null. */
export function countSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Counted', () =>
    anyOf(TRUE, { ...recordOf(namesSchema(doc, model, ['_all']), TRUE), minProperties: 1 }),
  )
}

/** Returns the schema of the numbers in a result with `_count`. */
export function countsSchema(doc: RpcDocumentContext, model: Model, count: JsonSchema): Reference {
  return modelSchema(doc, model, 'Counts', () => anyOf(count, recordOf(namesSchema(doc, model, ['_all']), count)))
}

/** Returns the schema of one sort order of groups, or of multiple sort orders by descending priority. */
export function groupOrderBySchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'GroupOrderBy', () => {
    const onlyOne = { minProperties: 1, maxProperties: 1 }
    const direction = directionSchema(doc)
    const field = fieldNameSchema(doc, model)
    const fieldOrder = modelSchema(doc, model, 'FieldOrder', () => ({ ...recordOf(field, direction), ...onlyOne }))
    const byField = restricted(orderSchema(doc, model), { propertyNames: field, minProperties: 1 })
    const byAggregate = {
      ...closedObject({
        _count: fieldOrder,
        ...aggregatedFields(doc, model, (part, fields, areAll) =>
          areAll ? fieldOrder : modelSchema(doc, model, `${part}Order`, () => ({ ...fields(direction), ...onlyOne })),
        ),
      }),
      ...onlyOne,
    }
    const entry = modelSchema(doc, model, 'GroupOrder', () => anyOf(byField, byAggregate))
    return anyOf(entry, { ...listOf(entry, doc.limits.listLength), minItems: 1 })
  })
}

function namesOf(fields: Fields): JsonSchema {
  return { type: 'string', enum: fields.map(([name]) => name) }
}
