import type { MakeError } from './api-error.js'
import { parseRetryAfter } from './retry-after.js'

/** The JSON object of a response. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Parses a response body as a JSON object.
 * @throws ApiError `malformed-response` if the body is not a JSON object, for example a proxy's error page, or `network-error` if the
 *   connection breaks while reading
 * @throws the signal's reason if the signal aborts
 */
export async function readJson(
  response: Response,
  makeError: MakeError,
  signal?: AbortSignal | undefined,
): Promise<JsonObject> {
  const text = await response.text().catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw makeError('The response was cut off.', { status: 0, code: 'network-error', cause })
  })
  try {
    const json: unknown = JSON.parse(text)
    if (json && typeof json === 'object' && !Array.isArray(json)) return json as JsonObject
  } catch {
    // The error is thrown below.
  }
  throw malformedResponse(response, text, makeError)
}

/** Creates the error for a response that is not from this API. */
export function malformedResponse(response: Response, text: string, makeError: MakeError): Error {
  const { status, headers } = response
  const preview = text.trim().slice(0, 80)
  const description = preview === '' ? 'is empty' : `starts with ${JSON.stringify(preview)}`
  const type = headers.get('Content-Type')?.split(';')[0] ?? 'no Content-Type'
  return makeError(
    `The response (${status}, ${type}) ${description}. Check the url and any proxy in front of the API.`,
    {
      status,
      code: 'malformed-response',
      retryAfter: parseRetryAfter(response),
    },
  )
}
