/** The parts of an OpenAPI 3.1 document in JSON that the runtime generates (specification, section 4.8). */

/** A schema of JSON Schema 2020-12, with the keywords that the runtime generates. */
export interface JsonSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly contentEncoding?: string
  readonly contentMediaType?: string
  readonly contentSchema?: JsonSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly uniqueItems?: boolean
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly unevaluatedProperties?: boolean
  readonly propertyNames?: JsonSchema
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  readonly dependentSchemas?: Readonly<Record<string, JsonSchema>>
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly deprecated?: boolean
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  /** The type of the value before it was converted to JSON, as named in `meta.serialization`. */
  readonly 'x-serialization'?: string
}

/** A reference to a component of the same document. */
export interface Reference {
  readonly $ref: string
}

/** A query, path or header parameter. */
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly style?: 'form' | 'simple' | 'deepObject'
  readonly explode?: boolean
  readonly schema?: JsonSchema
  readonly content?: Readonly<Record<string, MediaType>>
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}

/** The content of a body with one media type. */
export interface MediaType {
  readonly schema: JsonSchema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
}

/** A request body. */
export interface RequestBody {
  readonly description?: string
  readonly required?: boolean
  readonly content: Readonly<Record<string, MediaType>>
}

/** A response header. */
export interface Header {
  readonly description: string
  readonly required?: boolean
  readonly schema: JsonSchema
}

/** A response. */
export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Readonly<Record<string, MediaType>>
}

/** An operation: one method at one path. */
export interface OperationObject {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly deprecated?: boolean
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: RequestBody | Reference
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>
}

/** The HTTP methods of operations. */
export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The operations at a path. */
export type PathItem = { readonly parameters?: readonly (Parameter | Reference)[] } & {
  readonly [M in HttpMethod]?: OperationObject
}

/** Metadata of the API: its name, its version and more. */
export interface Info {
  readonly title: string
  readonly version: string
  readonly summary?: string
  readonly description?: string
  readonly termsOfService?: string
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string }
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string }
}

/** A URL at which the API is served. */
export interface Server {
  readonly url: string
  readonly description?: string
  readonly variables?: Readonly<
    Record<string, { readonly default: string; readonly enum?: readonly string[]; readonly description?: string }>
  >
}

/** An authentication scheme: `{ type: 'http', scheme: 'bearer' }`. */
export interface SecurityScheme {
  readonly type: 'apiKey' | 'http' | 'mutualTLS' | 'oauth2' | 'openIdConnect'
  readonly [member: string]: unknown
}

/** The schemes that a request requires. The request must meet all schemes of one of these objects. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** A group of operations. */
export interface Tag {
  readonly name: string
  readonly description?: string
}

/** An OpenAPI document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly jsonSchemaDialect?: string
  readonly info: Info
  readonly servers: readonly Server[]
  readonly security?: readonly SecurityRequirement[]
  readonly tags: readonly Tag[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Components
}

/** The shared parts of a document. */
export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly responses: Readonly<Record<string, ResponseObject>>
  readonly requestBodies?: Readonly<Record<string, RequestBody>>
  readonly headers?: Readonly<Record<string, Header>>
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>
}
