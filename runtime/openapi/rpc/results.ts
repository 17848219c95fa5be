import type { Field } from '../../schema/resource.js'
import type { Model } from '../../schema/schema.js'
import type { JsonSchema, Reference } from '../document.js'
import { describeField, nullable, readSchema } from '../schemas/field-schema.js'
import { anyOf, closedObject } from '../schemas/shapes.js'
import { numericFields, orderableFields } from './aggregatable-fields.js'
import {
  sameForAll,
  arity,
  countableRelations,
  mapNames,
  modelSchema,
  readableFields,
  readableRelations,
  type RpcDocumentContext,
  sharedSchema,
  responseFieldSchema,
} from './context.js'
import { rowExample } from './examples.js'

const COUNT: JsonSchema = { type: 'integer' }

/** Returns the schema of a row in responses, with the selected fields and relations. */
export function rowSchema(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, '', () => {
    const counted = countableRelations(model)
    const { description } = model
    return {
      ...(description !== undefined && { description }),
      ...closedObject({
        ...mapNames(readableFields(model), (field, name) =>
          describeField(responseFieldSchema(described, model, name, field), field, model.descriptions[name]),
        ),
        ...sameForAll([...model.computed], { description: 'Computed when it is read.' }),
        ...mapNames(readableRelations(model), (relation) => arity(relation, rowSchema(described, relation.target))),
        ...(counted.length > 0 && {
          _count: closedObject(
            sameForAll(
              counted.map(([name]) => name),
              COUNT,
            ),
          ),
        }),
      }),
    }
  })
}

/** Returns the response of an operation. */
export function resultResponse(described: RpcDocumentContext, model: Model, operation: string): Reference {
  const { name, data } = getResult(operation)
  const ofModel = SHARED.has(name) ? described.names.shared(name) : described.names.get(model.name, name)
  return described.components.response(ofModel, () => ({
    description: 'The result.',
    content: {
      'application/json': { schema: envelope(described, data(described, model)), ...resultExample(name, model) },
    },
  }))
}

/** Returns the result schemas of a model's operations: those specific to the model, and those that all models share. */
export function resultSchemas(
  described: RpcDocumentContext,
  model: Model,
  operations: readonly string[],
): { readonly specific: readonly JsonSchema[]; readonly shared: readonly JsonSchema[] } {
  const results = operations.map(getResult)
  // For the union, a result that may be null is split into the row, which is specific, and null, which is shared.
  const schemas = (selected: readonly Result[]) => selected.map(({ data }) => data(described, model))
  const specific = schemas(results.filter((result) => !SHARED.has(result.name) && result !== ROW_OR_NONE))
  const shared = schemas(results.filter(({ name }) => SHARED.has(name)))
  if (!results.includes(ROW_OR_NONE)) return { specific, shared }
  return { specific: [rowSchema(described, model), ...specific], shared: [...shared, { type: 'null' }] }
}

function getResult(operation: string): Result {
  const result = RESULTS[operation]
  if (!result) throw new Error(`The RPC style has no such operation: ${operation}`)
  return result
}

function resultExample(name: string, model: Model): { readonly example?: object } {
  switch (name) {
    case 'Result':
      return { example: rowExample(model) }
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
  readonly data: (described: RpcDocumentContext, model: Model) => JsonSchema
}

const ROW: Result = { name: 'Result', data: rowSchema }
const ROW_OR_NONE: Result = { name: 'ResultOrNull', data: (...of) => nullable(rowSchema(...of)) }
const ROWS: Result = { name: 'ListResult', data: (...of) => ({ type: 'array', items: rowSchema(...of) }) }
const BATCH: Result = { name: 'BatchResult', data: () => closedObject({ count: COUNT }, ['count']) }

/** Results that are the same for all models. */
const SHARED: ReadonlySet<string> = new Set(['BatchResult', 'ExistsResult', 'CheckResult'])

const RESULTS: Readonly<Record<string, Result>> = {
  findMany: ROWS,
  findFirst: ROW_OR_NONE,
  findFirstOrThrow: ROW,
  findUnique: ROW_OR_NONE,
  findUniqueOrThrow: ROW,
  count: { name: 'CountResult', data: counts },
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

export function envelope(described: RpcDocumentContext, data: JsonSchema): JsonSchema {
  const meta = sharedSchema(described, 'ResultMeta', () =>
    closedObject(
      {
        serialization: {
          ...closedObject(
            { values: { type: 'object', additionalProperties: { type: 'array', items: {} } }, v: { const: 1 } },
            ['values'],
          ),
          description: "What values of `data` were before they became JSON: superjson's annotations, by their paths.",
        },
      },
      ['serialization'],
    ),
  )
  return closedObject({ data, meta }, ['data'])
}

function counts(described: RpcDocumentContext, model: Model): Reference {
  return modelSchema(described, model, 'Counts', () =>
    anyOf(COUNT, closedObject(sameForAll(['_all', ...readableFields(model).map(([name]) => name)], COUNT))),
  )
}

function aggregates(described: RpcDocumentContext, model: Model): Readonly<Record<string, JsonSchema>> {
  const averaged = numericFields(model)
  const fieldSchema = (field: Field, name: string) => responseFieldSchema(described, model, name, asOptional(field))
  const extremes = orderableFields(described, model)
  const compared = () => modelSchema(described, model, 'Extremes', () => closedObject(mapNames(extremes, fieldSchema)))
  return {
    _count: counts(described, model),
    ...(averaged.length > 0 && {
      _avg: modelSchema(described, model, 'Averages', () =>
        closedObject(
          mapNames(averaged, ({ type }) =>
            readSchema({ type: type === 'Decimal' ? 'Decimal' : 'Float', optional: true }),
          ),
        ),
      ),
      _sum: modelSchema(described, model, 'Sums', () =>
        // The sum of 32-bit integers may exceed 32 bits.
        closedObject(
          mapNames(averaged, (field, name) =>
            field.type === 'Int' ? { type: ['integer', 'null'] } : fieldSchema(field, name),
          ),
        ),
      ),
    }),
    ...(extremes.length > 0 && { _min: compared(), _max: compared() }),
  }
}

function aggregate(described: RpcDocumentContext, model: Model): JsonSchema {
  return ofTransactions(described, model, 'Aggregates', closedObject(aggregates(described, model)))
}

/** Names a schema if transactions are enabled, because their results use it too. */
function ofTransactions(described: RpcDocumentContext, model: Model, part: string, schema: JsonSchema): JsonSchema {
  return described.hasTransactions ? modelSchema(described, model, part, () => schema) : schema
}

/** An aggregate of no rows is null. */
function asOptional(field: Field): Field {
  return { ...field, optional: true }
}

function groups(described: RpcDocumentContext, model: Model): JsonSchema {
  const fields = mapNames(readableFields(model), (field, name) =>
    // Without descriptions, because those of the row apply.
    responseFieldSchema(described, model, name, field),
  )
  const group = closedObject({ ...fields, ...aggregates(described, model) })
  return { type: 'array', items: ofTransactions(described, model, 'Group', group) }
}
