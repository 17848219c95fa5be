import { expect } from 'vitest'

import type { RestApiHandler } from '../../../fixtures/blog/expected/index.js'
import type { ApiHandler } from '../../../runtime/http/handler-types.js'
import type { Database } from '../../support/databases.js'
import { checkDocument } from './check-document.js'
import type { Body, ErrorObject, ResourceObject } from './documents.js'

/** The media type of JSON:API. */
export const MEDIA_TYPE = 'application/vnd.api+json'

/** The base URL of links. Deliberately different from the URL of requests. */
export const ENDPOINT = 'https://blog.example/api'

/** The response to a request. Every document was checked against JSON:API. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
  /** The primary data, if it is one resource. */
  readonly one: ResourceObject
  /** The primary data, if it is a list. */
  readonly many: readonly ResourceObject[]
  /** The ids of the primary data. */
  readonly ids: readonly string[]
  readonly errors: readonly ErrorObject[]
}

/** A client of the REST style. */
export interface RestClient {
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<TestResponse>
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>
  /** Sends a request unchanged. */
  fetch(path: string, init?: RequestInit): Promise<TestResponse>
  /** Follows a link of a response. */
  follow(link: string | null | undefined): Promise<TestResponse>
}

/** The `fetch` method of a mounted handler. */
export type Fetch = (request: Request) => Response | Promise<Response>

/** The options of the blog's REST handler. */
export type RestApiOptions = Parameters<typeof RestApiHandler>[0]

/** Creates a client for the blog's routes on a database, mounted at `/api` of a Hono app. */
export function restClient(db: Database, options: Partial<RestApiOptions> = {}, orm: unknown = db.orm): RestClient {
  const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, ...options })
  const app = db.hono.createHonoHandler({ getOrm: () => orm as typeof db.orm, handler, prefix: '/api' })
  return clientOf((request) => app.fetch(request), options.strict ?? false)
}

/** The Prisma client and routes of any fixture. */
interface Served {
  readonly orm: unknown
  readonly routes: { RestApiHandler(options: never): ApiHandler<never> }
}

/** Creates a client for the routes of a fixture other than the blog. */
export function fixtureClient(db: Served, options: object = {}): RestClient {
  const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, ...options } as never)
  const strict = 'strict' in options && options.strict === true
  return clientOf((request) => handler.fetch(request, { getOrm: () => db.orm as never, prefix: '/api' }), strict)
}

/** Creates a client for a mounted REST handler. */
export function clientOf(fetch: Fetch, strict = false): RestClient {
  async function send(path: string, init: RequestInit = {}): Promise<TestResponse> {
    const response = await fetch(new Request(`http://localhost/api${path}`, init))
    return toTestResponse(response, { strict, sparse: /fields(%5B|\[)/i.test(path), method: init.method ?? 'GET' })
  }
  const write =
    (method: string) =>
    async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
      if (body === undefined) return send(path, { method, headers })
      const json = JSON.stringify(body)
      const response = await send(path, { method, headers: { 'Content-Type': MEDIA_TYPE, ...headers }, body: json })
      // "It MUST be a JSON Pointer to a value that exists in the request", except for missing attributes, which forms want
      // to show.
      for (const { code, source } of response.errors) {
        if (source?.pointer !== undefined && code !== 'missing-attribute')
          expect(pointsInto(JSON.parse(json), source.pointer), source.pointer).toBe(true)
      }
      return response
    }
  return {
    get: (path, headers = {}) => send(path, { headers }),
    post: write('POST'),
    patch: write('PATCH'),
    put: write('PUT'),
    delete: write('DELETE'),
    fetch: send,
    follow(link) {
      if (!link?.startsWith(`${ENDPOINT}/`)) throw new Error(`${link} does not start with the endpoint.`)
      return send(link.slice(ENDPOINT.length))
    },
  }
}

function pointsInto(body: unknown, pointer: string): boolean {
  let at = body
  for (const key of pointer.split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false
    at = Reflect.get(at, name)
  }
  return true
}

async function toTestResponse(
  response: Response,
  { strict, sparse, method }: { strict: boolean; sparse: boolean; method: string },
): Promise<TestResponse> {
  const text = await response.text()
  const body: Body = text === '' ? {} : JSON.parse(text)
  if (text !== '') {
    const type = response.headers.get('Content-Type')
    expect(type?.replace(/;(profile|ext)="[^"]+"$/, '')).toBe(MEDIA_TYPE)
    // The extension has other top-level members.
    if (type?.includes(';ext=')) expect(Object.keys(body).sort()).toEqual(['atomic:results', 'jsonapi'])
    else checkDocument(body, { strict, sparse })
  } else if (method !== 'HEAD') {
    expect([204, 304]).toContain(response.status)
  }
  for (const error of body.errors ?? []) {
    expect(error.detail).not.toMatch(/prisma|node_modules|invocation|\bSELECT\b|\.ts\b/i)
  }
  // Passwords of the blog's users must never appear.
  expect(text).not.toContain('secret-')
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    get one() {
      const { data } = body
      if (!data || 'length' in data) throw new Error(`This is not one resource: ${text}`)
      return data
    },
    get many() {
      return listOf(body)
    },
    get ids() {
      return listOf(body).map(({ id }) => id)
    },
    errors: body.errors ?? [],
  }
}

function listOf({ data }: Body): readonly ResourceObject[] {
  if (!data || !('length' in data)) throw new Error(`This is not a list: ${JSON.stringify(data)}`)
  return data
}
