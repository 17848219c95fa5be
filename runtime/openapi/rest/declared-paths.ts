import { MEDIA_TYPE } from '../../rest/request/content-negotiation.js'
import type { RestModel } from '../../rest/rest-model.js'
import type { Model } from '../../schema/model.js'
import type { RouteDeclaration } from '../../http/routing/declaration-types.js'
import type { Paths, RouteCalls } from '../component-collector.js'
import { camelCase, declaredErrors, type DescribedRoute, hasId } from '../described-route.js'
import type { JsonSchema, OperationObject, Parameter, PathItem, ResponseObject } from '../document-types.js'
import { capitalize } from '../name-allocator.js'
import { keyParameters } from '../operation-errors.js'
import { closedObject, listOf } from '../schemas/schema-builders.js'
import { jsonapiSchema, listSchema } from './document-schemas.js'
import { customErrors, errorResponses } from './error-responses.js'
import type { OperationContext } from './model-paths.js'
import { idParameter, listParameters, resourceParameters } from './parameters.js'
import { type PreconditionComponents, preconditionComponents } from './precondition-components.js'
import { relatedResponseObject, resourceResponseObject } from './request-and-response-objects.js'
import { resourceSchema } from './resource-schemas.js'
import { type RestDocumentContext, sharedSchema } from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'

/** Returns the paths of declared routes. */
export function restPaths(routes: readonly DescribedRoute[], context: OperationContext): Paths {
  return routes.map((route) => {
    const { model, rowModel } = findModels(route, context)
    const { path } = route
    const item: PathItem = {
      ...(hasId(path) && { parameters: [idParameter(context.doc)] }),
      [route.method]: restOperation(route, model, rowModel, context),
    }
    return [`/${model?.type ?? route.group.toLowerCase()}${path.replace(':id', '{id}')}`, item] as const
  })
}

/** Describes the atomic operations that call declared routes. `routewright changes` reads their `op` and the pattern of `href`. */
export function atomicRouteCalls(routes: readonly DescribedRoute[], context: OperationContext): RouteCalls {
  const { doc } = context
  const calls = routes.flatMap((route) => {
    const { model, rowModel } = findModels(route, context)
    return route.declaration.transaction ? [{ route, model, rowModel }] : []
  })
  const results = calls.flatMap(({ route, rowModel }) => {
    if (!rowModel) return []
    const resource = resourceSchema(rowModel, doc)
    return [route.rows?.many ? listOf(resource) : resource]
  })
  return {
    operations: calls.map(({ route, model }) => atomicOperation(route, model, doc)),
    results: [...new Map(results.map((schema) => [JSON.stringify(schema), schema])).values()],
    errors: toErrors(
      calls.map(({ route }) => route.declaration),
      doc,
    ),
  }
}

function atomicOperation(route: DescribedRoute, model: RestModel | undefined, doc: RestDocumentContext): JsonSchema {
  const { group, name, method, path, declaration } = route
  const body = bodySchema(route, model, doc)
  const op = method === 'post' ? 'add' : method === 'delete' ? 'remove' : 'update'
  const url = `/${encodeURIComponent(model?.type ?? group.toLowerCase())}${path}`
  const lid = hasId(path) && {
    lid: {
      type: 'string',
      minLength: 1,
      description:
        'The `lid` of a resource that an earlier operation adds. `href` then contains `:id` instead of an id.',
    } satisfies JsonSchema,
  }
  const pattern = url
    .slice(1)
    .replaceAll(/[.*()]/g, '\\$&')
    .replace(':id', '[^/]+')
  return {
    ...closedObject(
      {
        op: { const: op },
        href: {
          type: 'string',
          pattern: `(^|/)${pattern}${declaration.query ? String.raw`(\?.*)?` : ''}$`,
          ...(declaration.query && { description: 'The URL of the route, with its query parameters.' }),
        },
        meta: {
          type: 'object',
          ...((body || lid) && { properties: { ...lid, ...(body && { body }) } }),
          ...(body && { required: ['body'] }),
        },
      },
      ['op', 'href', ...(body ? ['meta'] : [])],
    ),
    description: `Calls the custom route "${name}" of "${model?.type ?? group}". A result that is not a resource is in \`meta.result\`.`,
  }
}

