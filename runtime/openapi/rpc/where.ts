import { filterableField } from '../../rpc/guard/permissions.js'
import { MANY_QUANTIFIERS, ONE_QUANTIFIERS } from '../../rpc/guard/where/filter-names.js'
import type { Model, ModelRelation } from '../../schema/schema.js'
import type { JsonSchema, Reference } from '../document.js'
import { nullable } from '../schemas/field-schema.js'
import { anyOf, closed, listOf, oneOrMany } from '../schemas/shapes.js'
import { once } from '../once.js'
import {
  all,
  each,
  elementOf,
  type Fields,
  partOf,
  permits,
  readableRelations,
  type RpcDescription,
} from './describe.js'
import { groupFilterSchema, scalarFilterSchema } from './scalar-filters.js'

type Members = Readonly<Record<string, JsonSchema>>

/** The filter of a model's rows. */
export function whereSchema(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, 'Where', () =>
    closed({ ...combined(described, model), ...conditions(described, model) }),
  )
}

/** The filter of rows that nested writes change together: the client takes no relations there. */
export function scalarWhereSchema(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, 'ScalarWhere', () =>
    closed({
      ...parts(described, scalarWhereSchema(described, model), scalarWheresSchema(described, model)),
      ...scalarConditions(described, model),
    }),
  )
}

/** One such filter, or several. */
export function scalarWheresSchema(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, 'ScalarWheres', () =>
    oneOrMany(scalarWhereSchema(described, model), described.limits.listLength),
  )
}

/** What identifies one row: at least one unique criterion, and any other filter beside it. */
export function whereUniqueSchema(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, 'WhereUnique', () =>
    withUnique(described, model, {
      ...combined(described, model),
      ...conditions(described, model),
    }),
  )
}

/** The row that others are counted from: by unique criteria. */
export function cursorSchema(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, 'Cursor', () => withUnique(described, model, {}))
}

/** At least one unique criterion, and these members beside it. */
function withUnique(described: RpcDescription, model: Model, members: Members): JsonSchema {
  const criteria = readableUniques(model).map(([name, fields]): [string, JsonSchema] => [
    name,
    criterion(described, model, name, fields),
  ])
  const all = { ...members, ...Object.fromEntries(criteria) }
  const [first, ...others] = criteria.map(([name]): JsonSchema => ({ required: [name] }))
  if (!first || others.length === 0) return closed(all, first?.required)
  return { ...closed(all), anyOf: [first, ...others] }
}

/** What identifies several rows, or one. */
export function whereUniquesSchema(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, 'WhereUniques', () =>
    oneOrMany(whereUniqueSchema(described, model), described.limits.listLength),
  )
}

/** The filter of groups. None of it may be empty. */
export function havingSchema(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, 'Having', () => {
    const self = havingSchema(described, model)
    const some = { ...listOf(self, described.limits.listLength), minItems: 1 }
    const oneOrSome = partOf(described, model, 'Havings', () => anyOf(self, some))
    // Of lists, the client makes no filter of groups.
    const fields = filterableFields(model).filter(([, { list }]) => !list)
    return {
      ...closed({
        AND: oneOrSome,
        OR: some,
        NOT: oneOrSome,
        ...each(fields, (field, name) => groupFilterSchema(described, model, name, field)),
      }),
      minProperties: 1,
    }
  })
}

/** The unique criteria that can be told at all. */
function readableUniques(model: Model): readonly (readonly [name: string, fields: readonly string[]])[] {
  return [...model.uniques].filter(([, fields]) =>
    fields.every((name) => model.fields.get(name) && !model.fields.get(name)?.writeOnly),
  )
}

function criterion(described: RpcDescription, model: Model, name: string, fields: readonly string[]): JsonSchema {
  const value = (part: string): JsonSchema => {
    const field = model.fields.get(part)
    return field ? elementOf(described, model, part, field) : {}
  }
  if (fields.length === 1 && fields[0] === name) return value(name)
  return closed(Object.fromEntries(fields.map((part) => [part, value(part)])), fields)
}

function combined(described: RpcDescription, model: Model): Members {
  const where = whereSchema(described, model)
  const wheres = partOf(described, model, 'Wheres', () => oneOrMany(where, described.limits.listLength))
  return parts(described, where, wheres)
}

function parts({ limits }: RpcDescription, one: Reference, oneOrSome: Reference): Members {
  return { AND: oneOrSome, OR: listOf(one, limits.listLength), NOT: oneOrSome }
}

function conditions(described: RpcDescription, model: Model): Members {
  return {
    ...scalarConditions(described, model),
    ...each(readableRelations(model), (relation) => relationFilter(described, relation)),
  }
}

function scalarConditions(described: RpcDescription, model: Model): Members {
  return each(filterableFields(model), (field, name) => scalarFilterSchema(described, model, name, field))
}

/** The fields that rows are filtered by. */
export const filterableFields = once((model: Model): Fields =>
  [...model.fields].filter(([name]) => permits(() => filterableField(model, name, ''))),
)

function relationFilter(described: RpcDescription, { target, many, optional }: ModelRelation): JsonSchema {
  const where = whereSchema(described, target)
  if (many) return partOf(described, target, 'ListFilter', () => closed(all(MANY_QUANTIFIERS, where)))
  return partOf(described, target, optional ? 'NullableFilter' : 'OneFilter', () => {
    const one = optional ? nullable(where) : where
    const quantified = closed(all(ONE_QUANTIFIERS, one))
    // Of fields that are called so, only the other form is never taken for something else.
    const isCalledSo = ONE_QUANTIFIERS.some((name) => target.fields.has(name) || target.relations.has(name))
    return anyOf(...(isCalledSo ? [] : [where]), quantified, ...(optional ? [{ type: 'null' }] : []))
  })
}
