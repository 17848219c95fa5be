import type { StaticEndpoint } from './static-endpoint.js'

interface Made {
  readonly text: string
  readonly etag: string
}

/**
 * A page with a JSON document, which is made when it is first asked for, and once. It has an `ETag`, so that who has it already is told so
 * with a 304.
 * @param make makes the document; where it fails, the next request has it made again
 */
export function jsonEndpoint(make: () => Promise<object>): StaticEndpoint {
  let made: Promise<Made> | undefined
  return async (request) => {
    made ??= write(make)
    const { text, etag } = await made.catch((error: unknown) => {
      made = undefined
      throw error
    })
    const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
    const known = request.headers.get('If-None-Match')
    if (known !== null && isKnown(known, etag)) return new Response(null, { status: 304, headers })
    return new Response(text, { headers: { ...headers, 'Content-Type': 'application/json' } })
  }
}

async function write(make: () => Promise<object>): Promise<Made> {
  const text = JSON.stringify(await make())
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const hex = [...new Uint8Array(digest, 0, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { text, etag: `"${hex}"` }
}

/** Weak comparison (RFC 9110, section 13.1.2): a proxy that compresses makes a tag weak. */
function isKnown(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}
