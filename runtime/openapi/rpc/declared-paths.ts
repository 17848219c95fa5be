import { idFields, type Model } from '../../schema/model.js'
import type { Paths } from '../component-collector.js'
import { declaredErrors, type DescribedRoute, hasId, openObject, TEXT } from '../described-route.js'
import type { JsonSchema, OperationObject } from '../document-types.js'
import { capitalize } from '../name-allocator.js'
import { keyParameters } from '../operation-errors.js'
import { nullable } from '../schemas/schema-builders.js'
import { jsonText, metaParameter, type OperationContext } from './model-paths.js'
import { envelope, rowSchema } from './result-schemas.js'
import { requestMetaSchema, responseFieldSchema, sharedSchema } from './rpc-document-context.js'

const JSON_TYPE = 'application/json'

/** Returns the paths of declared routes. */
export function rpcPaths(
  routes: readonly DescribedRoute[],
  models: readonly Model[],
  context: OperationContext,
): Paths {
  return routes.flatMap((route) => {
    const model = models.find(({ delegate }) => delegate === route.delegate)
    if (!model) return []
    const rowModel = models.find(({ name }) => name === route.rows?.model)
    const operation = rpcOperation(route, model, rowModel, context)
    return [[`/${model.name.toLowerCase()}/${route.name}`, { [route.method]: operation }] as const]
  })
}

function rpcOperation(
  route: DescribedRoute,
  model: Model,
  rowModel: Model | undefined,
  { doc, errors, operationIds }: OperationContext,
): OperationObject {
  const { name, method, declaration, input, value } = route
  const inQuery = method === 'get' || method === 'delete'
  const fields = idFields(model).map((field) => {
    const spec = model.fields.get(field)
    return [field, spec ? responseFieldSchema(doc, model, field, spec) : {}] as const
  })
  const id = fields.length === 1 ? (fields[0]?.[1] ?? {}) : openObject(Object.fromEntries(fields))
  const idMember = hasId(declaration.path) ? { [model.id]: id } : {}
  const meta = inQuery ? {} : { meta: requestMetaSchema(doc) }
  const args: JsonSchema = {
    ...(input ?? { type: 'object' }),
    properties: { ...idMember, ...input?.properties, ...meta },
    required: [...Object.keys(idMember), ...(input?.required ?? [])],
  }
  const required = (args.required?.length ?? 0) > 0
  const parameters = [
    ...(inQuery
      ? [{ name: 'q', in: 'query' as const, ...(required && { required }), schema: jsonText(args) }, metaParameter(doc)]
      : []),
    ...(method === 'get' ? [] : keyParameters(doc, method)),
  ]
  const row = rowModel && rowSchema(doc, rowModel)
  const data = row ? (route.rows?.many ? { type: 'array', items: row } : nullable(row)) : (value ?? { type: 'null' })
  return {
    operationId: operationIds.unique(`${model.delegate}${capitalize(name)}`),
    summary: `${model.name}.${name}`,
    description: 'Custom route.',
    tags: [model.name],
    ...(parameters.length > 0 && { parameters }),
    ...(!inQuery && { requestBody: { required, content: { [JSON_TYPE]: { schema: args } } } }),
    responses: {
      200: { description: 'The result of the route.', content: { [JSON_TYPE]: { schema: envelope(doc, data) } } },
      ...errors(method === 'get' ? 'findUniqueOrThrow' : 'update', method),
      ...declaredErrors(declaration, JSON_TYPE, () =>
        sharedSchema(doc, 'CustomRouteError', () => openObject({ code: TEXT, message: TEXT })),
      ),
    },
  }
}
