import { idFields, type Model } from '../../schema/model.js'
import type { Version } from '../../schema/version-field.js'
import type { RouteDeclaration } from '../../http/routing/declaration-types.js'
import type { Paths, RouteCalls } from '../component-collector.js'
import { camelCase, declaredErrors, type DescribedRoute, hasId } from '../described-route.js'
import type { JsonSchema, OperationObject } from '../document-types.js'
import { capitalize } from '../name-allocator.js'
import { keyParameters } from '../operation-errors.js'
import { closedObject, nullable } from '../schemas/schema-builders.js'
import { customCodeError } from './error-responses.js'
import { querySchema } from './arguments-schemas.js'
import { jsonText, metaParameter, type OperationContext } from './model-paths.js'
import { envelope, rowSchema } from './result-schemas.js'
import {
  memberSchema,
  requestMetaSchema,
  responseFieldSchema,
  type RpcDocumentContext,
} from './rpc-document-context.js'
import { listArgumentsSchema } from './selection-schemas.js'

const JSON_TYPE = 'application/json'

/** Returns the paths of declared routes. */
export function rpcPaths(
  routes: readonly DescribedRoute[],
  models: readonly Model[],
  context: OperationContext,
): Paths {
  return routes.map((route) => {
    const routeModels = findModels(route, models)
    const operation = rpcOperation(route, routeModels, context)
    const segment = routeModels.model?.name ?? route.group
    return [`/${segment.toLowerCase()}/${route.name}`, { [route.method]: operation }] as const
  })
}

interface RouteModels {
  /** The model of the route's path. Undefined if the group of the route has none. */
  readonly model: Model | undefined
  /** The model of the rows that the route returns. */
  readonly rowModel: Model | undefined
}

function findModels({ group, rows }: DescribedRoute, models: readonly Model[]): RouteModels {
  return {
    model: models.find(({ delegate }) => delegate === group),
    rowModel: models.find(({ name }) => name === rows?.model),
  }
}

/** Describes the operations of a transaction that call declared routes. `routewright changes` reads their `model` and `op`. */
export function transactionRouteCalls(
  routes: readonly DescribedRoute[],
  models: readonly Model[],
  { doc }: OperationContext,
): RouteCalls {
  const calls = routes.flatMap((route) => {
    const { model, rowModel } = findModels(route, models)
    return route.declaration.transaction ? [{ route, model, rowModel }] : []
  })
  return {
    operations: calls.map(({ route, model, rowModel }) => {
      const { schema, required } = argumentsSchema(route, { model, rowModel }, doc, false)
      return closedObject({ model: { const: model?.name ?? route.group }, op: { const: route.name }, args: schema }, [
        'model',
        'op',
        ...(required ? ['args'] : []),
      ])
    }),
    results: calls.map(({ route, ...routeModels }) => resultSchema(route, routeModels, doc)),
    errors: toErrors(
      calls.map(({ route }) => route.declaration),
      doc,
    ),
  }
}

/**
 * Returns the schema of a route's arguments. Transactions use the same schema.
 * @param inQuery whether the arguments are in the query, which has a separate parameter for `meta`
 */
function argumentsSchema(
  { name, declaration, input }: DescribedRoute,
  { model, rowModel }: RouteModels,
  doc: RpcDocumentContext,
  inQuery: boolean,
): { readonly schema: JsonSchema; readonly required: boolean } {
  const identified = hasId(declaration.path) ? model : undefined
  const idMember = identified ? { [identified.id]: idSchema(identified, doc) } : {}
  const version = findVersion(declaration, model)
  const versionMember = identified && version ? { [version.name]: fieldSchema(identified, version.name, doc) } : {}
  const requiredMembers = Object.keys(version?.isRequired ? { ...idMember, ...versionMember } : idMember)
  const meta = inQuery ? {} : { meta: requestMetaSchema(doc) }
  const localArgs: JsonSchema = {
    ...(input ?? { type: 'object' }),
    properties: { ...idMember, ...versionMember, ...input?.properties, ...meta },
    required: [...requiredMembers, ...(input?.required ?? [])],
  }
  const schema =
    declaration.list && rowModel ? withListArguments(localArgs, input !== undefined, rowModel, doc) : localArgs
  return {
    schema:
      model && declaration.transaction && !inQuery ? memberSchema(doc, model, name, 'Arguments', () => schema) : schema,
    required: (schema.required?.length ?? 0) > 0,
  }
}

