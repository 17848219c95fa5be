import { jsonEndpoint } from '../http/json-endpoint.js'
import { urlPath } from '../http/adapter-options.js'
import type { StaticEndpoint, StaticEndpoints } from '../http/static-endpoint.js'
import { parseEndpointPath } from '../http/endpoint-path.js'
import type { OpenApiOptions } from './options.js'
import { VIEWER_FILES, viewerFile } from './viewer/page.js'

/** Where the document is served, below the prefix. */
export const OPENAPI_PATH = '/openapi.json'

/** What is told of a style. */
export interface Style {
  /** What its API is called, where the app does not say. */
  readonly title: string
  /** Whether a model is served at paths that begin with this segment. */
  readonly isTaken: (segment: string) => boolean
  /** Makes the document. Where the app has put the handler, only requests tell: `mount` is the path, `/` where there is none. */
  readonly describe: (mount: string) => Promise<object>
}

/**
 * The document of an API, and the page to read it where it is asked for. The document is made by the first request for it.
 * @throws Error where the page's path does not fit
 */
export function openApiEndpoints({ docs, info }: OpenApiOptions, { title, isTaken, describe }: Style): StaticEndpoints {
  const path = parseEndpointPath(docs, {
    option: 'docs',
    byDefault: '/docs',
    instead: '/api-docs',
    isTaken: (segment) => `/${segment}` === OPENAPI_PATH || isTaken(segment),
  })
  const pages = new Map<string, StaticEndpoint>([[OPENAPI_PATH, pageAtEachMount(describe)]])
  if (path === undefined) return pages
  const viewer = { path, title: info?.title ?? title }
  for (const file of VIEWER_FILES) pages.set(path + file, () => viewerFile(file, viewer))
  return pages
}

/** One document for each path that the handler is put under: mostly one. */
function pageAtEachMount(describe: Style['describe']): StaticEndpoint {
  const pages = new Map<string, StaticEndpoint>()
  return (request) => {
    const mount = urlPath(request.url).slice(0, -OPENAPI_PATH.length) || '/'
    const page = pages.get(mount) ?? jsonEndpoint(async () => describe(mount))
    pages.set(mount, page)
    return page(request)
  }
}
