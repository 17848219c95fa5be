import { supportsFullText } from '../../prisma/dialect.js'
import type { Model, ModelRelation } from '../../schema/model.js'
import type { JsonSchema, Reference } from '../document-types.js'
import {
  anyOf,
  mutuallyExclusive,
  closedObject,
  oneOrMany,
  mapToSchema,
  mapNames,
  listOf,
} from '../schemas/schema-builders.js'
import {
  countableRelations,
  readableFields,
  readableRelations,
  numericFields,
  orderableFields,
  type Fields,
} from './readable-members.js'
import { modelSchema, type RpcDocumentContext, sharedSchema } from './rpc-document-context.js'
import { cursorSchema, whereSchema } from './where-schemas.js'

type Members = Readonly<Record<string, JsonSchema>>

const TRUE: JsonSchema = { const: true }
const MAX_SKIP = 2 ** 31 - 1

/** The constraint that `select` cannot be combined with `include` or `omit`. */
export const SELECT_ALONE: JsonSchema = mutuallyExclusive(['select'], ['include', 'omit'])

/** Returns the schemas of `select`, `include` and `omit` for rows. */
export function selectionMembers(doc: RpcDocumentContext, model: Model): Members {
  const include = includeMembers(doc, model)
  return {
    select: selectSchema(doc, model),
    ...(Object.keys(include).length > 0 && {
      include: modelSchema(doc, model, 'Include', () => ({ ...closedObject(include), minProperties: 1 })),
    }),
    ...omitMember(doc, model),
  }
}

/**
 * Returns the schemas of `select`, `include` and `omit` for bulk writes that return rows. Prisma only returns relations whose foreign key
 * is in the rows.
 */
export function returnedSelectionMembers(doc: RpcDocumentContext, model: Model): Members {
  const relations = readableRelations(model).filter(([, { foreignKey }]) => foreignKey)
  const related = mapNames(relations, (relation) => relationArguments(doc, relation))
  return {
    select: modelSchema(doc, model, 'ReturnSelect', () => ({
      ...closedObject({ ...mapToSchema(scalarNames(model), TRUE), ...related }),
      minProperties: 1,
    })),
    ...(relations.length > 0 && {
      include: modelSchema(doc, model, 'ReturnInclude', () => ({ ...closedObject(related), minProperties: 1 })),
    }),
    ...omitMember(doc, model),
  }
}

/** Returns the schemas of the arguments that filter, sort and page rows. */
export function windowMembers(doc: RpcDocumentContext, model: Model): Members {
  const { rows, offset } = doc.limits
  const take = rows < Infinity ? { minimum: -rows, maximum: rows } : {}
  return {
    where: whereSchema(doc, model),
    orderBy: orderBySchema(doc, model),
    cursor: cursorSchema(doc, model),
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
export function distinctSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Distinct', () => oneOrMany(fieldNameSchema(doc, model), doc.limits.listLength))
}

/** Returns the schema of a readable field's name. */
export function fieldNameSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Field', () => ({
    type: 'string',
    enum: readableFields(model).map(([name]) => name),
  }))
}

function selectSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Select', () => ({
    ...closedObject({ ...mapToSchema(scalarNames(model), TRUE), ...includeMembers(doc, model) }),
    minProperties: 1,
  }))
}

/** Returns the schema of `omit`. At least one field must remain. */
function omitMember(doc: RpcDocumentContext, model: Model): Members {
  const maxOmitted = readableFields(model).length - 1
  if (maxOmitted < 1) return {}
  return {
    omit: modelSchema(doc, model, 'Omit', () => ({
      ...closedObject(mapToSchema(scalarNames(model), TRUE)),
      maxProperties: maxOmitted,
    })),
  }
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
      anyOf(TRUE, closedObject({ where: whereSchema(doc, target) })),
    )
    return anyOf(TRUE, closedObject({ select: { ...closedObject(members), minProperties: 1 } }, ['select']))
  })
}

function relationArguments(doc: RpcDocumentContext, { target, many, optional }: ModelRelation): Reference {
  if (many) return modelSchema(doc, target, 'Many', () => anyOf(TRUE, rowsArguments(doc, target)))
  const create = (where: Members): JsonSchema =>
    anyOf(TRUE, { ...closedObject({ ...where, ...selectionMembers(doc, target) }), ...SELECT_ALONE })
  return optional
    ? modelSchema(doc, target, 'OneOrNone', () => create({ where: whereSchema(doc, target) }))
    : modelSchema(doc, target, 'One', () => create({}))
}

/** Returns the schema of the arguments for reads of multiple rows and for to-many relations. */
export function rowsArguments(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'FindArgs', () => ({
    ...closedObject(rowsMembers(doc, model)),
    ...SELECT_ALONE,
  }))
}

/** Returns the properties of {@link rowsArguments}. */
export function rowsMembers(doc: RpcDocumentContext, model: Model): Members {
  return {
    ...windowMembers(doc, model),
    distinct: distinctSchema(doc, model),
    ...selectionMembers(doc, model),
  }
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
