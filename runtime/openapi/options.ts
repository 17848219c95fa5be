import { HTTP_ERROR_STATUSES, type HttpErrorStatus } from '../errors/http-error.js'
import { assertKnownKeys } from '../limits.js'
import type { Info, OpenApiDocument, SecurityRequirement, SecurityScheme, Server } from './document.js'

/** What `openApi` takes: what a document says that neither the schema nor the handler's options tell. */
export interface OpenApiOptions {
  /**
   * Serves a page to read the description and to try the API, at `/docs` or at a path of your own. It needs the package `swagger-ui-dist`,
   * and a server with a file system. Default: none is served.
   */
  readonly docs?: boolean | string
  /** What the API is called, its version, and more. Default: a title for the style, version `0.0.0`. */
  readonly info?: Partial<Info>
  /** Where it is served. Default: in REST the `endpoint`; in RPC the URL that the document was asked for at. */
  readonly servers?: readonly Server[]
  /** How callers prove who they are, by a name of your own: `{ bearer: { type: 'http', scheme: 'bearer' } }`. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>
  /** Which of them a request needs: `[{ bearer: [] }]`. Default: any one of those given. */
  readonly security?: readonly SecurityRequirement[]
  /**
   * With which statuses the app itself refuses requests, from `context`, `getOrm` or hooks. Default: 403, and 401 where there are
   * `securitySchemes`; with hooks, all that `refuse` takes.
   */
  readonly appErrors?: readonly HttpErrorStatus[]
  /** Changes the document before it is served, to add paths of your own routes for example. Called once. */
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
 * Checks what `openApi` is given.
 * @throws Error that says what is wrong and what would be right
 */
export function validateOpenApiOptions(options: OpenApiOptions): void {
  if (typeof options !== 'object' || options === null) {
    throw new Error('openApi takes an object: openApi({ info: { title: "Blog", version: "1.0.0" } }).')
  }
  assertKnownKeys('option of openApi', options, OPTIONS)
  const { info = {}, servers = [], security = [], securitySchemes = {}, appErrors = [] } = options
  for (const name of ['title', 'version'] as const) {
    if (info[name] !== undefined && typeof info[name] !== 'string')
      throw new Error(`openApi: info.${name} must be a string.`)
  }
  for (const { url } of servers) if (typeof url !== 'string') throw new Error('openApi: servers: each needs a url.')
  for (const name of security.flatMap((requirement) => Object.keys(requirement))) {
    if (Object.hasOwn(securitySchemes, name)) continue
    throw new Error(`openApi: security names "${name}", which securitySchemes does not have.`)
  }
  for (const status of appErrors) {
    if (status in HTTP_ERROR_STATUSES) continue
    throw new Error(`openApi: appErrors: ${String(status)} is none of ${Object.keys(HTTP_ERROR_STATUSES).join(', ')}.`)
  }
}
