import { idFields, type Model } from '../../schema/model.js'
import { exampleValues, exampleRow } from '../example-value.js'
import { requiredMembers, writableFields, writableRelations } from './data/data-schemas.js'
import type { RpcDocumentContext } from './rpc-document-context.js'
import { type Fields, readableFields } from './readable-members.js'
import { filterableFields } from './where-schemas.js'

type Args = Readonly<Record<string, unknown>>

/** Returns an example row. */
export function rowExample(model: Model): Args {
  const row = exampleRow(model)
  const values = readableFields(model).flatMap(([name, { optional, list }]): [string, unknown][] => {
    const value = row.get(name) ?? (optional && !list ? null : undefined)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(values)
}

/** Returns example arguments of an operation, or undefined if there are none. */
export function argumentsExample({ limits }: RpcDocumentContext, model: Model, operation: string): Args | undefined {
  switch (operation) {
    case 'findMany':
      return { ...rowsArguments(model), take: Math.min(10, limits.rows) }
    case 'findFirst':
    case 'findFirstOrThrow':
    case 'count':
    case 'exists':
      return rowsArguments(model)
    case 'findUnique':
    case 'findUniqueOrThrow':
    case 'delete':
      return oneRow(model)
    case 'aggregate':
      return { _count: true }
    case 'groupBy': {
      const [field] = grouped(model)
      return field && { by: [field[0]], _count: true }
    }
    case 'create':
      return all({ data: newRow(model) })
    case 'createMany':
    case 'createManyAndReturn': {
      const data = newScalars(model)
      return data && { data: [data] }
    }
    case 'update':
      return all({ ...oneRow(model), data: changes(model) }, ['where', 'data'])
    case 'updateMany':
    case 'updateManyAndReturn':
      return all({ ...rowsArguments(model), data: changes(model) }, ['where', 'data'])
    case 'upsert':
      return all({ ...oneRow(model), create: newRow(model), update: changes(model) }, ['where', 'create', 'update'])
    case 'deleteMany':
      return all({ ...rowsArguments(model) }, ['where'])
    case 'check':
      return { operation: 'read' }
    default:
      return undefined
  }
}

/** Returns the arguments if all required arguments have an example. */
function all(args: Args, needed: readonly string[] = Object.keys(args)): Args | undefined {
  return needed.every((name) => args[name] !== undefined) ? args : undefined
}

/** Returns fields to group by. Fields with few distinct values come first. */
function grouped(model: Model): Fields {
  const single = readableFields(model).filter(([, { type, list }]) => !list && type !== 'Json')
  return [...single.filter(([, { type }]) => type === 'Enum' || type === 'Boolean'), ...single]
}

/** Returns a filter on one field. Prefers text fields, and uses the id only if there is no other field. */
function rowsArguments(model: Model): Args {
  const row = exampleRow(model)
  const ids = new Set(idFields(model))
  const single = filterableFields(model).filter(
    ([name, { type, list }]) => row.has(name) && !list && !['Json', 'Bytes'].includes(type),
  )
  const others = single.filter(([name]) => !ids.has(name))
  const [name] = others.find(([, { type }]) => type === 'String') ?? others[0] ?? single[0] ?? []
  return name === undefined ? {} : { where: { [name]: row.get(name) } }
}

function oneRow(model: Model): Args | undefined {
  const where = uniqueWhere(model)
  return where && { where }
}

function uniqueWhere(model: Model): Args | undefined {
  const names = idFields(model)
  const values = exampleValues(model, names)
  if (!values || names.some((name) => !model.fields.get(name) || model.fields.get(name)?.writeOnly)) return undefined
  const parts = Object.fromEntries(names.map((name, index) => [name, values[index]]))
  return names.length === 1 && names[0] === model.id ? parts : { [model.id]: parts }
}

/**
 * Returns the required data of a new row. Foreign keys are set through their fields, unless another one can only be set through its
 * relation.
 */
function newRow(model: Model): Args | undefined {
  const relations = writableRelations(model)
  const writable = new Map(relations)
  const { required, anyOf: alternatives } = requiredMembers(model, relations)
  const byRelation = required.some((name) => writable.has(name))
  const names = new Set([
    ...required,
    ...alternatives.flatMap(([field, ...keys]) => (byRelation ? keys[0] : field) ?? []),
  ])
  const row = exampleRow(model)
  const entries = [...names].map((name): [string, unknown] => {
    const relation = writable.get(name)
    const where = relation && uniqueWhere(relation.target)
    return [name, relation ? where && { connect: where } : row.get(name)]
  })
  return all(Object.fromEntries(entries))
}

function newScalars(model: Model): Args | undefined {
  const row = exampleRow(model)
  return all(Object.fromEntries(requiredMembers(model, []).required.map((name) => [name, row.get(name)])))
}

/** Returns changes to one or two fields. Avoids unique fields and foreign keys. */
function changes(model: Model): Args | undefined {
  const row = exampleRow(model)
  const fixed = new Set([
    ...[...model.uniques.values()].flat(),
    ...[...model.relations.values()].flatMap(({ foreignKey = {} }) => Object.keys(foreignKey)),
  ])
  const names = writableFields(model).flatMap(([name]) => (row.has(name) ? name : []))
  const plain = names.filter((name) => !fixed.has(name))
  const changed = (plain.length > 0 ? plain : names).slice(0, 2)
  return changed.length > 0 ? Object.fromEntries(changed.map((name) => [name, row.get(name)])) : undefined
}
