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

/** The constraint that `select` excludes `include` and `omit`. */
export const SELECT_ALONE: JsonSchema = mutuallyExclusive(['select'], ['include', 'omit'])

/** Returns `select`, `include` and `omit` of rows. */
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

/**
 * Returns `select`, `include` and `omit` of bulk writes that return rows. Prisma only returns those relations whose foreign key the rows
 * have.
 */
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

/** Returns the filter, order and pagination arguments of rows. */
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

/** Returns the schema of one or several field names. */
export function distinctSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'Distinct', () =>
    oneOrMany(fieldNameSchema(described, model), described.limits.listLength),
  )
}

/** Returns the schema of a readable field's name. */
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

/** Returns `omit`. At least one field must remain. */
function omitMember(described: RpcDocumentContext, model: Model): Members {
  const maxOmitted = readableFields(model).length - 1
  if (maxOmitted < 1) return {}
  return {
    omit: modelSchema(described, model, 'Omit', () => ({
      ...closedObject(sameForAll(scalarNames(model), TRUE)),
      maxProperties: maxOmitted,
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

/** Returns the schema of the arguments of reads of many rows and of to-many relations. */
export function rowsArguments(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'FindArgs', () => ({
    ...closedObject(rowsMembers(described, model)),
    ...SELECT_ALONE,
  }))
}

/** Returns the members of these arguments. */
export function rowsMembers(described: RpcDocumentContext, model: Model): Members {
  return {
    ...windowMembers(described, model),
    distinct: distinctSchema(described, model),
    ...selectionMembers(described, model),
  }
}
