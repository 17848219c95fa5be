import { assertLinkable } from '../../../rpc/guard/assert-permissions.js'
import { idFields, type Model, type ModelRelation } from '../../../schema/model.js'
import type { JsonSchema, Reference } from '../../document-types.js'
import { capitalize } from '../../name-allocator.js'
import { anyOf, closedObject, composedObject, oneOrMany } from '../../schemas/schema-builders.js'
import { memberSchema, type RpcDocumentContext, sharedSchema } from '../rpc-document-context.js'
import { isAccepted } from '../readable-members.js'
import {
  scalarWhereSchema,
  scalarWheresSchema,
  whereSchema,
  whereUniqueSchema,
  whereUniquesSchema,
} from '../where-schemas.js'

type Members = Readonly<Record<string, JsonSchema>>

/** The relation of a nested write. */
export interface ParentRelation {
  readonly model: Model
  readonly name: string
  readonly relation: ModelRelation
}

type RowSchema = (doc: RpcDocumentContext, model: Model, through: ParentRelation) => Reference

/** The schemas of the rows in nested writes, which may contain nested writes themselves. */
export interface RowSchemas {
  readonly create: RowSchema
  readonly update: RowSchema
  readonly createMany: RowSchema
  readonly updateMany: RowSchema
}

interface Write extends ParentRelation {
  readonly rows: RowSchemas
}

/** Returns the schema of a relation in a row's data: Prisma's nested writes that the models' rules allow. */
export function nestedWritesSchema(doc: RpcDocumentContext, write: Write, row: 'create' | 'update'): Reference {
  const { model, name, relation } = write
  const isNew = row === 'create'
  return memberSchema(doc, model, name, `In${capitalize(row)}`, () => {
    if (relation.many) return composedObject([additionsSchema(doc, write)], isNew ? {} : toManyUpdates(doc, write))
    const writes = closedObject({ ...toOneCreates(doc, write), ...(!isNew && toOneUpdates(doc, write)) })
    // Multiple writes would contradict each other. A required foreign key requires one write.
    return isNew ? { ...writes, maxProperties: 1, ...(!relation.optional && { minProperties: 1 }) } : writes
  })
}

interface Allowed {
  readonly link: boolean
  readonly create: boolean
  readonly update: boolean
  readonly delete: boolean
}

function allowedWrites({ relation }: ParentRelation): Allowed {
  const { operations } = relation.target
  return {
    link: isAccepted(() => assertLinkable(relation, '')),
    create: operations.has('create'),
    update: operations.has('update'),
    delete: operations.has('delete'),
  }
}

function toOneCreates(doc: RpcDocumentContext, write: Write): Members {
  const { link, create } = allowedWrites(write)
  const { target } = write.relation
  return {
    ...(create && { create: write.rows.create(doc, target, write) }),
    ...(link && { connect: whereUniqueSchema(doc, target) }),
    ...(link && create && { connectOrCreate: connectOrCreate(doc, write) }),
  }
}

function toOneUpdates(doc: RpcDocumentContext, write: Write): Members {
  const { link, create, update, ...permissions } = allowedWrites(write)
  const { target, optional, foreignKey } = write.relation
  const where = whereSchema(doc, target)
  const changes = () => write.rows.update(doc, target, write)
  const isAmbiguous = target.fields.has('data') || target.relations.has('data')
  // An upsert or disconnect of a row with the foreign key has no conditions: see `rejectConditions` in `create-and-update-data.ts`.
  return {
    ...(update && {
      update: anyOf(...(isAmbiguous ? [] : [changes()]), closedObject({ where, data: changes() }, ['data'])),
    }),
    ...(create &&
      update && {
        upsert: closedObject(
          { ...(!foreignKey && { where }), create: write.rows.create(doc, target, write), update: changes() },
          ['create', 'update'],
        ),
      }),
    ...(optional && link && { disconnect: foreignKey ? { type: 'boolean' } : anyOf({ type: 'boolean' }, where) }),
    ...(optional && permissions.delete && { delete: anyOf({ type: 'boolean' }, where) }),
  }
}

