import type { Route } from '../../http/routing/route.js'
import { TRANSACTION_PATH } from '../../rpc/rpc-features.js'
import type { Model } from '../../schema/model.js'
import type { ErrorResponsesFor } from './error-responses.js'
import type { Version } from '../../schema/version-field.js'
import type { RouteCalls } from '../component-collector.js'
import type { JsonSchema, PathItem, Reference } from '../document-types.js'
import { keyParameters } from '../operation-errors.js'
import { alternatives, anyOf, closedObject, oneOf } from '../schemas/schema-builders.js'
import { bodySchema, needsArguments } from './arguments-schemas.js'
import { modelSchema, type RpcDocumentContext, sharedSchema } from './rpc-document-context.js'
import { DESCRIPTIONS } from './model-paths.js'
import { envelope, resultSchemas } from './result-schemas.js'

const DESCRIPTION =
  'Runs operations in order in one transaction. Either all of them succeed, or none do. Each operation is subject to the same checks as a single request. The first ' +
  'element of the `path` of an error is the index of its operation.'

/** Returns the version with the strictest requirements among all models. */
function findStrictestVersion(models: Iterable<Model>): Version | undefined {
  const versions = [...models].flatMap(({ version }) => version ?? [])
  return versions.find(({ isRequired }) => isRequired) ?? versions[0]
}

/** The operations of each model that transactions may contain. */
type AllowedOperations = ReadonlyMap<Model, readonly string[]>

/**
 * Returns the path of transactions.
 * @param calls the operations that call declared custom routes
 */
export function transactionPath(
  doc: RpcDocumentContext,
  routes: ReadonlyMap<Model, readonly Route[]>,
  failures: ErrorResponsesFor,
  calls: RouteCalls | undefined,
): readonly [path: string, item: PathItem] {
  const allowed = allowedOperations(routes)
  const maxOperations = doc.limits.operations
  const list: JsonSchema = {
    type: 'array',
    items: operationSchema(doc, allowed, calls),
    ...(maxOperations < Infinity && { maxItems: maxOperations }),
  }
  const data: JsonSchema = {
    type: 'array',
    items: resultSchema(doc, allowed, calls),
    description: 'The result of each operation, in the same order.',
  }
  const result = doc.components.response(doc.names.shared('Results'), () => ({
    description: 'The results of the operations.',
    content: { 'application/json': { schema: envelope(doc, data) } },
  }))
  const keys = keyParameters(doc, 'post')
  return [
    TRANSACTION_PATH,
    {
      post: {
        operationId: 'transaction',
        summary: 'Run several operations in one transaction',
        description: DESCRIPTION,
        tags: ['Transactions'],
        ...(keys.length > 0 && { parameters: keys }),
        requestBody: { required: true, content: { 'application/json': { schema: list } } },
        responses: {
          200: result,
          ...failures('$transaction', 'post', findStrictestVersion(routes.keys())),
          ...calls?.errors,
        },
      },
    },
  ]
}

function allowedOperations(routes: ReadonlyMap<Model, readonly Route[]>): AllowedOperations {
  const models = [...routes.keys()].sort((left, right) => (left.name < right.name ? -1 : 1))
  return new Map(
    models.flatMap((model): (readonly [Model, readonly string[]])[] => {
      const names = new Set(routes.get(model)?.map(({ operation }) => operation))
      const operations = Object.keys(DESCRIPTIONS).filter((name) => name !== 'check' && names.has(name))
      return operations.length > 0 ? [[model, operations]] : []
    }),
  )
}

/**
 * Returns the schema of an operation. Each model has its own schema, distinguished by `model`, with one alternative per set of operations
 * with the same arguments.
 */
function operationSchema(doc: RpcDocumentContext, allowed: AllowedOperations, calls?: RouteCalls): Reference {
  return sharedSchema(doc, 'Operation', () =>
    oneOf([
      ...[...allowed].map(([model, names]) => modelOperationSchema(doc, model, names)),
      ...(calls?.operations ?? []),
    ]),
  )
}

function modelOperationSchema(doc: RpcDocumentContext, model: Model, names: readonly string[]): Reference {
  return modelSchema(doc, model, 'Operation', () => {
    const namesBySchema = new Map<string, string[]>()
    for (const name of names) {
      const { $ref } = bodySchema(doc, model, name)
      namesBySchema.set($ref, [...(namesBySchema.get($ref) ?? []), name])
    }
    return oneOf(
      [...namesBySchema].map(([$ref, [first = '', ...others]]) =>
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
function resultSchema(doc: RpcDocumentContext, allowed: AllowedOperations, calls?: RouteCalls): Reference {
  return sharedSchema(doc, 'OperationResult', () => {
    const results = [...allowed].map(([model, names]) => ({ model, ...resultSchemas(doc, model, names) }))
    const specific = results.flatMap((result) =>
      result.specific.length === 0
        ? []
        : [modelSchema(doc, result.model, 'OperationResult', () => anyOf(...uniqueSchemas(result.specific)))],
    )
    const shared = [...results.flatMap((result) => result.shared), ...(calls?.results ?? [])].flatMap(alternatives)
    return anyOf(...specific, ...uniqueSchemas(shared))
  })
}

function uniqueSchemas(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
}
