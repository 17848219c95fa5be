import { MEDIA_TYPE } from '../../rest/request/content-negotiation.js'
import type { RestModel } from '../../rest/rest-model.js'
import type { Model } from '../../schema/model.js'
import type { Paths } from '../component-collector.js'
import { declaredErrors, type DescribedRoute, hasId, openObject, TEXT } from '../described-route.js'
import type { JsonSchema, OperationObject, Parameter, PathItem, ResponseObject } from '../document-types.js'
import { keyParameters } from '../operation-errors.js'
import { closedObject } from '../schemas/schema-builders.js'
import { jsonapiSchema, listSchema } from './document-schemas.js'
import { errorResponses } from './error-responses.js'
import type { OperationContext } from './model-paths.js'
import { idParameter, resourceParameters } from './parameters.js'
import { preconditionComponents } from './precondition-components.js'
import { relatedResponseObject } from './request-and-response-objects.js'
import { sharedSchema } from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'

/** Returns the paths of declared routes. */
export function restPaths(routes: readonly DescribedRoute[], context: OperationContext): Paths {
  const find = (matches: (model: Model) => boolean) => context.doc.models.find(({ model }) => matches(model))
  return routes.flatMap((route) => {
    const { delegate, method, declaration } = route
    const model = find((candidate) => candidate.delegate === delegate)
    if (!model) return []
    const rowModel = find(({ name }) => name === route.rows?.model)
    const { path } = declaration
    const item: PathItem = {
      ...(hasId(path) && { parameters: [idParameter(context.doc)] }),
      [method]: restOperation(route, model, rowModel, context),
    }
    return [[`/${model.type}${path.replace(':id', '{id}')}`, item] as const]
  })
}

function restOperation(
  route: DescribedRoute,
  model: RestModel,
  rowModel: RestModel | undefined,
  { doc, appErrors, operationIds }: OperationContext,
): OperationObject {
  const { name, method, declaration, input, value } = route
  const kind = method === 'get' ? 'get' : method === 'delete' ? 'delete' : 'update'
  const conditions =
    hasId(declaration.path) && method !== 'get' ? preconditionComponents(model, 'change', doc) : undefined
  const parameters = [
    ...(declaration.query && input ? toParameters(input) : []),
    ...(rowModel ? resourceParameters(rowModel, doc) : []),
    ...(conditions?.parameters ?? []),
    ...(method === 'get' ? [] : keyParameters(doc, method)),
  ]
  const content = (schema: JsonSchema) => ({ content: { [MEDIA_TYPE]: { schema } } })
  const ok = (schema: JsonSchema): ResponseObject => ({ description: 'The result of the route.', ...content(schema) })
  const success = rowModel
    ? route.rows?.many
      ? ok(listSchema(rowModel, doc))
      : relatedResponseObject(rowModel, doc)
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
    operationId: operationIds.unique(`${name}${modelSchemaNames(doc, model).resource}`),
    summary: `Custom route "${name}" of "${model.type}"`,
    tags: [model.model.name],
    ...(parameters.length > 0 && { parameters }),
    ...(declaration.body && input && { requestBody: { required: true, ...content(input) } }),
    responses: {
      ...(declaration.result === undefined ? { 204: { description: 'The route has no result.' } } : { 200: success }),
      ...conditions?.responses,
      ...errorResponses(kind, doc, appErrors, conditions),
      ...declaredErrors(declaration, MEDIA_TYPE, () =>
        sharedSchema(doc, 'CustomRouteErrors', () =>
          openObject({
            errors: { type: 'array', items: openObject(ERROR), minItems: 1 },
            jsonapi: jsonapiSchema(doc),
          }),
        ),
      ),
    },
  }
}

const ERROR = { code: TEXT, status: { type: ['integer', 'string'] }, title: TEXT, detail: TEXT }

/** Converts the schema of a query to parameters. */
function toParameters({ properties = {}, required = [] }: JsonSchema): readonly Parameter[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    schema,
  }))
}
