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

/** A row in answers: of its fields and relations those that were selected. */
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

/** What an operation answers with. */
export function resultResponse(described: RpcDocumentContext, model: Model, operation: string): Reference {
  const { name, data } = resultOf(operation)
  const ofModel = SHARED.has(name) ? described.names.shared(name) : described.names.of(model.name, name)
  return described.components.response(ofModel, () => ({
    description: 'The result.',
    content: { 'application/json': { schema: envelope(described, data(described, model)), ...exampleOf(name, model) } },
  }))
}

/** What operations of a model give: what is its own, and what the operations of all models give. */
export function resultSchemas(
  described: RpcDocumentContext,
  model: Model,
  operations: readonly string[],
): { readonly own: readonly JsonSchema[]; readonly shared: readonly JsonSchema[] } {
  const results = operations.map(resultOf)
  // One that may be null is a row as well, and `null` is what any model may give.
  const schemas = (some: readonly Result[]) => some.map(({ data }) => data(described, model))
  const own = schemas(results.filter((one) => !SHARED.has(one.name) && one !== ROW_OR_NONE))
  const shared = schemas(results.filter(({ name }) => SHARED.has(name)))
  if (!results.includes(ROW_OR_NONE)) return { own, shared }
  return { own: [rowSchema(described, model), ...own], shared: [...shared, { type: 'null' }] }
}

function resultOf(operation: string): Result {
  const result = RESULTS[operation]
  if (!result) throw new Error(`The RPC style has no such operation: ${operation}`)
  return result
}

function exampleOf(name: string, model: Model): { readonly example?: object } {
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
  /** Operations with the same result share it. */
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
  const own = (field: Field, name: string) => responseFieldSchema(described, model, name, unsaid(field))
  const extremes = orderableFields(described, model)
  const compared = () => modelSchema(described, model, 'Extremes', () => closedObject(mapNames(extremes, own)))
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
        // Of numbers of 32 bits, the sum may need more.
        closedObject(
          mapNames(averaged, (field, name) =>
            field.type === 'Int' ? { type: ['integer', 'null'] } : own(field, name),
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

/** What results of transactions show too has a name, where there are any. */
function ofTransactions(described: RpcDocumentContext, model: Model, part: string, schema: JsonSchema): JsonSchema {
  return described.hasTransactions ? modelSchema(described, model, part, () => schema) : schema
}

/** An aggregate of no rows is null. */
function unsaid(field: Field): Field {
  return { ...field, optional: true }
}

function groups(described: RpcDocumentContext, model: Model): JsonSchema {
  const fields = mapNames(readableFields(model), (field, name) =>
    // Said where rows are described.
    responseFieldSchema(described, model, name, field),
  )
  const group = closedObject({ ...fields, ...aggregates(described, model) })
  return { type: 'array', items: ofTransactions(described, model, 'Group', group) }
}
