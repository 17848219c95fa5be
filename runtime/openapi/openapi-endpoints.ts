import { parseEndpointPath, type StaticEndpoint, type StaticEndpoints } from '../http/routing/endpoints.js'
import { urlPath } from '../http/routing/mount-path.js'
import type { OpenApiOptions } from './openapi-options.js'
import { viewerEndpoints } from './viewer/viewer-page.js'

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
  const viewer = path === undefined ? [] : viewerEndpoints({ path, title: info?.title ?? title })
  return new Map([[OPENAPI_PATH, pageAtEachMount(describe)], ...viewer])
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

interface CachedDocument {
  readonly text: string
  readonly etag: string
}

/**
 * Creates an endpoint that serves a JSON document, which is created on the first request and then cached. Supports `ETag` and
 * `If-None-Match` (304).
 * @param create creates the document; if it fails, the next request tries again
 */
function createCachedJsonEndpoint(create: () => Promise<object>): StaticEndpoint {
  let cached: Promise<CachedDocument> | undefined
  return async (request) => {
    cached ??= write(create)
    const { text, etag } = await cached.catch((error: unknown) => {
      cached = undefined
      throw error
    })
    const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
    const ifNoneMatch = request.headers.get('If-None-Match')
    if (ifNoneMatch !== null && matchesEtag(ifNoneMatch, etag)) return new Response(null, { status: 304, headers })
    return new Response(text, { headers: { ...headers, 'Content-Type': 'application/json' } })
  }
}

async function write(create: () => Promise<object>): Promise<CachedDocument> {
  const text = JSON.stringify(await create())
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const hex = [...new Uint8Array(digest, 0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { text, etag: `"${hex}"` }
}

/** Uses the weak comparison (RFC 9110, section 13.1.2), because proxies that compress responses turn entity tags into weak ones. */
function matchesEtag(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}
