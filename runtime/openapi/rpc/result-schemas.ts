import type { Field } from '../../schema/resource.js'
import type { Model } from '../../schema/model.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { describeMember, describeModel } from '../openapi-options.js'
import { describeField, readSchema, withDescription } from '../schemas/field-schema.js'
import {
  nullable,
  closedObject,
  composedObject,
  mapToSchema,
  mapNames,
  restricted,
} from '../schemas/schema-builders.js'
import {
  numericFields,
  orderableFields,
  countableRelations,
  readableFields,
  readableRelations,
} from './readable-members.js'
import {
  modelSchema,
  type RpcDocumentContext,
  sharedSchema,
  arity,
  responseFieldSchema,
} from './rpc-document-context.js'
import { rowExample } from './rpc-examples.js'
import { countsSchema } from './selection-schemas.js'

const COUNT: JsonSchema = { type: 'integer' }

/** Returns the schema of a row in responses, with the selected fields and relations. */
export function rowSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, '', () => {
    const countable = countableRelations(model)
    const example = rowExample(model)
    return {
      ...withDescription({}, describeModel(doc, model.name)),
      ...composedObject([fieldsSchema(doc, model)], {
        ...mapToSchema([...model.computed], { description: 'Computed on every read.' }),
        ...mapNames(readableRelations(model), (relation) => arity(relation, rowSchema(doc, relation.target))),
        ...(countable.length > 0 && {
          _count: closedObject(
            mapToSchema(
              countable.map(([name]) => name),
              COUNT,
            ),
          ),
        }),
      }),
      examples: [example],
    }
  })
}

/** Returns the schema of the readable fields of a model, which rows and groups contain. */
function fieldsSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Fields', () => ({
    type: 'object',
    properties: mapNames(readableFields(model), (field, name) =>
      describeField(responseFieldSchema(doc, model, name, field), field, describeMember(doc, model.name, name)),
    ),
  }))
}

/** Returns the response of an operation. */
export function resultResponse(doc: RpcDocumentContext, model: Model, operation: string): Reference {
  const { name, data } = getResult(operation)
  const ofModel = SHARED.has(name) ? doc.names.shared(name) : doc.names.get(model.name, name)
  return doc.components.response(ofModel, () => ({
    description: 'The result.',
    content: {
      'application/json': { schema: envelope(doc, data(doc, model)), ...resultExample(name) },
    },
  }))
}

/** Returns the schemas of the results of a model's operations. Some are specific to the model, and others are shared by all models. */
export function resultSchemas(
  doc: RpcDocumentContext,
  model: Model,
  operations: readonly string[],
): { readonly specific: readonly JsonSchema[]; readonly shared: readonly JsonSchema[] } {
  const results = operations.map(getResult)
  // For the union, a nullable result is split into the row, which is specific to the model, and null, which is shared.
  const schemas = (selected: readonly Result[]) => selected.map(({ data }) => data(doc, model))
  const specific = schemas(results.filter((result) => !SHARED.has(result.name) && result !== ROW_OR_NONE))
  const shared = schemas(results.filter(({ name }) => SHARED.has(name)))
  if (!results.includes(ROW_OR_NONE)) return { specific, shared }
  return { specific: [rowSchema(doc, model), ...specific], shared: [...shared, { type: 'null' }] }
}

function getResult(operation: string): Result {
  const result = RESULTS[operation]
  if (!result) throw new Error(`Unknown RPC operation: ${operation}`)
  return result
}

function resultExample(name: string): { readonly example?: object } {
  switch (name) {
    case 'CountResult':
      return { example: { data: 1 } }
    case 'BatchResult':
      return { example: { data: { count: 1 } } }
    case 'CheckResult':
      return { example: { data: true } }
    default:
      return {}
  }
}

interface Result {
  /** The name of the response. Operations with the same result share it. */
  readonly name: string
  readonly data: (doc: RpcDocumentContext, model: Model) => JsonSchema
}

const ROW: Result = { name: 'Result', data: rowSchema }
const ROW_OR_NONE: Result = { name: 'ResultOrNull', data: (...args) => nullable(rowSchema(...args)) }
const ROWS: Result = { name: 'ListResult', data: (...args) => ({ type: 'array', items: rowSchema(...args) }) }
const BATCH: Result = { name: 'BatchResult', data: () => closedObject({ count: COUNT }, ['count']) }

