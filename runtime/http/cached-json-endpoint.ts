import type { StaticEndpoint } from './static-endpoint.js'

interface CachedDocument {
  readonly text: string
  readonly etag: string
}

/**
 * Creates an endpoint that serves a JSON document, which is created on the first request and then cached. Supports `ETag` and
 * `If-None-Match` (304).
 * @param create creates the document; if it fails, the next request tries again
 */
export function createCachedJsonEndpoint(create: () => Promise<object>): StaticEndpoint {
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
