import { Agent, request } from 'node:http'

import type { AppProcess } from './processes.js'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** A response. Status 0 means that the connection was lost. */
export interface TestResponse {
  readonly status: number
  readonly body: unknown
  /** The cookies of `Set-Cookie` in the format of the `Cookie` header. */
  readonly cookie: string
  /** Duration in milliseconds. */
  readonly durationMs: number
}

/** A request to a process. */
export interface RequestSpec {
  readonly method?: string
  readonly path: string
  readonly body?: object
  readonly cookie?: string
}

/** Sends a request. */
export function send(
  { port }: Pick<AppProcess, 'port'>,
  { method = 'GET', path, body, cookie }: RequestSpec,
): Promise<TestResponse> {
  const text = body && JSON.stringify(body)
  const startedAt = performance.now()
  const headers = {
    ...(text !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    ...(cookie && { Cookie: cookie }),
  }
  return new Promise((resolve) => {
    const end = (status: number, text = '', setCookie: readonly string[] = []) => {
      const cookies = setCookie.map((line) => line.split(';', 1)[0] ?? '').join('; ')
      resolve({ status, body: parsed(text), cookie: cookies, durationMs: performance.now() - startedAt })
    }
    const outgoing = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        end(response.statusCode ?? 0, Buffer.concat(chunks).toString(), response.headers['set-cookie'])
      })
      response.on('error', () => end(0))
    })
    outgoing.on('error', () => end(0))
    outgoing.end(text)
  })
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Runs work items concurrently.
 * @param count number of items
 * @param concurrency maximum number of concurrent items
 */
export async function runConcurrently<R>(
  count: number,
  concurrency: number,
  task: (n: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let n = next++; n < count; n = next++) results[n] = await task(n)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results
}

/** Counts responses by status: `200: 12, 409: 3`. */
export function formatStatuses(responses: readonly Pick<TestResponse, 'status'>[]): string {
  const counts = new Map<number, number>()
  for (const { status } of responses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status === 0 ? 'connection lost' : status}: ${count}`)
    .join(', ')
}

/** JSON:API request bodies. */
export const documents = {
  tag: (name: string) => ({ data: { type: 'tag', id: name } }),
  tags: (names: readonly string[]) => ({ data: names.map((id) => ({ type: 'tag', id })) }),
  post: (slug: string, tags: readonly string[] = []) => ({
    data: {
      type: 'post',
      attributes: { slug, title: slug },
      relationships: { tags: documents.tags(tags), author: { data: { type: 'user', id: '1' } } },
    },
  }),
  upsert: (slug: string, title: string) => ({
    data: { type: 'post', attributes: { slug, title } },
    meta: { operation: 'upsert', matchFields: ['slug'] },
  }),
}
