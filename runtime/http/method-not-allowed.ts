import { RequestError } from '../errors/request-error.js'

/**
 * Returns the response for a method that a path does not support: 405 with `Allow`. For OPTIONS, the response is a 204 with the same
 * header.
 * @param possible the supported methods; GET implies HEAD
 * @param fail renders an error in the format of REST or RPC
 */
export function methodNotAllowed(
  method: string,
  possible: readonly string[],
  fail: (error: RequestError) => Response,
): Response {
  const allowed = new Set(possible)
  if (allowed.has('GET')) allowed.add('HEAD')
  const allow = [...allowed].sort().join(', ')
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: allow } })
  const detail = `${method} is not allowed here. Allowed: ${allow || 'none'}.`
  return fail(new RequestError({ code: 'method-not-allowed', detail }, { Allow: allow }))
}
