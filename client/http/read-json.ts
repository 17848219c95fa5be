import type { MakeError } from './api-error.js'
import { parseRetryAfter } from './retry-after.js'

/** The object that an answer holds. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Reads an answer as a JSON object.
 * @throws ApiError `malformed-answer` where it is something else: a page of a proxy, or nothing; `network-error` where it breaks off;
 * the signal's reason where that aborts
 */
export async function readJson(
  response: Response,
  makeError: MakeError,
  signal?: AbortSignal | undefined,
): Promise<JsonObject> {
  const text = await response.text().catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw makeError('The answer broke off.', { status: 0, code: 'network-error', cause })
  })
  try {
    const json: unknown = JSON.parse(text)
    if (json && typeof json === 'object' && !Array.isArray(json)) return json as JsonObject
  } catch {
    // Told below.
  }
  throw malformedResponse(response, text, makeError)
}

/** The error of an answer that is none of this API's. */
export function malformedResponse(response: Response, text: string, makeError: MakeError): Error {
  const { status, headers } = response
  const begins = text.trim().slice(0, 80)
  const what = begins === '' ? 'is empty' : `begins with ${JSON.stringify(begins)}`
  const type = headers.get('Content-Type')?.split(';')[0] ?? 'no Content-Type'
  return makeError(
    `The answer (${status}, ${type}) ${what}. Is the url right, or did something in front of the API answer?`,
    { status, code: 'malformed-answer', retryAfter: parseRetryAfter(response) },
  )
}
