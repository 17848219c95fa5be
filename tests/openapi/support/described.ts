import type {
  Header,
  HttpMethod,
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  Parameter,
  Reference,
  RequestBody,
  ResponseObject,
} from '../../../runtime/openapi/document-types.js'

/** An operation of a document, with resolved references. */
export interface Described {
  readonly method: HttpMethod
  readonly path: string
  readonly operation: OperationObject
  readonly parameters: readonly Parameter[]
  readonly requestBody: RequestBody | undefined
  /** The body of POST at the same path, which describes the arguments of an RPC query. */
  readonly bodyOfPost: RequestBody | undefined
  /** The resolved schema of the body in the media type of the style. */
  readonly bodySchema: JsonSchema | undefined
  /** By status, as written in the document. */
  readonly responses: ReadonlyMap<string, DescribedResponse>
}

/** A response with resolved headers. */
export interface DescribedResponse extends ResponseObject {
  readonly headers: Readonly<Record<string, Header>>
}

const METHODS: readonly HttpMethod[] = ['get', 'post', 'put', 'patch', 'delete']

/** Returns all operations of a document. */
export function operationsOf(document: OpenApiDocument): readonly Described[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      if (!operation) return []
      const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
      return [
        {
          method,
          path,
          operation,
          parameters: all.flatMap((one) =>
            flattened(document, isReference(one) ? resolve<Parameter>(document, one) : one),
          ),
          bodyOfPost: item.post?.requestBody && resolved<RequestBody>(document, item.post.requestBody),
          bodySchema: bodySchemaOf(document, operation),
          requestBody: operation.requestBody && resolved<RequestBody>(document, operation.requestBody),
          responses: new Map(
            Object.entries(operation.responses).map(([status, one]) => [
              status,
              resolveHeaders(document, resolved<ResponseObject>(document, one)),
            ]),
          ),
        },
      ]
    }),
  )
}

function resolveHeaders(document: OpenApiDocument, response: ResponseObject): DescribedResponse {
  const headers = Object.entries(response.headers ?? {})
  return {
    ...response,
    headers: Object.fromEntries(headers.map(([name, one]) => [name, resolved<Header>(document, one)])),
  }
}

function bodySchemaOf(document: OpenApiDocument, { requestBody }: OperationObject): JsonSchema | undefined {
  const body = requestBody && resolved<RequestBody>(document, requestBody)
  const [media] = Object.values(body?.content ?? {})
  if (media?.schema.$ref === undefined) return media?.schema
  return document.components.schemas[media.schema.$ref.split('/').at(-1) ?? '']
}

/** Returns each property of an object parameter as a parameter with the name that requests contain, such as `filter[title]`. */
function flattened(document: OpenApiDocument, parameter: Parameter): readonly Parameter[] {
  const { name, schema = {}, style, ...others } = parameter
  if (style !== 'deepObject') return [parameter]
  return (schema.anyOf ?? [schema]).flatMap((alternative) => {
    const { properties } = resolved<JsonSchema>(document, alternative)
    if (!properties) return [{ ...others, name, schema: alternative }]
    return Object.entries(properties).map(([key, one]) => ({ ...others, name: `${name}[${key}]`, schema: one }))
  })
}

/** Returns the statuses of an operation. The description of client errors lists theirs. */
export function statusesOf({ responses }: Pick<Described, 'responses'>): ReadonlySet<string> {
  return new Set(
    [...responses].flatMap(([status, { description }]) =>
      status === '4XX' ? [...description.matchAll(/\b4\d\d\b/g)].map(([listed]) => listed) : [status],
    ),
  )
}

/** Returns the response of a status, from its own entry or from its range, such as `4XX`, if it lists the status. */
export function responseOf(described: Described, status: number): DescribedResponse | undefined {
  const range = `${String(status).slice(0, 1)}XX`
  const statuses = statusesOf(described)
  if (!statuses.has(String(status)) && !statuses.has(range)) return undefined
  return described.responses.get(String(status)) ?? described.responses.get(range)
}

function resolved<T extends object>(document: OpenApiDocument, one: T | Reference): T {
  return isReference(one) ? resolve<T>(document, one) : one
}

function isReference(one: object): one is Reference {
  return '$ref' in one
}

function resolve<T>(document: OpenApiDocument, { $ref }: Reference): T {
  const [, , kind = '', name = ''] = $ref.split('/')
  const found: unknown = Reflect.get(Reflect.get(document.components, kind), name)
  if (found === undefined) throw new Error(`${$ref} leads nowhere.`)
  return found as T
}
