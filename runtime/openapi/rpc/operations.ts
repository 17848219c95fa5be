import type { Route } from '../../http/route.js'
import { RPC_OPERATIONS } from '../../rpc/operations.js'
import type { Model } from '../../schema/schema.js'
import type { HttpMethod, JsonSchema, OperationObject, Parameter, PathItem, Reference } from '../document.js'
import { keyParameters } from '../idempotency-key.js'
import { capitalize, type NameAllocator } from '../names.js'
import { bodySchema, needsArguments, querySchema } from './arguments.js'
import type { RpcDocumentContext } from './context.js'
import type { ErrorResponsesFor } from './error-responses.js'
import { requestMetaSchema } from './meta.js'
import { isWrite } from './error-responses.js'
import { resultResponse } from './results.js'

interface Describing {
  readonly described: RpcDocumentContext
  /** Returns the error responses of an operation. */
  readonly failures: ErrorResponsesFor
  readonly operationIds: NameAllocator
}

/** The methods in order of priority. The first one determines the operation's name. */
const METHODS: readonly HttpMethod[] = ['get', 'post', 'patch', 'put', 'delete']

/** Suffixes of the names of an operation's further methods. */
const SUFFIXES: Readonly<Partial<Record<HttpMethod, string>>> = { post: 'WithBody', put: 'WithPut', patch: 'WithPatch' }

const JSON_TYPE = 'application/json'

/** Descriptions of the operations. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  findMany: 'Finds rows.',
  findFirst: 'Finds the first row, or null.',
  findFirstOrThrow: 'Finds the first row, or 404.',
  findUnique: 'Finds a row by a unique value, or null.',
  findUniqueOrThrow: 'Finds a row by a unique value, or 404.',
  count: 'Counts rows, or values of fields.',
  aggregate: 'Counts, sums, averages and extremes.',
  groupBy: 'Groups of equal values, with aggregates.',
  exists: 'Whether there is such a row.',
  create: 'Creates a row, and related ones.',
  createMany: 'Creates rows, and counts them.',
  createManyAndReturn: 'Creates rows, and answers with them.',
  update: 'Changes a row, and related ones, or 404.',
  updateMany: 'Changes rows, and counts them.',
  updateManyAndReturn: 'Changes rows, and answers with them.',
  upsert: 'Changes a row, or creates it.',
  delete: 'Deletes a row, and answers with it, or 404.',
  deleteMany: 'Deletes rows, and counts them.',
  check: 'Whether the caller may do an operation.',
}

/** Returns the paths of a model, with all operations that have a route. */
export function modelPaths(
  model: Model,
  routes: readonly Route[],
  describing: Describing,
): readonly (readonly [path: string, item: PathItem])[] {
  const paths = [...new Set(routes.map(({ path }) => path))]
  return paths.flatMap((path): (readonly [string, PathItem])[] => {
    const name = path.slice(1)
    // Routes from custom templates are not described.
    if (name !== 'check' && !RPC_OPERATIONS.has(name)) return []
    const methods = METHODS.filter((method) =>
      routes.some((route) => route.path === path && route.method.toLowerCase() === method),
    )
    const item = Object.fromEntries(
      methods.map((method) => [method, operationOf(model, name, method, methods[0] ?? method, describing)]),
    )
    return [[`/${model.name.toLowerCase()}${path}`, item]]
  })
}

function operationOf(
  model: Model,
  name: string,
  method: HttpMethod,
  first: HttpMethod,
  { described, failures, operationIds }: Describing,
): OperationObject {
  const isFirst = method === first
  const id = `${model.delegate}${capitalize(name)}${isFirst ? '' : (SUFFIXES[method] ?? '')}`
  const required = needsArguments(name)
  const status = RPC_OPERATIONS.get(name)?.status ?? 200
  const parameters = [
    ...(inQuery(method) ? [argumentsParameter(described, model, name, required), metaParameter(described)] : []),
    ...(isWrite(name) ? keyParameters(described, method) : []),
  ]
  return {
    operationId: operationIds.unique(id),
    summary: `${model.name}.${name}${isFirst ? '' : ` (${method.toUpperCase()})`}`,
    description: isFirst ? (DESCRIPTIONS[name] ?? name) : `The same as ${first.toUpperCase()}.`,
    tags: [model.name],
    ...(parameters.length > 0 && { parameters }),
    ...(!inQuery(method) && {
      requestBody: { required, content: { [JSON_TYPE]: { schema: bodySchema(described, model, name) } } },
    }),
    responses: {
      [status]: resultResponse(described, model, name),
      ...failures(name, method, model.version),
    },
  }
}

function argumentsParameter(
  described: RpcDocumentContext,
  model: Model,
  operation: string,
  required: boolean,
): Parameter {
  const schema = jsonText(querySchema(described, model, operation))
  return { name: 'q', in: 'query', ...(required && { required }), schema }
}

/**
 * Returns the schema of a text that contains JSON. A parameter with `content` would be equivalent, but generated clients differ in whether
 * they then take an object or a text.
 */
function jsonText(contentSchema: JsonSchema): JsonSchema {
  return { type: 'string', contentMediaType: JSON_TYPE, contentSchema }
}

/** Whether a method's arguments are in the query. */
function inQuery(method: HttpMethod): boolean {
  return method === 'get' || method === 'delete'
}

function metaParameter(described: RpcDocumentContext): Reference {
  return described.components.parameter('meta', () => ({
    name: 'meta',
    in: 'query',
    description: 'What JSON cannot say of the values of `q`.',
    schema: jsonText(requestMetaSchema(described)),
  }))
}
