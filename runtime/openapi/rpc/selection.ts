import type { Model, ModelRelation } from '../../schema/schema.js'
import type { JsonSchema, Reference } from '../document.js'
import { anyOf, mutuallyExclusive, closedObject, oneOrMany } from '../schemas/shapes.js'
import {
  sameForAll,
  countableRelations,
  mapNames,
  modelSchema,
  readableFields,
  readableRelations,
  type RpcDocumentContext,
  sharedSchema,
} from './context.js'
import { orderBySchema } from './order-by.js'
import { cursorSchema, whereSchema } from './where.js'

type Members = Readonly<Record<string, JsonSchema>>

const TRUE: JsonSchema = { const: true }
const MAX_SKIP = 2 ** 31 - 1

/** What stands beside "select": neither of the two others. */
export const SELECT_ALONE: JsonSchema = mutuallyExclusive(['select'], ['include', 'omit'])

/** `select`, `include` and `omit` of rows. */
export function selectionMembers(described: RpcDocumentContext, model: Model): Members {
  const include = includeMembers(described, model)
  return {
    select: selectSchema(described, model),
    ...(Object.keys(include).length > 0 && {
      include: modelSchema(described, model, 'Include', () => ({ ...closedObject(include), minProperties: 1 })),
    }),
    ...omitMember(described, model),
  }
}

/** The same of rows that are written together: of their relations, the client answers only those whose foreign key they hold. */
export function returnedSelectionMembers(described: RpcDocumentContext, model: Model): Members {
  const relations = readableRelations(model).filter(([, { foreignKey }]) => foreignKey)
  const related = mapNames(relations, (relation) => relationArguments(described, relation))
  return {
    select: modelSchema(described, model, 'ReturnSelect', () => ({
      ...closedObject({ ...sameForAll(scalarNames(model), TRUE), ...related }),
      minProperties: 1,
    })),
    ...(relations.length > 0 && {
      include: modelSchema(described, model, 'ReturnInclude', () => ({ ...closedObject(related), minProperties: 1 })),
    }),
    ...omitMember(described, model),
  }
}

/** Which rows, in which order. */
export function windowMembers(described: RpcDocumentContext, model: Model): Members {
  const { rows, offset } = described.limits
  const take = rows < Infinity ? { minimum: -rows, maximum: rows } : {}
  return {
    where: whereSchema(described, model),
    orderBy: orderBySchema(described, model),
    cursor: cursorSchema(described, model),
    take: sharedSchema(described, 'Take', () => ({
      type: 'integer',
      ...take,
      description: 'How many rows. If negative, the last ones before the cursor or the end.',
    })),
    skip: sharedSchema(described, 'Skip', () => ({
      type: 'integer',
      minimum: 0,
      maximum: Math.min(offset, MAX_SKIP),
      description: 'Number of rows to skip. A `cursor` has no limit.',
    })),
  }
}

/** Maximum number of rows to change. */
export function numberSchema(described: RpcDocumentContext): Reference {
  return sharedSchema(described, 'RowCount', () => ({ type: 'integer', minimum: 0, maximum: MAX_SKIP }))
}

/** The names of some fields, or of one. */
export function distinctSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'Distinct', () =>
    oneOrMany(fieldNameSchema(described, model), described.limits.listLength),
  )
}

/** The name of a field that is read. */
export function fieldNameSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'Field', () => ({
    type: 'string',
    enum: readableFields(model).map(([name]) => name),
  }))
}

function selectSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'Select', () => ({
    ...closedObject({ ...sameForAll(scalarNames(model), TRUE), ...includeMembers(described, model) }),
    minProperties: 1,
  }))
}

/** Not all fields can be left out. */
function omitMember(described: RpcDocumentContext, model: Model): Members {
  const most = readableFields(model).length - 1
  if (most < 1) return {}
  return {
    omit: modelSchema(described, model, 'Omit', () => ({
      ...closedObject(sameForAll(scalarNames(model), TRUE)),
      maxProperties: most,
    })),
  }
}

function scalarNames(model: Model): readonly string[] {
  return [...readableFields(model).map(([name]) => name), ...model.computed]
}

function includeMembers(described: RpcDocumentContext, model: Model): Members {
  const counted = countableRelations(model)
  return {
    ...mapNames(readableRelations(model), (relation) => relationArguments(described, relation)),
    ...(counted.length > 0 && { _count: countSelect(described, model) }),
  }
}

function countSelect(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'RelationCount', () => {
    const members = mapNames(countableRelations(model), ({ target }) =>
      anyOf(TRUE, closedObject({ where: whereSchema(described, target) })),
    )
    return anyOf(TRUE, closedObject({ select: { ...closedObject(members), minProperties: 1 } }, ['select']))
  })
}

function relationArguments(described: RpcDocumentContext, { target, many, optional }: ModelRelation): Reference {
  if (many) return modelSchema(described, target, 'Many', () => anyOf(TRUE, rowsArguments(described, target)))
  const make = (where: Members): JsonSchema =>
    anyOf(TRUE, { ...closedObject({ ...where, ...selectionMembers(described, target) }), ...SELECT_ALONE })
  return optional
    ? modelSchema(described, target, 'OneOrNone', () => make({ where: whereSchema(described, target) }))
    : modelSchema(described, target, 'One', () => make({}))
}

/** The arguments of reads of many rows, and of to-many relations. */
export function rowsArguments(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'FindArgs', () => ({
    ...closedObject(rowsMembers(described, model)),
    ...SELECT_ALONE,
  }))
}

/** Their members. */
export function rowsMembers(described: RpcDocumentContext, model: Model): Members {
  return {
    ...windowMembers(described, model),
    distinct: distinctSchema(described, model),
    ...selectionMembers(described, model),
  }
}