/** Results that are the same for all models. */
const SHARED: ReadonlySet<string> = new Set(['BatchResult', 'ExistsResult', 'CheckResult'])

const RESULTS: Readonly<Record<string, Result>> = {
  findMany: ROWS,
  findFirst: ROW_OR_NONE,
  findFirstOrThrow: ROW,
  findUnique: ROW_OR_NONE,
  findUniqueOrThrow: ROW,
  count: { name: 'CountResult', data: (doc, model) => countsSchema(doc, model, COUNT) },
  aggregate: { name: 'AggregateResult', data: aggregate },
  groupBy: { name: 'GroupsResult', data: groups },
  exists: { name: 'ExistsResult', data: () => ({ type: 'boolean' }) },
  create: ROW,
  createMany: BATCH,
  createManyAndReturn: ROWS,
  update: ROW,
  updateMany: BATCH,
  updateManyAndReturn: ROWS,
  upsert: ROW,
  delete: ROW,
  deleteMany: BATCH,
  check: { name: 'CheckResult', data: () => ({ type: 'boolean' }) },
}

/** Returns the schema of a response body with this `data`. */
export function envelope(doc: RpcDocumentContext, data: JsonSchema): JsonSchema {
  const shared = sharedSchema(doc, 'Result', () => closedObject({ data: {}, meta: resultMetaSchema() }, ['data']))
  return restricted(shared, { properties: { data }, required: ['data'] })
}

function resultMetaSchema(): JsonSchema {
  return closedObject(
    {
      serialization: {
        ...closedObject(
          { values: { type: 'object', additionalProperties: { type: 'array', items: {} } }, v: { const: 1 } },
          ['values'],
        ),
        description: 'Original types of values in `data`, as superjson annotations by path.',
      },
    },
    ['serialization'],
  )
}

function aggregates(doc: RpcDocumentContext, model: Model): Readonly<Record<string, JsonSchema>> {
  const averaged = numericFields(model)
  const fieldSchema = (field: Field, name: string) => responseFieldSchema(doc, model, name, asOptional(field))
  const comparable = orderableFields(doc, model)
  const extremes = () => modelSchema(doc, model, 'Extremes', () => closedObject(mapNames(comparable, fieldSchema)))
  const averages = () =>
    modelSchema(doc, model, 'Averages', () =>
      closedObject(
        mapNames(averaged, ({ type }) => readSchema({ type: type === 'Decimal' ? type : 'Float', optional: true })),
      ),
    )
  // The sum of 32-bit integers may exceed 32 bits.
  const integer: JsonSchema = { type: ['integer', 'null'] }
  const sums = () =>
    modelSchema(doc, model, 'Sums', () =>
      averaged.every(([, { type }]) => type === 'Int')
        ? restricted(averages(), { additionalProperties: integer })
        : closedObject(
            mapNames(averaged, (field, name) => (field.type === 'Int' ? integer : fieldSchema(field, name))),
          ),
    )
  return {
    _count: countsSchema(doc, model, COUNT),
    ...(averaged.length > 0 && { _avg: averages(), _sum: sums() }),
    ...(comparable.length > 0 && { _min: extremes(), _max: extremes() }),
  }
}

/** Returns the schema of the aggregates of all rows or of a group. */
function aggregatesSchema(doc: RpcDocumentContext, model: Model): Reference {
  return modelSchema(doc, model, 'Aggregates', () => ({ type: 'object', properties: aggregates(doc, model) }))
}

function aggregate(doc: RpcDocumentContext, model: Model): JsonSchema {
  return ofTransactions(doc, model, 'AggregateResult', composedObject([aggregatesSchema(doc, model)], {}))
}

/** Turns a schema into a component if transactions are enabled, because their results use it too. */
function ofTransactions(doc: RpcDocumentContext, model: Model, part: string, schema: JsonSchema): JsonSchema {
  return doc.hasTransactions ? modelSchema(doc, model, part, () => schema) : schema
}

/** An aggregate over zero rows is null. */
function asOptional(field: Field): Field {
  return { ...field, optional: true }
}

function groups(doc: RpcDocumentContext, model: Model): JsonSchema {
  const group = composedObject([fieldsSchema(doc, model), aggregatesSchema(doc, model)], {})
  return { type: 'array', items: ofTransactions(doc, model, 'Group', group) }
}
