import { expect } from 'vitest'

import type { ApiHandler } from '../../../runtime/http/api-handler.js'
import type { Database } from '../../support/databases.js'
import type { Running } from './serving.js'

/** What differs by framework, where it is the framework's own doing. */
export interface FrameworkTraits {
  /** A body parser stands before the handler, with limits and refusals of its own. */
  readonly parsed?: boolean
  /** The framework sends a streamed answer to the end, whether or not somebody reads it. */
  readonly sendsToTheEnd?: boolean
  /** The framework writes the query anew: values keep their order under each name, and what they say. */
  readonly rewritesQuery?: boolean
  /** The framework reads bodies whole before the handler is asked. */
  readonly buffered?: boolean
}

/** The calls of the app's functions. */
export interface AccessorCalls {
  /** The user of each call of `context`. */
  readonly context: unknown[]
  /** The context that each call of `getOrm` was given. */
  readonly getOrm: unknown[]
}

/** What the parts of the suite are told. */
export interface Subject {
  readonly traits: FrameworkTraits
  readonly db: Database
  readonly server: () => Running
  /** Makes {@link OTHER} answer with this handler, for one test. */
  readonly respondWith: (handler: ApiHandler<unknown>) => void
  /** What `context` was asked and `getOrm` was told since the test began. */
  readonly accessorCalls: () => AccessorCalls
  /** What stands in the framework's log since the test began. */
  readonly logged: () => string
}

/** Where the suite's handlers are mounted, side by side. */
export const [ECHO, REST, RPC, OTHER, TENANT] = ['/v1/echo', '/v1/rest', '/v1/rpc', '/v1/other', '/t/:tenant/api']

/** The base of every link of the REST handler. */
export const ENDPOINT = `https://blog.example${REST}`

/** The limit of the bodies that the RPC handler takes. */
export const BODY_BYTES = 1_000_000

/** What the suite's `getOrm` fails with. */
export const SECRET = 'connect ECONNREFUSED 10.0.0.1:5432 (password: secret)'

/** An answer in JSON, if it has a body. */
export interface TestResponse {
  readonly status: number
  readonly body: unknown
}

/** Asks, and reads the answer as JSON. */
export async function fetchJson(server: Running, path: string, init?: RequestInit): Promise<TestResponse> {
  const response = await server.fetch(path, init)
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, body: type.includes('json') ? JSON.parse(text) : text }
}

/** Asks, and expects JSON with one of the successful statuses. */
export async function fetchOkJson<T>(server: Running, path: string, init?: RequestInit): Promise<T> {
  const response = await server.fetch(path, init)
  expect(response.status).toBeLessThan(300)
  return response.json() as Promise<T>
}

/** A request with a JSON body. */
export function sending(method: string, body: unknown, type = 'application/json'): RequestInit {
  return { method, body: JSON.stringify(body), headers: { 'content-type': type } }
}
