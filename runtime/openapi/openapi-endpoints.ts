import { createCachedJsonEndpoint } from '../http/cached-json-endpoint.js'
import { urlPath } from '../http/mount-path.js'
import type { StaticEndpoint, StaticEndpoints } from '../http/static-endpoint.js'
import { parseEndpointPath } from '../http/endpoint-path.js'
import type { OpenApiOptions } from './openapi-options.js'
import { VIEWER_FILES, viewerFile } from './viewer/viewer-page.js'

/** The path of the document, relative to the prefix. */
export const OPENAPI_PATH = '/openapi.json'

/** The parts of the endpoints that differ between REST and RPC. */
export interface OpenApiStyle {
  /** The default title of the API. */
  readonly title: string
  /** Whether a model is served at paths that start with this segment. */
  readonly isReserved: (segment: string) => boolean
  /**
   * Creates the document. `mount` is the path at which the app has mounted the handler. It is known only when a request arrives, and is `/` at
   * the root.
   */
  readonly describe: (mount: string) => Promise<object>
}

/**
 * Creates the endpoints for the document of an API and, if enabled, for the page that displays it. The first request creates the
 * document.
 * @throws Error if the page's path is invalid or already in use
 */
export function openApiEndpoints(
  { docs, info }: OpenApiOptions,
  { title, isReserved, describe }: OpenApiStyle,
): StaticEndpoints {
  const path = parseEndpointPath(docs, {
    option: 'docs',
    fallback: '/docs',
    example: '/api-docs',
    isReserved: (segment) => `/${segment}` === OPENAPI_PATH || isReserved(segment),
  })
  const pages = new Map<string, StaticEndpoint>([[OPENAPI_PATH, pageAtEachMount(describe)]])
  if (path === undefined) return pages
  const viewer = { path, title: info?.title ?? title }
  for (const file of VIEWER_FILES) pages.set(path + file, () => viewerFile(file, viewer))
  return pages
}

/** Serves one document per mount path of the handler. Usually there is only one. */
function pageAtEachMount(describe: OpenApiStyle['describe']): StaticEndpoint {
  const pages = new Map<string, StaticEndpoint>()
  return (request) => {
    const mount = urlPath(request.url).slice(0, -OPENAPI_PATH.length) || '/'
    const page = pages.get(mount) ?? createCachedJsonEndpoint(async () => describe(mount))
    pages.set(mount, page)
    return page(request)
  }
}
