import { filterableField } from '../../rpc/guard/permissions.js'
import { MANY_QUANTIFIERS, ONE_QUANTIFIERS } from '../../rpc/guard/where/filter-names.js'
import type { Model, ModelRelation } from '../../schema/schema.js'
import type { JsonSchema, Reference } from '../document.js'
import { nullable } from '../schemas/field-schema.js'
import { anyOf, closedObject, listOf, oneOrMany } from '../schemas/shapes.js'
import { memoize } from '../memoize.js'
import {
  sameForAll,
  mapNames,
  sharedElementSchema,
  type Fields,
  modelSchema,
  isAccepted,
  readableRelations,
  type RpcDocumentContext,
} from './context.js'
import { groupFilterSchema, scalarFilterSchema } from './scalar-filters.js'

type Members = Readonly<Record<string, JsonSchema>>

/** Returns the schema of a filter of a model's rows. */
export function whereSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'Where', () =>
    closedObject({ ...combined(described, model), ...conditions(described, model) }),
  )
}

/** Returns the schema of a filter in nested bulk writes, for which Prisma does not support relations. */
export function scalarWhereSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'ScalarWhere', () =>
    closedObject({
      ...parts(described, scalarWhereSchema(described, model), scalarWheresSchema(described, model)),
      ...scalarConditions(described, model),
    }),
  )
}

/** Returns the schema of one such filter, or several. */
export function scalarWheresSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'ScalarWheres', () =>
    oneOrMany(scalarWhereSchema(described, model), described.limits.listLength),
  )
}

/** Returns the schema of a unique `where`: at least one unique criterion, optionally with other filters. */
export function whereUniqueSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'WhereUnique', () =>
    withUnique(described, model, {
      ...combined(described, model),
      ...conditions(described, model),
    }),
  )
}

/** Returns the schema of a cursor, which consists of unique criteria. */
export function cursorSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'Cursor', () => withUnique(described, model, {}))
}

/** Requires at least one unique criterion in addition to the given members. */
function withUnique(described: RpcDocumentContext, model: Model, members: Members): JsonSchema {
  const criteria = readableUniques(model).map(([name, fields]): [string, JsonSchema] => [
    name,
    criterion(described, model, name, fields),
  ])
  const all = { ...members, ...Object.fromEntries(criteria) }
  const [first, ...others] = criteria.map(([name]): JsonSchema => ({ required: [name] }))
  if (!first || others.length === 0) return closedObject(all, first?.required)
  return { ...closedObject(all), anyOf: [first, ...others] }
}

/** Returns the schema of one or several unique `where`s. */
export function whereUniquesSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'WhereUniques', () =>
    oneOrMany(whereUniqueSchema(described, model), described.limits.listLength),
  )
}

/** Returns the schema of `having`, whose parts must not be empty. */
export function havingSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'Having', () => {
    const self = havingSchema(described, model)
    const some = { ...listOf(self, described.limits.listLength), minItems: 1 }
    const oneOrSome = modelSchema(described, model, 'Havings', () => anyOf(self, some))
    // Prisma does not support list fields in `having`.
    const fields = filterableFields(model).filter(([, { list }]) => !list)
    return {
      ...closedObject({
        AND: oneOrSome,
        OR: some,
        NOT: oneOrSome,
        ...mapNames(fields, (field, name) => groupFilterSchema(described, model, name, field)),
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

function criterion(described: RpcDocumentContext, model: Model, name: string, fields: readonly string[]): JsonSchema {
  const value = (part: string): JsonSchema => {
    const field = model.fields.get(part)
    return field ? sharedElementSchema(described, model, part, field) : {}
  }
  if (fields.length === 1 && fields[0] === name) return value(name)
  return closedObject(Object.fromEntries(fields.map((part) => [part, value(part)])), fields)
}

function combined(described: RpcDocumentContext, model: Model): Members {
  const where = whereSchema(described, model)
  const wheres = modelSchema(described, model, 'Wheres', () => oneOrMany(where, described.limits.listLength))
  return parts(described, where, wheres)
}

function parts({ limits }: RpcDocumentContext, one: Reference, oneOrSome: Reference): Members {
  return { AND: oneOrSome, OR: listOf(one, limits.listLength), NOT: oneOrSome }
}

function conditions(described: RpcDocumentContext, model: Model): Members {
  return {
    ...scalarConditions(described, model),
    ...mapNames(readableRelations(model), (relation) => relationFilter(described, relation)),
  }
}

function scalarConditions(described: RpcDocumentContext, model: Model): Members {
  return mapNames(filterableFields(model), (field, name) => scalarFilterSchema(described, model, name, field))
}

/** Returns the fields that rows can be filtered by. */
export const filterableFields = memoize((model: Model): Fields =>
  [...model.fields].filter(([name]) => isAccepted(() => filterableField(model, name, ''))),
)

function relationFilter(described: RpcDocumentContext, { target, many, optional }: ModelRelation): JsonSchema {
  const where = whereSchema(described, target)
  if (many) return modelSchema(described, target, 'ListFilter', () => closedObject(sameForAll(MANY_QUANTIFIERS, where)))
  return modelSchema(described, target, optional ? 'NullableFilter' : 'OneFilter', () => {
    const one = optional ? nullable(where) : where
    const quantified = closedObject(sameForAll(ONE_QUANTIFIERS, one))
    // If fields have the names of the quantifiers, only the quantified form is unambiguous.
    const isCalledSo = ONE_QUANTIFIERS.some((name) => target.fields.has(name) || target.relations.has(name))
    return anyOf(...(isCalledSo ? [] : [where]), quantified, ...(optional ? [{ type: 'null' }] : []))
  })
}
