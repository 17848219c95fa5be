import { RESPONSE_HEADERS } from '../request/negotiation.js'
import { JSONAPI } from './document.js'

/** The document of a handler that is well. */
export function healthDocument(): Response {
  const body = JSON.stringify({ meta: { status: 'ok' }, jsonapi: JSONAPI })
  return new Response(body, { headers: RESPONSE_HEADERS })
}
