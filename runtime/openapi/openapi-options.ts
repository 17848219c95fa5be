import { HTTP_ERROR_STATUSES, type HttpErrorStatus } from '../errors/http-error.js'
import { assertAllowedKeys } from '../validate-options.js'
import type { Info, OpenApiDocument, SecurityRequirement, SecurityScheme, Server } from './document-types.js'

/** Options of `openApi`: the parts of a document that neither the schema nor the handler provides. */
export interface OpenApiOptions {
  /**
   * Serves a page to read the document and to try the API, at `/docs` or at a custom path. It needs the package `swagger-ui-dist`, and a
   * server with a file system. Default: false.
   */
  readonly docs?: boolean | string
  /** The title and version of the API, and further metadata. Default: a title for the style, version `0.0.0`. */
  readonly info?: Partial<Info>
  /** The URLs at which the API is served. Default: in REST the `endpoint`, in RPC the URL of the request for the document. */
  readonly servers?: readonly Server[]
  /** Authentication schemes, by a custom name: `{ bearer: { type: 'http', scheme: 'bearer' } }`. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>
  /** The schemes that a request needs: `[{ bearer: [] }]`. Default: one of `securitySchemes` is enough. */
  readonly security?: readonly SecurityRequirement[]
  /**
   * The statuses of errors that the app itself responds with, from `context`, `getOrm` or hooks. Default: 403, and 401 if there are
   * `securitySchemes`; with hooks, all statuses that `httpError` accepts.
   */
  readonly appErrors?: readonly HttpErrorStatus[]
  /** Modifies the document before it is served, for example to add the paths of custom routes. Called once. */
  readonly extend?: (document: OpenApiDocument) => OpenApiDocument
}

const OPTIONS = [
  'docs',
  'info',
  'servers',
  'securitySchemes',
  'security',
  'appErrors',
  'extend',
] satisfies readonly (keyof OpenApiOptions)[]

/**
 * Checks the options of `openApi`.
 * @throws Error if an option is invalid, with a description of valid values
 */
export function validateOpenApiOptions(options: OpenApiOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw new Error('openApi requires an object: openApi({ info: { title: "Blog", version: "1.0.0" } }).')
  }
  assertAllowedKeys('option of openApi', options, OPTIONS)
  const { info = {}, servers = [], security = [], securitySchemes = {}, appErrors = [] } = options
  for (const name of ['title', 'version'] as const) {
    if (info[name] !== undefined && typeof info[name] !== 'string')
      throw new Error(`openApi: info.${name} must be a string.`)
  }
  for (const { url } of servers)
    if (typeof url !== 'string') throw new Error('openApi: every item of servers must have a url.')
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
