import type { Route } from '../../http/routing/route.js'
import { successStatus } from '../../rpc/rpc-responses.js'
import type { Model } from '../../schema/model.js'
import type { HttpMethod, JsonSchema, OperationObject, Parameter, PathItem, Reference } from '../document-types.js'
import { keyParameters } from '../operation-errors.js'
import { type NameAllocator, capitalize } from '../name-allocator.js'
import { bodySchema, needsArguments, querySchema } from './arguments-schemas.js'
import { requestMetaSchema, type RpcDocumentContext } from './rpc-document-context.js'
import { type ErrorResponsesFor, isWrite } from './error-responses.js'
import { resultResponse } from './result-schemas.js'

/** The parts of a document that its operations share. */
export interface OperationContext {
  readonly doc: RpcDocumentContext
  /** Returns the error responses of an operation. */
  readonly errors: ErrorResponsesFor
  readonly operationIds: NameAllocator
}

/**
 * The methods in order of priority. The first one determines the operation's name. Only reads have a second one, which is POST. PUT is not
 * listed, because it is equivalent to PATCH.
 */
const METHODS: readonly HttpMethod[] = ['get', 'post', 'patch', 'delete']

const JSON_TYPE = 'application/json'

/** The operations and their descriptions, in the order in which the document lists them. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  findMany: 'Returns rows.',
  findFirst: 'Returns the first row, or null.',
  findFirstOrThrow: 'Returns the first row, or a 404.',
  findUnique: 'Returns a row by a unique value, or null.',
  findUniqueOrThrow: 'Returns a row by a unique value, or a 404.',
  count: 'Counts rows or field values.',
  aggregate: 'Returns counts, sums, averages, minimums and maximums.',
  groupBy: 'Groups rows by equal values and returns aggregates.',
  exists: 'Returns whether a matching row exists.',
  create: 'Creates a row and related rows.',
  createMany: 'Creates rows and returns their number.',
  createManyAndReturn: 'Creates rows and returns them.',
  update: 'Updates a row and related rows, or returns a 404.',
  updateMany: 'Updates rows and returns their number.',
  updateManyAndReturn: 'Updates rows and returns them.',
  upsert: 'Updates a row or creates it.',
  delete: 'Deletes a row and returns it, or returns a 404.',
  deleteMany: 'Deletes rows and returns their number.',
  check: 'Returns whether the caller may perform an operation.',
}

/** Returns the paths of a model, with all operations that have a route. */
export function modelPaths(
  model: Model,
  routes: readonly Route[],
  context: OperationContext,
): readonly (readonly [path: string, item: PathItem])[] {
  const operations = new Map(routes.map(({ path, operation }) => [path, operation]))
  return [...operations].map(([path, name]): readonly [string, PathItem] => {
    const methods = METHODS.filter((method) =>
      routes.some((route) => route.path === path && route.method.toLowerCase() === method),
    )
    const item = Object.fromEntries(
      methods.map((method) => [method, operationOf(model, name, method, methods, context)]),
    )
    return [`/${model.name.toLowerCase()}${path}`, item]
  })
}

function operationOf(
  model: Model,
  name: string,
  method: HttpMethod,
  methods: readonly HttpMethod[],
  { doc, errors, operationIds }: OperationContext,
): OperationObject {
  const [first = method] = methods
  const isFirst = method === first
  const id = `${model.delegate}${capitalize(name)}${isFirst ? '' : 'WithBody'}`
  const required = needsArguments(name)
  const status = successStatus(name)
  const parameters = [
    ...(inQuery(method)
      ? [
          methods.every(inQuery)
            ? argumentsParameter(doc, model, name, required)
            : sharedArgumentsParameter(doc, required),
          metaParameter(doc),
        ]
      : []),
    ...(isWrite(name) ? keyParameters(doc, method) : []),
  ]
  return {
    operationId: operationIds.unique(id),
    summary: `${model.name}.${name}${isFirst ? '' : ' (POST)'}`,
    description: isFirst ? (DESCRIPTIONS[name] ?? name) : 'Equivalent to GET.',
    tags: [model.name],
    ...(parameters.length > 0 && { parameters }),
    ...(!inQuery(method) && {
      requestBody: {
        ...(required && { required }),
        content: { [JSON_TYPE]: { schema: bodySchema(doc, model, name) } },
      },
    }),
    responses: {
      [status]: resultResponse(doc, model, name),
      ...errors(name, method, model.version),
    },
  }
}

function argumentsParameter(doc: RpcDocumentContext, model: Model, operation: string, required: boolean): Parameter {
  const schema = jsonText(querySchema(doc, model, operation))
  return { name: 'q', in: 'query', ...(required && { required }), schema }
}

/** Returns the parameter for the arguments of an operation that also accepts them in a body, whose schema describes them. */
function sharedArgumentsParameter({ components }: RpcDocumentContext, required: boolean): Reference {
  return components.parameter(required ? 'requiredArguments' : 'arguments', () => ({
    name: 'q',
    in: 'query',
    ...(required && { required }),
    description: 'The arguments as JSON. The body of POST at the same path describes them.',
    schema: { type: 'string', contentMediaType: JSON_TYPE },
  }))
}

/**
 * Returns the schema of a string that contains JSON. A parameter with `content` would be equivalent, but some generated clients would then
 * require an object and others a string.
 */
export function jsonText(contentSchema: JsonSchema): JsonSchema {
  return { type: 'string', contentMediaType: JSON_TYPE, contentSchema }
}

/** Whether a method's arguments are in the query. */
function inQuery(method: HttpMethod): boolean {
  return method === 'get' || method === 'delete'
}

/** Returns the query parameter with the types of arguments. */
export function metaParameter(doc: RpcDocumentContext): Reference {
  return doc.components.parameter('meta', () => ({
    name: 'meta',
    in: 'query',
    description: 'Types of the values in `q` that JSON cannot represent, such as dates. Optional.',
    schema: jsonText(requestMetaSchema(doc)),
  }))
}
