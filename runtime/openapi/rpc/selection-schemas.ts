import type { Model, ModelRelation } from '../../schema/model.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { anyOf, mutuallyExclusive, closedObject, oneOrMany, mapToSchema, mapNames } from '../schemas/schema-builders.js'
import { modelSchema, type RpcDocumentContext, sharedSchema } from './rpc-document-context.js'
import { countableRelations, readableFields, readableRelations } from './readable-members.js'
import { orderBySchema } from './order-by-schemas.js'
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
