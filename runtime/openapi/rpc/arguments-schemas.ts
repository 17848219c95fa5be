import { supportsLoadStrategy } from '../../prisma/dialect.js'
import type { Model } from '../../schema/model.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { anyOf, closedObject, listOf, oneOrMany } from '../schemas/schema-builders.js'
import {
  aggregateMembers,
  countSchema,
  groupOrderBySchema,
  fieldNameSchema,
  returnedSelectionMembers,
  rowsMembers,
  SELECT_ALONE,
  numberSchema,
  selectionMembers,
  windowMembers,
} from './selection-schemas.js'
import { createManySchema, createSchema, updateManySchema, updateSchema } from './data/data-schemas.js'
import { skipDuplicates } from './data/nested-writes-schema.js'
import { modelSchema, type RpcDocumentContext, sharedSchema } from './rpc-document-context.js'
import { argumentsExample } from './rpc-examples.js'
import { havingSchema, whereSchema, whereUniqueSchema } from './where-schemas.js'

type Members = Readonly<Record<string, JsonSchema>>

/** The arguments of an operation. */
interface Arguments {
  /** The name of the schema. Operations with the same arguments share it. */
  readonly name: string
  readonly required?: readonly string[]
  readonly members: (doc: RpcDocumentContext, model: Model) => Members
  /** Additional constraints. */
  readonly others?: (members: Members) => JsonSchema
}

const CHANGED = ['where', 'data']

const selectAlone = () => SELECT_ALONE

const FIND_MANY: Arguments = {
  name: 'FindMany',
  members: (described, model) => ({ ...rowsMembers(described, model), ...loadingMember(described) }),
  others: selectAlone,
}

const FIND_FIRST: Arguments = {
  name: 'FindFirst',
  members: (described, model) => ({
    ...rowsMembers(described, model),
    take: sharedSchema(described, 'TakeOne', () => ({ enum: [1, -1], description: '-1 returns the last row.' })),
    ...loadingMember(described),
  }),
  others: selectAlone,
}

const FIND_UNIQUE: Arguments = {
  name: 'FindUnique',
  required: ['where'],
  members: (described, model) => ({ ...uniqueMembers(described, model), ...loadingMember(described) }),
  others: selectAlone,
}

const DELETE: Arguments = { name: 'Delete', required: ['where'], members: uniqueMembers, others: selectAlone }

const COUNT: Arguments = {
  name: 'Count',
  members: (described, model) => ({ ...windowMembers(described, model), select: countSchema(described, model) }),
}

const AGGREGATE: Arguments = {
  name: 'Aggregate',
  members: (described, model) => ({ ...windowMembers(described, model), ...aggregateMembers(described, model) }),
  others: (members) => ({
    anyOf: Object.keys(members)
      .filter((name) => name.startsWith('_'))
      .map((name) => ({ required: [name] })),
  }),
}

const GROUP_BY: Arguments = {
  name: 'GroupBy',
  required: ['by'],
  members: (described, model) => {
    const { where = {}, take = {}, skip = {} } = windowMembers(described, model)
    const field = fieldNameSchema(described, model)
    return {
      by: anyOf(field, { ...listOf(field, described.limits.listLength), minItems: 1, uniqueItems: true }),
      where,
      having: havingSchema(described, model),
      orderBy: groupOrderBySchema(described, model),
      take,
      skip,
      ...aggregateMembers(described, model),
    }
  },
  others: () => ({ dependentRequired: { take: ['orderBy'], skip: ['orderBy'] } }),
}

const CREATE: Arguments = {
  name: 'Create',
  required: ['data'],
  members: (described, model) => ({ data: createSchema(described, model), ...selectionMembers(described, model) }),
  others: selectAlone,
}

const CREATE_MANY: Arguments = { name: 'CreateMany', required: ['data'], members: newRows }

const CREATE_MANY_AND_RETURN: Arguments = {
  name: 'CreateManyAndReturn',
  required: ['data'],
  members: (described, model) => ({ ...newRows(described, model), ...returnedSelectionMembers(described, model) }),
  others: selectAlone,
}

const UPDATE: Arguments = {
  name: 'Update',
  required: CHANGED,
  members: (described, model) => ({
    where: whereUniqueSchema(described, model),
    data: updateSchema(described, model),
    ...selectionMembers(described, model),
  }),
  others: selectAlone,
}

const UPDATE_MANY: Arguments = { name: 'UpdateMany', required: CHANGED, members: changes }

const UPDATE_MANY_AND_RETURN: Arguments = {
  name: 'UpdateManyAndReturn',
  required: CHANGED,
  members: (described, model) => ({
    ...changes(described, model),
    // Prisma fails to load relations if the rows do not change.
    data: { ...updateManySchema(described, model), type: 'object', minProperties: 1 },
    ...returnedSelectionMembers(described, model),
  }),
  others: selectAlone,
}

const UPSERT: Arguments = {
  name: 'Upsert',
  required: ['where', 'create', 'update'],
  members: (described, model) => ({
    where: whereUniqueSchema(described, model),
    create: createSchema(described, model),
    update: updateSchema(described, model),
    ...selectionMembers(described, model),
  }),
  others: selectAlone,
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
    operation: { type: 'string', enum: ['read', 'create', 'update', 'delete'] },
    where: whereSchema(described, model),
  }),
}

const ARGUMENTS: ReadonlyMap<string, Arguments> = new Map([
  ['findMany', FIND_MANY],
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
  const { name, required, members, others } = argumentsOf(operation)
  return modelSchema(doc, model, `${name}Args`, () => {
    const all = members(doc, model)
    const example = argumentsExample(doc, model, operation)
    return {
      ...closedObject({ ...all, meta: requestMetaSchema(doc) }, required),
      ...others?.(all),
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
  return (argumentsOf(operation).required?.length ?? 0) > 0 || operation === 'aggregate'
}

function argumentsOf(operation: string): Arguments {
  const found = ARGUMENTS.get(operation)
  if (!found) throw new Error(`Unknown RPC operation: ${operation}`)
  return found
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

function uniqueMembers(doc: RpcDocumentContext, model: Model): Members {
  return { where: whereUniqueSchema(doc, model), ...selectionMembers(doc, model) }
}

/** Returns `relationLoadStrategy`, if the client supports it. */
function loadingMember({ dialect }: RpcDocumentContext): Members {
  return supportsLoadStrategy(dialect) ? { relationLoadStrategy: { type: 'string', enum: ['query', 'join'] } } : {}
}

/** Returns the schema of the arguments' `meta`. */
export function requestMetaSchema(doc: RpcDocumentContext): Reference {
  return sharedSchema(doc, 'RequestMeta', () =>
    closedObject({
      serialization: {
        ...closedObject({
          values: { type: 'object', additionalProperties: { type: 'array', items: {} } },
          referentialEqualities: { type: 'object' },
          v: { enum: [0, 1] },
        }),
        description:
          "superjson's annotations of dates, bigints, decimals and bytes, by path in the arguments. " +
          'Not needed for values that match the schemas.',
      },
    }),
  )
}
