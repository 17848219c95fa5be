import type { Route } from '../../http/route.js'
import { RPC_OPERATIONS } from '../../rpc/operations.js'
import { TRANSACTION_PATH } from '../../rpc/transaction-path.js'
import type { Model } from '../../schema/schema.js'
import type { ErrorResponsesFor } from './error-responses.js'
import type { Version } from '../../schema/version.js'
import type { JsonSchema, PathItem, Reference } from '../document.js'
import { keyParameters } from '../idempotency-key.js'
import { anyOf, closedObject, oneOf } from '../schemas/shapes.js'
import { bodySchema, needsArguments } from './arguments.js'
import { modelSchema, type RpcDocumentContext, sharedSchema } from './context.js'
import { envelope, resultSchemas } from './results.js'

const DESCRIPTION =
  'Does operations in order and in one transaction: all of them, or none. What one may not do alone, it may not do here. An error has the ' +
  'index of the operation as the first step of its `path`.'

/** Returns the version with the strictest requirements of all models. */
function strictest(models: Iterable<Model>): Version | undefined {
  const versions = [...models].flatMap(({ version }) => version ?? [])
  return versions.find(({ isRequired }) => isRequired) ?? versions[0]
}

/** The operations of each model that transactions may contain. */
type AllowedOperations = ReadonlyMap<Model, readonly string[]>

/** Returns the path of transactions. */
export function transactionPath(
  described: RpcDocumentContext,
  routes: ReadonlyMap<Model, readonly Route[]>,
  failures: ErrorResponsesFor,
): readonly [path: string, item: PathItem] {
  const offered = allowedOperations(routes)
  const maxOperations = described.limits.operations
  const list: JsonSchema = {
    type: 'array',
    items: operationSchema(described, offered),
    ...(maxOperations < Infinity && { maxItems: maxOperations }),
  }
  const data: JsonSchema = {
    type: 'array',
    items: resultSchema(described, offered),
    description: 'What each operation gives, in their order.',
  }
  const result = described.components.response(described.names.shared('Results'), () => ({
    description: 'The results.',
    content: { 'application/json': { schema: envelope(described, data) } },
  }))
  const keys = keyParameters(described, 'post')
  return [
    TRANSACTION_PATH,
    {
      post: {
        operationId: 'transaction',
        summary: 'Several operations in one transaction',
        description: DESCRIPTION,
        tags: ['Transactions'],
        ...(keys.length > 0 && { parameters: keys }),
        requestBody: { required: true, content: { 'application/json': { schema: list } } },
        responses: { 200: result, ...failures('$transaction', 'post', strictest(routes.keys())) },
      },
    },
  ]
}

function allowedOperations(routes: ReadonlyMap<Model, readonly Route[]>): AllowedOperations {
  const models = [...routes.keys()].sort((left, right) => (left.name < right.name ? -1 : 1))
  return new Map(
    models.flatMap((model): (readonly [Model, readonly string[]])[] => {
      const names = new Set(routes.get(model)?.map(({ path }) => path.slice(1)))
      const operations = [...RPC_OPERATIONS.keys()].filter((name) => names.has(name))
      return operations.length > 0 ? [[model, operations]] : []
    }),
  )
}

/**
 * Returns the schema of an operation. Each model has its own schema, distinguished by `model`, with one alternative per set of operations
 * with the same arguments.
 */
function operationSchema(described: RpcDocumentContext, offered: AllowedOperations): Reference {
  return sharedSchema(described, 'Operation', () =>
    oneOf([...offered].map(([model, names]) => modelOperationSchema(described, model, names))),
  )
}

function modelOperationSchema(described: RpcDocumentContext, model: Model, names: readonly string[]): Reference {
  return modelSchema(described, model, 'Operation', () => {
    const alike = new Map<string, string[]>()
    for (const name of names) {
      const { $ref } = bodySchema(described, model, name)
      alike.set($ref, [...(alike.get($ref) ?? []), name])
    }
    return oneOf(
      [...alike].map(([$ref, [first = '', ...others]]) =>
        closedObject(
          {
            model: { const: model.name },
            op: others.length > 0 ? { enum: [first, ...others] } : { const: first },
            args: { $ref },
          },
          ['model', 'op', ...(needsArguments(first) ? ['args'] : [])],
        ),
      ),
    )
  })
}

/** Returns the schema of an operation's result. */
function resultSchema(described: RpcDocumentContext, offered: AllowedOperations): Reference {
  return sharedSchema(described, 'OperationResult', () => {
    const results = [...offered].map(([model, names]) => ({ model, ...resultSchemas(described, model, names) }))
    const specific = results.flatMap((result) =>
      result.specific.length === 0
        ? []
        : [modelSchema(described, result.model, 'OperationResult', () => anyOf(...uniqueSchemas(result.specific)))],
    )
    return anyOf(...specific, ...uniqueSchemas(results.flatMap((result) => result.shared)))
  })
}

function uniqueSchemas(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
}
