import type { App } from '../contenders/contender.js'
import type { Operation, RequestOf } from '../operations.js'

const ORIGIN = 'http://localhost'

/** Creates the request of an operation with a `Content-Length`, like a request from a server. */
export function toRequest({ method, path, body, headers }: RequestOf): Request {
  if (body === undefined) return new Request(ORIGIN + path, headers && { headers })
  const text = JSON.stringify(body)
  return new Request(ORIGIN + path, {
    method,
    body: text,
    headers: { 'Content-Type': 'application/json', 'Content-Length': `${Buffer.byteLength(text)}`, ...headers },
  })
}

/**
 * Prepares an operation for an app. The first request is created before the call, and a follow-up request during the call.
 * @returns a function that sends the requests and reads the responses
 */
export function prepareOperation(app: App, { request, followUp }: Operation, n: number, unique: string) {
  const first = toRequest(request(n, unique))
  return async (): Promise<void> => {
    const response = await readSuccessful(app, first)
    if (followUp) await readSuccessful(app, toRequest(followUp(n, response.headers.get('ETag') ?? '')))
  }
}

async function readSuccessful(app: App, request: Request): Promise<Response> {
  const response = await app.fetch(request)
  const text = await response.text()
  if (!response.ok) throw new Error(`${request.method} ${request.url} is answered with ${response.status}: ${text}`)
  return response
}
