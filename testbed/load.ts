import { Agent, request } from 'node:http'

import type { AppProcess } from './processes.js'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** What a process answered. Status 0: the connection broke. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  /** What `Set-Cookie` says, as `Cookie` says it. */
  readonly cookie: string
  /** How long it took, in milliseconds. */
  readonly took: number
}

/** A request to a process. */
export interface Sent {
  readonly method?: string
  readonly path: string
  readonly body?: object
  readonly cookie?: string
}

/** Sends a request. */
export function send(
  { port }: Pick<AppProcess, 'port'>,
  { method = 'GET', path, body, cookie }: Sent,
): Promise<Answer> {
  const text = body && JSON.stringify(body)
  const begun = performance.now()
  const headers = {
    ...(text !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    ...(cookie && { Cookie: cookie }),
  }
  return new Promise((resolve) => {
    const end = (status: number, text = '', setCookie: readonly string[] = []) => {
      const cookies = setCookie.map((line) => line.split(';', 1)[0] ?? '').join('; ')
      resolve({ status, body: parsed(text), cookie: cookies, took: performance.now() - begun })
    }
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        end(response.statusCode ?? 0, Buffer.concat(chunks).toString(), response.headers['set-cookie'])
      })
      response.on('error', () => end(0))
    })
    sent.on('error', () => end(0))
    sent.end(text)
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
 * Does pieces of work, several at a time.
 * @param works how many there are
 * @param hands how many are done at once
 */
export async function runConcurrently<R>(works: number, hands: number, work: (n: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const hand = async () => {
    for (let n = next++; n < works; n = next++) results[n] = await work(n)
  }
  await Promise.all(Array.from({ length: hands }, hand))
  return results
}

/** How many answers had which status, as `200: 12, 409: 3`. */
export function statusesOf(answers: readonly Pick<Answer, 'status'>[]): string {
  const counts = new Map<number, number>()
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status === 0 ? 'connection lost' : status}: ${count}`)
    .join(', ')
}

/** Bodies of JSON:API. */
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