/** Returns the schema of a route's body. The operations that call the route use it too. */
function bodySchema(
  { name, declaration, input }: DescribedRoute,
  model: RestModel | undefined,
  doc: RestDocumentContext,
): JsonSchema | undefined {
  if (!declaration.body || !input) return undefined
  if (!declaration.transaction || !model) return input
  return sharedSchema(doc, `${modelSchemaNames(doc, model).resource}${capitalize(name)}Body`, () => input)
}

interface RouteModels {
  /** The model of the route's path. Undefined if the group of the route has none. */
  readonly model: RestModel | undefined
  /** The model of the rows that the route returns. */
  readonly rowModel: RestModel | undefined
}

function findModels({ group, rows }: DescribedRoute, { doc: { models } }: OperationContext): RouteModels {
  const find = (matches: (model: Model) => boolean) => models.find(({ model }) => matches(model))
  return { model: find(({ delegate }) => delegate === group), rowModel: find(({ name }) => name === rows?.model) }
}

function restOperation(
  route: DescribedRoute,
  model: RestModel | undefined,
  rowModel: RestModel | undefined,
  { doc, appErrors, operationIds }: OperationContext,
): OperationObject {
  const { group, name, method, declaration, input, value } = route
  const body = bodySchema(route, model, doc)
  const hasPages = declaration.list === true
  const kind = hasPages ? 'related' : method === 'get' ? 'get' : method === 'delete' ? 'delete' : 'update'
  const conditions = declaredPreconditions(route, model, rowModel, doc)
  const parameters = [
    ...(declaration.query && input ? toParameters(input) : []),
    ...(rowModel ? (hasPages ? listParameters : resourceParameters)(rowModel, doc) : []),
    ...(conditions?.parameters ?? []),
    ...(method === 'get' ? [] : keyParameters(doc, method)),
  ]
  const content = (schema: JsonSchema) => ({ content: { [MEDIA_TYPE]: { schema } } })
  const ok = (schema: JsonSchema): ResponseObject => ({ description: 'The result of the route.', ...content(schema) })
  const success = rowModel
    ? route.rows?.many
      ? ok(listSchema(rowModel, doc, hasPages))
      : (declaration.nullable ? relatedResponseObject : resourceResponseObject)(rowModel, doc)
    : ok(
        closedObject(
          {
            meta: { type: 'object', properties: { result: value ?? {} }, required: ['result'] },
            jsonapi: jsonapiSchema(doc),
          },
          ['meta', 'jsonapi'],
        ),
      )
  return {
    operationId: operationIds.unique(
      name + (model ? modelSchemaNames(doc, model).resource : capitalize(camelCase(group))),
    ),
    summary: declaration.summary ?? `Custom route "${name}" of "${model?.type ?? group}"`,
    ...(declaration.description !== undefined && { description: declaration.description }),
    tags: [model?.model.name ?? group],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, ...content(body) } }),
    responses: {
      ...(declaration.result === undefined ? { 204: { description: 'The route has no result.' } } : { 200: success }),
      ...conditions?.responses,
      ...errorResponses(kind, doc, appErrors, conditions),
      ...toErrors([declaration], doc),
    },
  }
}

function declaredPreconditions(
  { method, path, rows }: DescribedRoute,
  model: RestModel | undefined,
  rowModel: RestModel | undefined,
  doc: RestDocumentContext,
): PreconditionComponents | undefined {
  if (method !== 'get') return model && hasId(path) ? preconditionComponents(model, 'change', doc) : undefined
  return rowModel && !rows?.many ? preconditionComponents(rowModel, 'read', doc) : undefined
}

function toErrors(declarations: readonly RouteDeclaration[], doc: RestDocumentContext): RouteCalls['errors'] {
  return declaredErrors(declarations, MEDIA_TYPE, () => customErrors(doc))
}

/** Returns the parameters of a query. If the schema does not list its properties, a single object parameter describes all of them. */
function toParameters(schema: JsonSchema): readonly Parameter[] {
  const { properties, required = [] } = schema
  // With `explode`, each property of the object is a query parameter.
  if (!properties)
    return [{ name: 'query', in: 'query', style: 'form', explode: true, schema: { ...schema, type: 'object' } }]
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    schema: property,
  }))
}
