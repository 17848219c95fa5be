import type { Hono } from 'hono'

import type { Example } from './examples.js'

/** A response, for display. */
export interface RecordedResponse {
  readonly status: number
  /** Formatted JSON. Empty if the response has no body. */
  readonly text: string
}

/** Sends the examples to an app, one after the other, and returns the responses in the same order. */
export async function recordResponses(app: Hono, examples: readonly Example[]): Promise<RecordedResponse[]> {
  const responses: RecordedResponse[] = []
  for (const { method, url, body } of examples) {
    const headers = { 'Content-Type': 'application/json' }
    const response = await app.request(url, { method, ...(body !== undefined && { body, headers }) })
    const text = await response.text()
    responses.push({ status: response.status, text: text === '' ? '' : JSON.stringify(JSON.parse(text), null, 2) })
  }
  return responses
}
