import type { Field } from '../../schema/resource.js'
import type { Model } from '../../schema/schema.js'
import type { JsonSchema, Reference } from '../document.js'
import { explained, nullable, readSchema } from '../schemas/field-schema.js'
import { anyOf, closed } from '../schemas/shapes.js'
import { averagedFields, comparedFields } from './compared.js'
import {
  all,
  arity,
  countableRelations,
  each,
  partOf,
  readableFields,
  readableRelations,
  type RpcDescription,
  shared,
  shownField,
} from './describe.js'
import { rowExample } from './examples.js'

const COUNT: JsonSchema = { type: 'integer' }

/** A row in answers: of its fields and relations those that were selected. */
export function rowSchema(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, '', () => {
    const counted = countableRelations(model)
    const { description } = model
    return {
      ...(description !== undefined && { description }),
      ...closed({
        ...each(readableFields(model), (field, name) =>
          explained(shownField(described, model, name, field), model.descriptions[name]),
        ),
        ...all([...model.computed], { description: 'Computed when it is read.' }),
        ...each(readableRelations(model), (relation) => arity(relation, rowSchema(described, relation.target))),
        ...(counted.length > 0 && {
          _count: closed(
            all(
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
export function resultResponse(described: RpcDescription, model: Model, operation: string): Reference {
  const { name, data } = resultOf(operation)
  const ofModel = SHARED.has(name) ? described.names.shared(name) : described.names.of(model.name, name)
  return described.components.response(ofModel, () => ({
    description: 'The result.',
    content: { 'application/json': { schema: envelope(described, data(described, model)), ...exampleOf(name, model) } },
  }))
}

/** What operations of a model give: what is its own, and what the operations of all models give. */
export function resultSchemas(
  described: RpcDescription,
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
  readonly data: (described: RpcDescription, model: Model) => JsonSchema
}

const ROW: Result = { name: 'Result', data: rowSchema }
const ROW_OR_NONE: Result = { name: 'ResultOrNull', data: (...of) => nullable(rowSchema(...of)) }
const ROWS: Result = { name: 'ListResult', data: (...of) => ({ type: 'array', items: rowSchema(...of) }) }
const BATCH: Result = { name: 'BatchResult', data: () => closed({ count: COUNT }, ['count']) }

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

export function envelope(described: RpcDescription, data: JsonSchema): JsonSchema {
  const meta = shared(described, 'ResultMeta', () =>
    closed(
      {
        serialization: {
          ...closed(
            { values: { type: 'object', additionalProperties: { type: 'array', items: {} } }, v: { const: 1 } },
            ['values'],
          ),
          description: "What values of `data` were before they became JSON: superjson's annotations, by their paths.",
        },
      },
      ['serialization'],
    ),
  )
  return closed({ data, meta }, ['data'])
}

function counts(described: RpcDescription, model: Model): Reference {
  return partOf(described, model, 'Counts', () =>
    anyOf(COUNT, closed(all(['_all', ...readableFields(model).map(([name]) => name)], COUNT))),
  )
}

function aggregates(described: RpcDescription, model: Model): Readonly<Record<string, JsonSchema>> {
  const averaged = averagedFields(model)
  const own = (field: Field, name: string) => shownField(described, model, name, unsaid(field))
  const extremes = comparedFields(described, model)
  const compared = () => partOf(described, model, 'Extremes', () => closed(each(extremes, own)))
  return {
    _count: counts(described, model),
    ...(averaged.length > 0 && {
      _avg: partOf(described, model, 'Averages', () =>
        closed(
          each(averaged, ({ type }) => readSchema({ type: type === 'Decimal' ? 'Decimal' : 'Float', optional: true })),
        ),
      ),
      _sum: partOf(described, model, 'Sums', () =>
        // Of numbers of 32 bits, the sum may need more.
        closed(
          each(averaged, (field, name) => (field.type === 'Int' ? { type: ['integer', 'null'] } : own(field, name))),
        ),
      ),
    }),
    ...(extremes.length > 0 && { _min: compared(), _max: compared() }),
  }
}

function aggregate(described: RpcDescription, model: Model): JsonSchema {
  return ofTransactions(described, model, 'Aggregates', closed(aggregates(described, model)))
}

/** What results of transactions show too has a name, where there are any. */
function ofTransactions(described: RpcDescription, model: Model, part: string, schema: JsonSchema): JsonSchema {
  return described.hasTransactions ? partOf(described, model, part, () => schema) : schema
}

/** An aggregate of no rows is null. */
function unsaid(field: Field): Field {
  return { ...field, optional: true }
}

function groups(described: RpcDescription, model: Model): JsonSchema {
  const fields = each(readableFields(model), (field, name) =>
    // Said where rows are described.
    shownField(described, model, name, field),
  )
  const group = closed({ ...fields, ...aggregates(described, model) })
  return { type: 'array', items: ofTransactions(described, model, 'Group', group) }
}
