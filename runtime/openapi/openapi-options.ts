import { HTTP_ERROR_STATUSES, type HttpErrorStatus } from '../errors/http-error.js'
import { assertAllowedKeys } from '../option-checks.js'
import type { DescribeRest } from '../rest/rest-options.js'
import type { DescribeRpc } from '../rpc/rpc-options.js'
import type { Info, OpenApiDocument, SecurityRequirement, SecurityScheme, Server } from './document-types.js'

/** Options of `openApi`: the parts of a document that neither the schema nor the handler provides. */
export interface OpenApiOptions {
  /**
   * Serves a page that displays the document and can call the API, at `/docs` or at a custom path. It requires the `swagger-ui-dist` package
   * and a server with a file system that contains both packages. Default: false.
   */
  readonly docs?: boolean | string
  /** The title, version and other metadata of the API. Default: the title `REST API` or `RPC API`, version `0.0.0`. */
  readonly info?: Partial<Info>
  /** The comments of the schema, which the generated `descriptions.ts` exports (`files = ["descriptions"]`). Default: none. */
  readonly descriptions?: SchemaDescriptions
  /** The URLs at which the API is served. Default: for REST, the `endpoint`; for RPC, the URL of the request for the document. */
  readonly servers?: readonly Server[]
  /** Authentication schemes, by a custom name: `{ bearer: { type: 'http', scheme: 'bearer' } }`. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>
  /** The schemes that a request requires: `[{ bearer: [] }]`. Default: a request must use one of `securitySchemes`. */
  readonly security?: readonly SecurityRequirement[]
  /**
   * The statuses of errors that the app itself throws in `context`, `getOrm` or hooks. Default: 403, and also 401 with `securitySchemes`.
   * With hooks, all statuses that `httpError` accepts.
   */
  readonly appErrors?: readonly HttpErrorStatus[]
  /** Modifies the document before it is served, for example to add the paths of custom routes. Called once. */
  readonly extend?: (document: OpenApiDocument) => OpenApiDocument
}

const OPTIONS = [
  'docs',
  'info',
  'descriptions',
  'servers',
  'securitySchemes',
  'security',
  'appErrors',
  'extend',
] satisfies readonly (keyof OpenApiOptions)[]

const MODEL_KEYS = ['description', 'fields'] satisfies readonly (keyof ModelDescriptions)[]

/**
 * Checks the options of `openApi`.
 * @throws Error if an option is invalid; the message describes valid values
 */
export function validateOpenApiOptions(options: OpenApiOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw new Error('openApi requires an object: openApi({ info: { title: "Blog", version: "1.0.0" } }).')
  }
  assertAllowedKeys('option of openApi', options, OPTIONS)
  const { info = {}, descriptions = {}, servers = [], security = [], securitySchemes = {}, appErrors = [] } = options
  const { title = '', version = '' } = info
  assertType('string', 'info.title', title)
  assertType('string', 'info.version', version)
  validateDescriptions(descriptions)
  for (const [index, { url }] of servers.entries()) assertType('string', `servers[${index}].url`, url)
  for (const name of security.flatMap((requirement) => Object.keys(requirement))) {
    if (Object.hasOwn(securitySchemes, name)) continue
    throw new Error(`openApi: security contains "${name}", which is not in securitySchemes.`)
  }
  for (const status of appErrors) {
    if (status in HTTP_ERROR_STATUSES) continue
    throw new Error(
      `openApi: appErrors must contain only ${Object.keys(HTTP_ERROR_STATUSES).join(', ')}, but contains ${String(status)}.`,
    )
  }
}

/** Checks that descriptions have the shape of the emitted `descriptions.ts`. */
function validateDescriptions(descriptions: SchemaDescriptions): void {
  assertType('object', 'descriptions', descriptions)
  for (const [model, comments] of Object.entries(descriptions)) {
    const path = `descriptions.${model}`
    assertType('object', path, comments)
    assertAllowedKeys(`key in ${path}`, comments, MODEL_KEYS)
    const { description = '', fields = {} } = comments
    assertType('string', `${path}.description`, description)
    assertType('object', `${path}.fields`, fields)
    for (const [name, text] of Object.entries(fields)) assertType('string', `${path}.fields.${name}`, text)
  }
}

function assertType(type: 'object' | 'string', path: string, value: unknown): void {
  if (typeof value === type && value !== null && !Array.isArray(value)) return
  throw new Error(`openApi: ${path} must be ${type === 'object' ? 'an' : 'a'} ${type}.`)
}

/** Creates the documents of REST and RPC handlers. It is passed as an option, so that handlers without it do not bundle the code. */
export interface OpenApi extends DescribeRest, DescribeRpc {}

/**
 * The comments of a Prisma schema, by model: the shape of the emitted `descriptions.ts`. Contains only exposed models, fields and relations.
 */
export interface SchemaDescriptions {
  readonly [model: string]: ModelDescriptions
}

/** The comments of a model. */
export interface ModelDescriptions {
  /** The comment on the model. */
  readonly description?: string
  /** The comments on fields and relations, by name. */
  readonly fields?: Readonly<Record<string, string>>
}

/** Provides the comments of a schema to the parts of a document. */
interface DescriptionContext {
  readonly descriptions: SchemaDescriptions | undefined
}

/** Returns the schema's comment on a model. */
export function describeModel({ descriptions }: DescriptionContext, model: string): string | undefined {
  return findProperty(descriptions, model)?.description
}

/** Returns the schema's comment on a field or relation. */
export function describeMember({ descriptions }: DescriptionContext, model: string, name: string): string | undefined {
  return findProperty(findProperty(descriptions, model)?.fields, name)
}

/** Returns a property unless it is inherited, because a model or field can be named `constructor`. */
function findProperty<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined
}