/** Returns the schema of a route's result. Transactions use the same schema. */
function resultSchema(
  { name, rows, value, declaration }: DescribedRoute,
  { model, rowModel }: RouteModels,
  doc: RpcDocumentContext,
): JsonSchema {
  const row = rowModel && rowSchema(doc, rowModel)
  if (row && rows?.many) return { type: 'array', items: row }
  if (row) return declaration.nullable ? nullable(row) : row
  if (!value) return { type: 'null' }
  return model && declaration.transaction ? memberSchema(doc, model, name, 'Result', () => value) : value
}

function rpcOperation(
  route: DescribedRoute,
  routeModels: RouteModels,
  { doc, errors, operationIds }: OperationContext,
): OperationObject {
  const { group, name, method, declaration } = route
  const { model } = routeModels
  const inQuery = method === 'get' || method === 'delete'
  const { schema: args, required } = argumentsSchema(route, routeModels, doc, inQuery)
  const parameters = [
    ...(inQuery
      ? [{ name: 'q', in: 'query' as const, ...(required && { required }), schema: jsonText(args) }, metaParameter(doc)]
      : []),
    ...(method === 'get' ? [] : keyParameters(doc, method)),
  ]
  const data = resultSchema(route, routeModels, doc)
  return {
    operationId: operationIds.unique((model?.delegate ?? camelCase(group)) + capitalize(name)),
    summary: declaration.summary ?? `${model?.name ?? group}.${name}`,
    description: declaration.description ?? 'Custom route.',
    tags: [model?.name ?? group],
    ...(parameters.length > 0 && { parameters }),
    ...(!inQuery && { requestBody: { required, content: { [JSON_TYPE]: { schema: args } } } }),
    responses: {
      200: { description: 'The result of the route.', content: { [JSON_TYPE]: { schema: envelope(doc, data) } } },
      ...errors(method === 'get' ? 'findUniqueOrThrow' : 'update', method, findVersion(declaration, model)),
      ...toErrors([declaration], doc),
    },
  }
}

/** Returns the version that a route compares. Routes without an id and routes that read have none. */
function findVersion({ method, path }: RouteDeclaration, model: Model | undefined): Version | undefined {
  return method !== 'GET' && hasId(path) ? model?.version : undefined
}

function idSchema(model: Model, doc: RpcDocumentContext): JsonSchema {
  const names = idFields(model)
  const [name = '', ...others] = names
  if (others.length === 0) return fieldSchema(model, name, doc)
  return closedObject(Object.fromEntries(names.map((each) => [each, fieldSchema(model, each, doc)])), names)
}

function fieldSchema(model: Model, name: string, doc: RpcDocumentContext): JsonSchema {
  const field = model.fields.get(name)
  return field ? responseFieldSchema(doc, model, name, field) : {}
}

/**
 * Adds the arguments of `findMany` to those of a route. They take precedence over properties with the same name.
 * @param hasInput whether the route has a schema, which may accept other properties
 */
function withListArguments(
  localArgs: JsonSchema,
  hasInput: boolean,
  model: Model,
  doc: RpcDocumentContext,
): JsonSchema {
  const { properties = {}, required, additionalProperties, ...others } = localArgs
  if (!hasInput && Object.keys(properties).length === 0) return querySchema(doc, model, 'findMany')
  const args = { ...others, ...listArgumentsSchema(doc, model, properties, required), not: { required: ['meta'] } }
  if (!hasInput || additionalProperties === false) return args
  const { unevaluatedProperties: _, ...openArgs } = args
  return openArgs
}

function toErrors(declarations: readonly RouteDeclaration[], doc: RpcDocumentContext): RouteCalls['errors'] {
  return declaredErrors(declarations, JSON_TYPE, () => customCodeError(doc))
}