/** Returns the schema of the writes that add rows to a relation. */
function additionsSchema(doc: RpcDocumentContext, write: Write): Reference {
  const { link, create } = allowedWrites(write)
  const { target, inverseRelation } = write.relation
  return memberSchema(doc, write.model, write.name, 'Additions', () => ({
    type: 'object',
    properties: {
      ...(create && { create: oneOrMany(write.rows.create(doc, target, write), doc.limits.listLength) }),
      // Prisma does not support `createMany` through a join table.
      ...(create &&
        inverseRelation?.foreignKey && {
          createMany: closedObject(
            { data: oneOrMany(write.rows.createMany(doc, target, write)), ...skipDuplicates(doc) },
            ['data'],
          ),
        }),
      ...(link && { connect: whereUniquesSchema(doc, target) }),
      ...(link && create && { connectOrCreate: oneOrMany(connectOrCreate(doc, write), doc.limits.listLength) }),
    },
  }))
}

function toManyUpdates(doc: RpcDocumentContext, write: Write): Members {
  const { link, create, update, ...permissions } = allowedWrites(write)
  const { target } = write.relation
  const maxItems = doc.limits.listLength
  const where = whereUniqueSchema(doc, target)
  const wheres = whereUniquesSchema(doc, target)
  const scalarWhere = () => scalarWhereSchema(doc, target)
  const mayAll = namesMembers(write)
  const updates = () =>
    nestedWriteSchema(doc, write, 'Update', () => ({ where, data: write.rows.update(doc, target, write) }))
  const updatesAll = () =>
    nestedWriteSchema(doc, write, 'UpdateMany', () => ({
      where: scalarWhere(),
      data: write.rows.updateMany(doc, target, write),
    }))
  const upserts = () =>
    nestedWriteSchema(doc, write, 'Upsert', () => ({
      where,
      create: write.rows.create(doc, target, write),
      update: write.rows.update(doc, target, write),
    }))
  return {
    ...(link && mayAll && { set: wheres }),
    ...(link && { disconnect: wheres }),
    ...(update && { update: oneOrMany(updates(), maxItems) }),
    ...(update && mayAll && { updateMany: oneOrMany(updatesAll(), maxItems) }),
    ...(create && update && { upsert: oneOrMany(upserts(), maxItems) }),
    ...(permissions.delete && { delete: wheres }),
    ...(permissions.delete && mayAll && { deleteMany: scalarWheresSchema(doc, target) }),
  }
}

/** Returns the schema of a nested write with multiple required parts. */
function nestedWriteSchema(
  doc: RpcDocumentContext,
  { model, name }: ParentRelation,
  operation: string,
  parts: () => Members,
): Reference {
  return memberSchema(doc, model, name, operation, () => {
    const members = parts()
    return closedObject(members, Object.keys(members))
  })
}

/**
 * Whether a write to all members of the relation affects no other rows. See `rejectCompoundIds` in
 * `rpc/guard/data/create-and-update-data.ts`.
 */
function namesMembers({ relation: { target, inverseRelation } }: ParentRelation): boolean {
  return idFields(target).filter((name) => !Object.hasOwn(inverseRelation?.foreignKey ?? {}, name)).length <= 1
}

function connectOrCreate(doc: RpcDocumentContext, write: Write): Reference {
  const { target } = write.relation
  return nestedWriteSchema(doc, write, 'ConnectOrCreate', () => ({
    where: whereUniqueSchema(doc, target),
    create: write.rows.create(doc, target, write),
  }))
}

/** Returns the schema of `skipDuplicates`, if the client supports it for this database. */
export function skipDuplicates(doc: RpcDocumentContext): Members {
  const { provider } = doc.dialect
  if (['sqlite', 'sqlserver', 'mongodb'].includes(provider)) return {}
  return { skipDuplicates: sharedSchema(doc, 'SkipDuplicates', () => ({ type: 'boolean' })) }
}
