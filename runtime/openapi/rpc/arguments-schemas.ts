import type { Model } from '../../schema/model.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { closedObject, composedObject, oneOrMany } from '../schemas/schema-builders.js'
import {
  aggregatingSchema,
  countSchema,
  fieldNamesSchema,
  groupOrderBySchema,
  findManySchema,
  loadingMember,
  numberSchema,
  pageMembers,
  returningRowsSchema,
  returningSchema,
  windowSchema,
} from './selection-schemas.js'
import { createManySchema, createSchema, updateManySchema, updateSchema } from './data/data-schemas.js'
import { skipDuplicates } from './data/nested-writes-schema.js'
import { modelSchema, requestMetaSchema, type RpcDocumentContext, sharedSchema } from './rpc-document-context.js'
import { argumentsExample } from './rpc-examples.js'
import { havingSchema, whereSchema, whereUniqueSchema } from './where-schemas.js'

type Members = Readonly<Record<string, JsonSchema>>

/** The arguments of an operation. */
interface Arguments {
  /** The name of the schema. Operations with the same arguments share it. */
  readonly name: string
  readonly required?: readonly string[]
  readonly members: (doc: RpcDocumentContext, model: Model) => Members
  /** The schemas of arguments that several operations have. */
  readonly shared?: readonly ((doc: RpcDocumentContext, model: Model) => Reference)[]
}

const CHANGED = ['where', 'data']

const FIND_UNIQUE: Arguments = {
  name: 'FindUnique',
  required: ['where'],
  shared: [returningSchema],
  members: (described, model) => ({ where: whereUniqueSchema(described, model), ...loadingMember(described) }),
}

const DELETE: Arguments = {
  name: 'Delete',
  required: ['where'],
  shared: [returningSchema],
  members: (described, model) => ({ where: whereUniqueSchema(described, model) }),
}

const FIND_FIRST: Arguments = {
  name: 'FindFirst',
  shared: [findManySchema],
  members: (described) => ({
    take: sharedSchema(described, 'TakeOne', () => ({ enum: [1, -1], description: '-1 returns the last row.' })),
  }),
}

const COUNT: Arguments = {
  name: 'Count',
  shared: [windowSchema],
  members: (described, model) => ({ select: countSchema(described, model), meta: requestMetaSchema(described) }),
}

const AGGREGATE: Arguments = {
  name: 'Aggregate',
  shared: [windowSchema, aggregatingSchema, anyAggregateSchema],
  members: () => ({}),
}

const GROUP_BY: Arguments = {
  name: 'GroupBy',
  required: ['by'],
  shared: [aggregatingSchema, groupPageSchema],
  members: (described, model) => ({
    by: fieldNamesSchema(described, model),
    where: whereSchema(described, model),
    having: havingSchema(described, model),
    orderBy: groupOrderBySchema(described, model),
  }),
}

const CREATE: Arguments = {
  name: 'Create',
  required: ['data'],
  shared: [returningSchema],
  members: (described, model) => ({ data: createSchema(described, model) }),
}

const CREATE_MANY: Arguments = { name: 'CreateMany', required: ['data'], members: newRows }

const CREATE_MANY_AND_RETURN: Arguments = {
  name: 'CreateManyAndReturn',
  required: ['data'],
  shared: [returningRowsSchema],
  members: newRows,
}

const UPDATE: Arguments = {
  name: 'Update',
  required: CHANGED,
  shared: [returningSchema],
  members: (described, model) => ({
    where: whereUniqueSchema(described, model),
    data: updateSchema(described, model),
  }),
}

const UPDATE_MANY: Arguments = { name: 'UpdateMany', required: CHANGED, members: changes }

const UPDATE_MANY_AND_RETURN: Arguments = {
  name: 'UpdateManyAndReturn',
  required: CHANGED,
  shared: [returningRowsSchema],
  members: (described, model) => ({
    ...changes(described, model),
    // Prisma fails to load relations if the rows do not change.
    data: { ...updateManySchema(described, model), type: 'object', minProperties: 1 },
  }),
}

const UPSERT: Arguments = {
  name: 'Upsert',
  required: ['where', 'create', 'update'],
  shared: [returningSchema],
  members: (described, model) => ({
    where: whereUniqueSchema(described, model),
    create: createSchema(described, model),
    update: updateSchema(described, model),
  }),
}

