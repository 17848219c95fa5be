import type { Context } from 'hono'

/**
 * Adds the headers that were set on a context to a response created elsewhere. If both have a header, the response's own value wins, except
 * that `Vary` and cookies are merged.
 */
export function mergeContextHeaders(c: Context, response: Response): Response {
  // Hono exposes the headers set so far only through a new response.
  const { headers: before } = c.newResponse(null)
  let merged = response
  for (const [name, value] of before) {
    try {
      add(merged.headers, name, value)
    } catch {
      // The headers of a fetched response are immutable.
      merged = new Response(response.body, response)
      add(merged.headers, name, value)
    }
  }
  return merged
}

/**
 * Like {@link mergeContextHeaders}, and sets the result as the context's response. Otherwise Hono would add the headers again and overwrite
 * those of the response.
 */
export function respondWithContextHeaders(c: Context, response: Response): Response {
  const merged = mergeContextHeaders(c, response)
  c.res = undefined
  c.res = merged
  return merged
}

/**
 * Adds an earlier value of `Vary` to a response, for frameworks that preserve other headers themselves.
 * @param before the value in the framework's representation
 */
export function withVary(response: Response, before: unknown): Response {
  if (typeof before === 'string') add(response.headers, 'vary', before)
  return response
}

function add(headers: Headers, name: string, value: string): void {
  if (name === 'set-cookie') headers.append(name, value)
  else if (name === 'vary') headers.set(name, union(value, headers.get(name)))
  else if (name !== 'content-type' && !headers.has(name)) headers.set(name, value)
}

/** Merges two comma-separated lists without duplicates. Names are compared case-insensitively. */
function union(before: string, current: string | null): string {
  const names = `${before},${current ?? ''}`.split(',').map((name) => name.trim())
  return [...new Map(names.filter(Boolean).map((name) => [name.toLowerCase(), name])).values()].join(', ')
}

/**
 * The header that disables caching of all responses, in REST and RPC, because responses depend on the caller. Apps can override it in
 * middleware.
 */
export const CACHE_CONTROL = { 'Cache-Control': 'private, no-store' } as const
