import { assertLinkable } from '../../../rpc/guard/permissions.js'
import { idFields, type Model, type ModelRelation } from '../../../schema/schema.js'
import type { JsonSchema, Reference } from '../../document.js'
import { capitalize } from '../../names.js'
import { anyOf, closedObject, oneOrMany } from '../../schemas/shapes.js'
import { modelSchema, isAccepted, type RpcDocumentContext, sharedSchema } from '../context.js'
import { scalarWhereSchema, scalarWheresSchema, whereSchema, whereUniqueSchema, whereUniquesSchema } from '../where.js'

type Members = Readonly<Record<string, JsonSchema>>

/** The relation of a nested write. */
export interface Through {
  readonly model: Model
  readonly name: string
  readonly relation: ModelRelation
}

type RowSchema = (described: RpcDocumentContext, model: Model, through: Through) => Reference

/** The schemas of the rows in nested writes, which may contain further nested writes. */
export interface Rows {
  readonly create: RowSchema
  readonly update: RowSchema
  readonly createMany: RowSchema
  readonly updateMany: RowSchema
}

interface Write extends Through {
  readonly rows: Rows
}

/** Returns the schema of a relation in a row's data: Prisma's nested writes that the models' rules allow. */
export function nestedWritesSchema(described: RpcDocumentContext, write: Write, row: 'create' | 'update'): Reference {
  const { model, name, relation } = write
  const isNew = row === 'create'
  return modelSchema(described, model, `${capitalize(name)}In${capitalize(row)}`, () => {
    if (relation.many)
      return closedObject({ ...createsMany(described, write), ...(!isNew && updatesMany(described, write)) })
    const writes = closedObject({ ...createsOne(described, write), ...(!isNew && updatesOne(described, write)) })
    // Several writes would contradict each other, and a required foreign key needs one.
    return isNew ? { ...writes, maxProperties: 1, ...(!relation.optional && { minProperties: 1 }) } : writes
  })
}

interface Allowed {
  readonly link: boolean
  readonly create: boolean
  readonly update: boolean
  readonly delete: boolean
}

function allowed({ model, relation }: Through): Allowed {
  const { operations } = relation.target
  return {
    link: isAccepted(() => assertLinkable(model, relation, '')),
    create: operations.has('create'),
    update: operations.has('update'),
    delete: operations.has('delete'),
  }
}

function createsOne(described: RpcDocumentContext, write: Write): Members {
  const { link, create } = allowed(write)
  const { target } = write.relation
  return {
    ...(create && { create: write.rows.create(described, target, write) }),
    ...(link && { connect: whereUniqueSchema(described, target) }),
    ...(link && create && { connectOrCreate: connectOrCreate(described, write) }),
  }
}

function updatesOne(described: RpcDocumentContext, write: Write): Members {
  const { link, create, update, ...may } = allowed(write)
  const { target, optional } = write.relation
  const where = whereSchema(described, target)
  // With relations in this filter, Prisma queries a table that is not part of the query.
  const scalars = scalarWhereSchema(described, target)
  const changes = () => write.rows.update(described, target, write)
  const isCalledSo = target.fields.has('data') || target.relations.has('data')
  return {
    ...(update && {
      update: anyOf(...(isCalledSo ? [] : [changes()]), closedObject({ where, data: changes() }, ['data'])),
    }),
    ...(create &&
      update && {
        upsert: closedObject(
          { where: scalars, create: write.rows.create(described, target, write), update: changes() },
          ['create', 'update'],
        ),
      }),
    ...(optional && link && { disconnect: anyOf({ type: 'boolean' }, where) }),
    ...(optional && may.delete && { delete: anyOf({ type: 'boolean' }, where) }),
  }
}

function createsMany(described: RpcDocumentContext, write: Write): Members {
  const { link, create } = allowed(write)
  const { target, inverseRelation } = write.relation
  const maxItems = described.limits.listLength
  return {
    ...(create && { create: oneOrMany(write.rows.create(described, target, write), maxItems) }),
    // Prisma does not support `createMany` through a join table.
    ...(create &&
      inverseRelation?.foreignKey && {
        createMany: closedObject(
          { data: oneOrMany(write.rows.createMany(described, target, write)), ...skipDuplicates(described) },
          ['data'],
        ),
      }),
    ...(link && { connect: whereUniquesSchema(described, target) }),
    ...(link && create && { connectOrCreate: oneOrMany(connectOrCreate(described, write), maxItems) }),
  }
}

function updatesMany(described: RpcDocumentContext, write: Write): Members {
  const { link, create, update, ...may } = allowed(write)
  const { target } = write.relation
  const maxItems = described.limits.listLength
  const where = whereUniqueSchema(described, target)
  const wheres = whereUniquesSchema(described, target)
  const scalarWhere = () => scalarWhereSchema(described, target)
  const mayAll = namesMembers(write)
  const updates = () =>
    nestedWriteSchema(described, write, 'Update', () => ({ where, data: write.rows.update(described, target, write) }))
  const updatesAll = () =>
    nestedWriteSchema(described, write, 'UpdateMany', () => ({
      where: scalarWhere(),
      data: write.rows.updateMany(described, target, write),
    }))
  const upserts = () =>
    nestedWriteSchema(described, write, 'Upsert', () => ({
      where,
      create: write.rows.create(described, target, write),
      update: write.rows.update(described, target, write),
    }))
  return {
    ...(link && mayAll && { set: wheres }),
    ...(link && { disconnect: wheres }),
    ...(update && { update: oneOrMany(updates(), maxItems) }),
    ...(update && mayAll && { updateMany: oneOrMany(updatesAll(), maxItems) }),
    ...(create && update && { upsert: oneOrMany(upserts(), maxItems) }),
    ...(may.delete && { delete: wheres }),
    ...(may.delete && mayAll && { deleteMany: scalarWheresSchema(described, target) }),
  }
}

/** Returns the schema of a nested write with several required parts. */
function nestedWriteSchema(
  described: RpcDocumentContext,
  { model, name }: Through,
  operation: string,
  parts: () => Members,
): Reference {
  return modelSchema(described, model, `${capitalize(name)}${operation}`, () => {
    const members = parts()
    return closedObject(members, Object.keys(members))
  })
}

/** Whether Prisma restricts writes to all related rows to the members of the relation. See `ofMembersOnly` in `rpc/guard/data/data.ts`. */
function namesMembers({ relation: { target, inverseRelation } }: Through): boolean {
  return idFields(target).filter((name) => !Object.hasOwn(inverseRelation?.foreignKey ?? {}, name)).length <= 1
}

function connectOrCreate(described: RpcDocumentContext, write: Write): Reference {
  const { target } = write.relation
  return nestedWriteSchema(described, write, 'ConnectOrCreate', () => ({
    where: whereUniqueSchema(described, target),
    create: write.rows.create(described, target, write),
  }))
}

/** Returns `skipDuplicates`, if the database's client supports it. */
export function skipDuplicates(described: RpcDocumentContext): Members {
  const { provider } = described.dialect
  if (['sqlite', 'sqlserver', 'mongodb'].includes(provider)) return {}
  return { skipDuplicates: sharedSchema(described, 'SkipDuplicates', () => ({ type: 'boolean' })) }
}