const DELETE_MANY: Arguments = {
  name: 'DeleteMany',
  required: ['where'],
  members: (described, model) => ({ where: whereSchema(described, model), limit: numberSchema(described) }),
}

const EXISTS: Arguments = {
  name: 'Exists',
  members: (described, model) => ({ where: whereSchema(described, model) }),
}

const CHECK: Arguments = {
  name: 'Check',
  required: ['operation'],
  members: (described, model) => ({
    operation: sharedSchema(described, 'CheckedOperation', () => ({
      type: 'string',
      enum: ['read', 'create', 'update', 'delete'],
    })),
    where: whereSchema(described, model),
  }),
}

const ARGUMENTS: ReadonlyMap<string, Arguments> = new Map([
  ['findFirst', FIND_FIRST],
  ['findFirstOrThrow', FIND_FIRST],
  ['findUnique', FIND_UNIQUE],
  ['findUniqueOrThrow', FIND_UNIQUE],
  ['count', COUNT],
  ['aggregate', AGGREGATE],
  ['groupBy', GROUP_BY],
  ['exists', EXISTS],
  ['create', CREATE],
  ['createMany', CREATE_MANY],
  ['createManyAndReturn', CREATE_MANY_AND_RETURN],
  ['update', UPDATE],
  ['updateMany', UPDATE_MANY],
  ['updateManyAndReturn', UPDATE_MANY_AND_RETURN],
  ['upsert', UPSERT],
  ['delete', DELETE],
  ['deleteMany', DELETE_MANY],
  ['check', CHECK],
])

/** Returns the schema of an operation's arguments in a body, including `meta` for serialization. */
export function bodySchema(doc: RpcDocumentContext, model: Model, operation: string): Reference {
  if (operation === 'findMany') return findManySchema(doc, model)
  const { name, required, members, shared } = argumentsOf(operation)
  return modelSchema(doc, model, `${name}Args`, () => {
    const all = members(doc, model)
    const example = argumentsExample(doc, model, operation)
    return {
      ...(shared
        ? composedObject(
            shared.map((create) => create(doc, model)),
            all,
            required,
          )
        : closedObject({ ...all, meta: requestMetaSchema(doc) }, required)),
      ...(example && { examples: [example] }),
    }
  })
}

/** Returns the schema of an operation's arguments in the parameter `q`. `meta` is a separate parameter. */
export function querySchema(doc: RpcDocumentContext, model: Model, operation: string): JsonSchema {
  return { ...bodySchema(doc, model, operation), not: { required: ['meta'] } }
}

/** Whether an operation requires arguments. */
export function needsArguments(operation: string): boolean {
  return operation !== 'findMany' && ((argumentsOf(operation).required?.length ?? 0) > 0 || operation === 'aggregate')
}

function argumentsOf(operation: string): Arguments {
  const found = ARGUMENTS.get(operation)
  if (!found) throw new Error(`Unknown RPC operation: ${operation}`)
  return found
}

/** Returns the constraint that arguments contain an aggregate. Without a type, so that it does not affect the types in generated clients. */
function anyAggregateSchema(doc: RpcDocumentContext): Reference {
  return sharedSchema(doc, 'AnyAggregate', () => ({
    not: { type: 'object', propertyNames: { enum: ['where', 'orderBy', 'cursor', 'take', 'skip', 'meta'] } },
  }))
}

/** Returns the schema of the arguments that page groups. */
function groupPageSchema(doc: RpcDocumentContext): Reference {
  return sharedSchema(doc, 'GroupPage', () => ({
    type: 'object',
    properties: pageMembers(doc),
    dependentRequired: { take: ['orderBy'], skip: ['orderBy'] },
  }))
}

function newRows(doc: RpcDocumentContext, model: Model): Members {
  return { data: oneOrMany(createManySchema(doc, model)), ...skipDuplicates(doc) }
}

function changes(doc: RpcDocumentContext, model: Model): Members {
  return {
    where: whereSchema(doc, model),
    data: updateManySchema(doc, model),
    limit: numberSchema(doc),
  }
}
