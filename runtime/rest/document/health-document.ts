import { RESPONSE_HEADERS } from './response-headers.js'
import { JSONAPI } from './jsonapi-member.js'

/** Returns the response that reports a healthy handler. */
export function healthDocument(): Response {
  const body = JSON.stringify({ meta: { status: 'ok' }, jsonapi: JSONAPI })
  return new Response(body, { headers: RESPONSE_HEADERS })
}
