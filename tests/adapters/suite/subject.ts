import { expect } from 'vitest'

import type { ApiHandler } from '../../../runtime/http/handler-types.js'
import type { Database } from '../../support/databases.js'
import type { Running } from './serving.js'

/** Differences between frameworks that adapters cannot avoid. */
export interface FrameworkTraits {
  /** A body parser runs before the handler, with its own limits and errors. */
  readonly parsed?: boolean
  /** The framework sends a streamed response to the end, even if the client has disconnected. */
  readonly sendsToTheEnd?: boolean
  /** The framework rebuilds the query. Values are preserved, and so is the order of the values of each name. */
  readonly rewritesQuery?: boolean
  /** The framework reads the whole body before it calls the handler. */
  readonly buffered?: boolean
}

/** The calls of the app's functions. */
export interface AccessorCalls {
  /** The user in each call of `context`. */
  readonly context: unknown[]
  /** The context in each call of `getOrm`. */
  readonly getOrm: unknown[]
}

/** The input of each part of the suite. */
export interface Subject {
  readonly traits: FrameworkTraits
  readonly db: Database
  readonly server: () => Running
  /** Sets the handler of {@link OTHER} for one test. */
  readonly respondWith: (handler: ApiHandler<unknown>) => void
  /** Returns the calls of `context` and `getOrm` since the test began. */
  readonly accessorCalls: () => AccessorCalls
  /** Returns the framework's log since the test began. */
  readonly logged: () => string
}

/** The mount paths of the suite's handlers. */
export const [ECHO, REST, RPC, OTHER, TENANT] = ['/v1/echo', '/v1/rest', '/v1/rpc', '/v1/other', '/t/:tenant/api']

/** The base of every link of the REST handler. */
export const ENDPOINT = `https://blog.example${REST}`

/** Body limit of the RPC handler. */
export const BODY_BYTES = 1_000_000

/** The error message of the suite's `getOrm`. */
export const SECRET = 'connect ECONNREFUSED 10.0.0.1:5432 (password: secret)'

/** A JSON response. The body may be missing. */
export interface TestResponse {
  readonly status: number
  readonly body: unknown
}

/** Sends a request and parses the response as JSON. */
export async function fetchJson(server: Running, path: string, init?: RequestInit): Promise<TestResponse> {
  const response = await server.fetch(path, init)
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, body: type.includes('json') ? JSON.parse(text) : text }
}

/** Sends a request and expects JSON with a successful status. */
export async function fetchOkJson<T>(server: Running, path: string, init?: RequestInit): Promise<T> {
  const response = await server.fetch(path, init)
  expect(response.status).toBeLessThan(300)
  return response.json() as Promise<T>
}

/** Returns a request with a JSON body. */
export function sending(method: string, body: unknown, type = 'application/json'): RequestInit {
  return { method, body: JSON.stringify(body), headers: { 'content-type': type } }
}
