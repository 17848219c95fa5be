import { assertLinkable } from '../../../rpc/guard/permissions.js'
import { idFields, type Model, type ModelRelation } from '../../../schema/schema.js'
import type { JsonSchema, Reference } from '../../document.js'
import { capitalize } from '../../names.js'
import { anyOf, closedObject, oneOrMany } from '../../schemas/shapes.js'
import { modelSchema, isAccepted, type RpcDocumentContext, sharedSchema } from '../context.js'
import { scalarWhereSchema, scalarWheresSchema, whereSchema, whereUniqueSchema, whereUniquesSchema } from '../where.js'

type Members = Readonly<Record<string, JsonSchema>>

/** The relation that rows are written through, where they are not written by a call of their own model. */
export interface Through {
  readonly model: Model
  readonly name: string
  readonly relation: ModelRelation
}

type RowSchema = (described: RpcDocumentContext, model: Model, through: Through) => Reference

/** The data of the rows that nested writes hold, which hold nested writes again. */
export interface Rows {
  readonly create: RowSchema
  readonly update: RowSchema
  readonly createMany: RowSchema
  readonly updateMany: RowSchema
}

interface Write extends Through {
  readonly rows: Rows
}

/** What a row's data writes to a relation: those of the client's nested writes that the rules of the models allow. */
export function nestedWritesSchema(described: RpcDocumentContext, write: Write, row: 'create' | 'update'): Reference {
  const { model, name, relation } = write
  const isNew = row === 'create'
  return modelSchema(described, model, `${capitalize(name)}In${capitalize(row)}`, () => {
    if (relation.many)
      return closedObject({ ...createsMany(described, write), ...(!isNew && updatesMany(described, write)) })
    const writes = closedObject({ ...createsOne(described, write), ...(!isNew && updatesOne(described, write)) })
    // Several would contradict each other, and a foreign key that must be there needs one.
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
  // Of relations in it, the client asks for a table that is not there.
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
  const { target, back } = write.relation
  const most = described.limits.listLength
  return {
    ...(create && { create: oneOrMany(write.rows.create(described, target, write), most) }),
    // The client makes no rows of a table that stands between two.
    ...(create &&
      back?.foreignKey && {
        createMany: closedObject(
          { data: oneOrMany(write.rows.createMany(described, target, write)), ...skipDuplicates(described) },
          ['data'],
        ),
      }),
    ...(link && { connect: whereUniquesSchema(described, target) }),
    ...(link && create && { connectOrCreate: oneOrMany(connectOrCreate(described, write), most) }),
  }
}

function updatesMany(described: RpcDocumentContext, write: Write): Members {
  const { link, create, update, ...may } = allowed(write)
  const { target } = write.relation
  const most = described.limits.listLength
  const where = whereUniqueSchema(described, target)
  const wheres = whereUniquesSchema(described, target)
  const some = () => scalarWhereSchema(described, target)
  const mayAll = namesMembers(write)
  const updates = () =>
    writeOf(described, write, 'Update', () => ({ where, data: write.rows.update(described, target, write) }))
  const updatesAll = () =>
    writeOf(described, write, 'UpdateMany', () => ({
      where: some(),
      data: write.rows.updateMany(described, target, write),
    }))
  const upserts = () =>
    writeOf(described, write, 'Upsert', () => ({
      where,
      create: write.rows.create(described, target, write),
      update: write.rows.update(described, target, write),
    }))
  return {
    ...(link && mayAll && { set: wheres }),
    ...(link && { disconnect: wheres }),
    ...(update && { update: oneOrMany(updates(), most) }),
    ...(update && mayAll && { updateMany: oneOrMany(updatesAll(), most) }),
    ...(create && update && { upsert: oneOrMany(upserts(), most) }),
    ...(may.delete && { delete: wheres }),
    ...(may.delete && mayAll && { deleteMany: scalarWheresSchema(described, target) }),
  }
}

/** A nested write of several parts, all of which it needs. */
function writeOf(
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

/** Whether writes to all members are told from those to members of others: see `ofMembersOnly` of the guard. */
function namesMembers({ relation: { target, back } }: Through): boolean {
  return idFields(target).filter((name) => !Object.hasOwn(back?.foreignKey ?? {}, name)).length <= 1
}

function connectOrCreate(described: RpcDocumentContext, write: Write): Reference {
  const { target } = write.relation
  return writeOf(described, write, 'ConnectOrCreate', () => ({
    where: whereUniqueSchema(described, target),
    create: write.rows.create(described, target, write),
  }))
}

/** Whether rows that are there already are left out, on databases whose client can. */
export function skipDuplicates(described: RpcDocumentContext): Members {
  const { provider } = described.dialect
  if (['sqlite', 'sqlserver', 'mongodb'].includes(provider)) return {}
  return { skipDuplicates: sharedSchema(described, 'SkipDuplicates', () => ({ type: 'boolean' })) }
}
