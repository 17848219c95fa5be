import { filterableField } from '../../rpc/guard/assert-permissions.js'
import { MANY_QUANTIFIERS, ONE_QUANTIFIERS } from '../../rpc/guard/argument-helpers.js'
import type { Model, ModelRelation } from '../../schema/model.js'
import type { JsonSchema, Reference } from '../document-types.js'
import {
  nullable,
  anyOf,
  closedObject,
  listOf,
  oneOrMany,
  mapToSchema,
  mapNames,
  restricted,
  withoutProperties,
} from '../schemas/schema-builders.js'
import { memoize } from '../../values/memoize.js'
import { modelSchema, type RpcDocumentContext, sharedElementSchema } from './rpc-document-context.js'
import { type Fields, isAccepted, readableRelations } from './readable-members.js'
import { groupFilterSchema, scalarFilterSchema } from './scalar-filter-schemas.js'

type Members = Readonly<Record<string, JsonSchema>>

/** Returns the schema of a filter on a model's rows. */
export function whereSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Where', () => closedObject({ ...combined(doc, model), ...conditions(doc, model) }))
}

/** Returns the schema of a filter in nested bulk writes, for which Prisma does not support relations. */
export function scalarWhereSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'ScalarWhere', () => ({
    ...withoutProperties(
      whereSchema(doc, model),
      readableRelations(model).map(([name]) => name),
    ),
    properties: combinators(doc, scalarWhereSchema(doc, model), scalarWheresSchema(doc, model)),
  }))
}

/** Returns the schema of one {@link scalarWhereSchema} filter, or of a list of them. */
export function scalarWheresSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'ScalarWheres', () => oneOrMany(scalarWhereSchema(doc, model), doc.limits.listLength))
}

/** Returns the schema of a unique `where`: at least one unique criterion and optional other filters. */
export function whereUniqueSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'WhereUnique', () => {
    const filterable = new Set(filterableFields(model).map(([name]) => name))
    if (readableUniques(model).some(([name]) => !filterable.has(name)))
      return withUnique(doc, model, (criteria) =>
        closedObject({ ...combined(doc, model), ...conditions(doc, model), ...criteria }),
      )
    return withUnique(doc, model, (properties) => restricted(whereSchema(doc, model), { properties }))
  })
}

/** Returns the schema of a cursor, which consists of unique criteria. */
export function cursorSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Cursor', () => withUnique(doc, model, closedObject))
}

/** Returns a schema that requires at least one unique criterion, given a schema with these criteria as properties. */
function withUnique(doc: RpcDocumentContext, model: Model, create: (criteria: Members) => JsonSchema): JsonSchema {
  const criteria = readableUniques(model).map(([name, fields]): [string, JsonSchema] => [
    name,
    criterion(doc, model, name, fields),
  ])
  const schema = create(Object.fromEntries(criteria))
  const alternatives = criteria.map(([name]): JsonSchema => ({ required: [name] }))
  return alternatives.length > 1 ? { ...schema, anyOf: alternatives } : { ...schema, ...alternatives[0] }
}

/** Returns the schema of one or more unique `where`s. */
export function whereUniquesSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'WhereUniques', () => oneOrMany(whereUniqueSchema(doc, model), doc.limits.listLength))
}

/** Returns the schema of `having`, whose parts must not be empty. */
export function havingSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Having', () => {
    const self = havingSchema(doc, model)
    const items = { ...listOf(self, doc.limits.listLength), minItems: 1 }
    const oneOrSome = modelSchema(doc, model, 'Havings', () => anyOf(self, items))
    // Prisma does not support list fields in `having`.
    const fields = filterableFields(model).filter(([, { list }]) => !list)
    return {
      ...closedObject({
        AND: oneOrSome,
        OR: items,
        NOT: oneOrSome,
        ...mapNames(fields, (field, name) => groupFilterSchema({ doc, model, name, field })),
      }),
      minProperties: 1,
    }
  })
}

/** Returns the unique criteria whose fields are all readable. */
function readableUniques(model: Model): readonly (readonly [name: string, fields: readonly string[]])[] {
  return [...model.uniques].filter(([, fields]) =>
    fields.every((name) => model.fields.get(name) && !model.fields.get(name)?.writeOnly),
  )
}

function criterion(doc: RpcDocumentContext, model: Model, name: string, fields: readonly string[]): JsonSchema {
  const value = (part: string): JsonSchema => {
    const field = model.fields.get(part)
    return field ? sharedElementSchema(doc, model, part, field) : {}
  }
  if (fields.length === 1 && fields[0] === name) return value(name)
  return closedObject(Object.fromEntries(fields.map((part) => [part, value(part)])), fields)
}

function combined(doc: RpcDocumentContext, model: Model): Members {
  const where = whereSchema(doc, model)
  const wheres = modelSchema(doc, model, 'Wheres', () => oneOrMany(where, doc.limits.listLength))
  return combinators(doc, where, wheres)
}

function combinators({ limits }: RpcDocumentContext, item: Reference, itemOrList: Reference): Members {
  return { AND: itemOrList, OR: listOf(item, limits.listLength), NOT: itemOrList }
}

function conditions(doc: RpcDocumentContext, model: Model): Members {
  return {
    ...scalarConditions(doc, model),
    ...mapNames(readableRelations(model), (relation) => relationFilter(doc, relation)),
  }
}

function scalarConditions(doc: RpcDocumentContext, model: Model): Members {
  return mapNames(filterableFields(model), (field, name) => scalarFilterSchema({ doc, model, name, field }))
}

/** Returns the fields that can be filtered by. */
export const filterableFields = memoize((model: Model): Fields =>
  [...model.fields].filter(([name]) => isAccepted(() => filterableField(model, name, ''))),
)

function relationFilter(doc: RpcDocumentContext, { target, many, optional }: ModelRelation): JsonSchema {
  const where = whereSchema(doc, target)
  if (many) return modelSchema(doc, target, 'ListFilter', () => closedObject(mapToSchema(MANY_QUANTIFIERS, where)))
  return modelSchema(doc, target, optional ? 'NullableFilter' : 'OneFilter', () => {
    const related = optional ? nullable(where) : where
    const quantified = closedObject(mapToSchema(ONE_QUANTIFIERS, related))
    // If the target has fields with the names of quantifiers, only the form with quantifiers is unambiguous.
    const isAmbiguous = ONE_QUANTIFIERS.some((name) => target.fields.has(name) || target.relations.has(name))
    return anyOf(...(isAmbiguous ? [] : [where]), quantified, ...(optional ? [{ type: 'null' }] : []))
  })
}
