import type { MiddlewareHandler } from 'hono'

import { RequestError } from '../../errors/request-error.js'
import type { AssertActive } from '../active-request.js'
import type { ApiEnv } from '../handler-types.js'
import { CACHE_CONTROL } from '../response-headers.js'
import { methodNotAllowed } from './route.js'

/** Handles a GET request to a path that does not belong to a model. */
export type StaticEndpoint = (request: Request) => Response | Promise<Response>

/** Static endpoints by their paths below the prefix: `/openapi.json`. */
export type StaticEndpoints = ReadonlyMap<string, StaticEndpoint>

/**
 * Serves a static endpoint. Responses to HEAD have no body, and methods other than GET and HEAD are rejected with a 405.
 * @param fail renders an error in the format of REST or RPC
 */
export async function serveStaticEndpoint(
  page: StaticEndpoint,
  request: Request,
  fail: (error: unknown) => Response,
): Promise<Response> {
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(method, ['GET'], fail)
  try {
    const { status, headers, body } = await page(request)
    return new Response(method === 'HEAD' ? null : body, { status, headers })
  } catch (error) {
    return fail(error)
  }
}

/** Middleware that copies the variables of the outer app to the context. */
export const forwardVariables: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { variables } = c.env
  for (const name in variables) c.set(name, variables[name])
  await next()
}

/**
 * Redirects to the canonical path and keeps the query. The status 308 preserves the method and the body. The location is relative to the
 * requested URL, because a proxy may have changed the beginning of its path.
 * @param subpath the part of the requested path after its first segment
 */
export function redirect(path: string, subpath: string, url: string): Response {
  const [withoutFragment = ''] = url.split('#', 1)
  const query = withoutFragment.indexOf('?')
  const location = '../'.repeat(subpath.split('/').length - 1) + path
  return new Response(null, {
    status: 308,
    headers: { Location: query < 0 ? location : location + withoutFragment.slice(query), ...CACHE_CONTROL },
  })
}

/** The environment of a POST endpoint: the bindings of routes without those that depend on a path. */
export type PostEndpointEnv = Omit<ApiEnv['Bindings'], 'path' | 'customMethods' | 'delegate'>

/** An endpoint for POST, in addition to the models. */
export interface PostEndpoint {
  /** The path below the prefix: `/operations`. */
  readonly path: string
  /** The name of the operation, for telemetry. */
  readonly operation: string
  /**
   * Serves a request. Methods other than POST are rejected with a 405.
   * @param fail renders an error in the format of REST or RPC
   */
  serve(request: Request, env: PostEndpointEnv, fail: (error: unknown) => Response): Promise<Response>
}

/**
 * Creates a {@link PostEndpoint}.
 * @param serve serves a POST request; its errors are rendered in the error format of REST or RPC
 */
export function createPostEndpoint(
  path: string,
  operation: string,
  serve: (request: Request, env: PostEndpointEnv) => Promise<Response>,
): PostEndpoint {
  return {
    path,
    operation,
    async serve(request, env, fail) {
      const { method } = request
      if (method !== 'POST') return methodNotAllowed(method, ['POST'], fail)
      try {
        return await serve(request, env)
      } catch (error) {
        return fail(await explainError(error, env))
      }
    },
  }
}

/** Returns the error to respond with. If the route has set `explain`, it can replace the error with a more specific one. */
export async function explainError(
  error: unknown,
  { explain, assertActive }: Pick<ApiEnv['Bindings'], 'explain' | 'assertActive'>,
): Promise<unknown> {
  if (!explain || error instanceof RequestError || !isActive(assertActive)) return error
  try {
    return await explain(error)
  } catch (explained) {
    // If finding the cause fails too, for example in a transaction that has ended, the original error is used.
    return explained instanceof RequestError ? explained : error
  }
}

function isActive(assertActive: AssertActive): boolean {
  try {
    assertActive()
    return true
  } catch {
    return false
  }
}

/** Constraints on the path of an endpoint. */
export interface EndpointPath {
  /** The name of the option, for messages. */
  readonly option: string
  /** The path if the option is `true`. */
  readonly fallback: string
  /** A suggestion if the path is taken. */
  readonly example: string
  /** Whether the path may have multiple segments. The path of an endpoint that serves files below it must have only one segment. */
  readonly deep?: true
  /** Whether another endpoint is served at paths that begin with this segment. */
  readonly isReserved: (segment: string) => boolean
}

/** Excludes the segments `.` and `..`, because clients resolve them before they send a request. */
const SEGMENT = '(?!\\.{1,2}(?:/|$))[\\w.~-]+'

/**
 * Parses the path of an endpoint below the prefix from an option: `true`, `false` or a path.
 * @returns undefined if the option is off
 * @throws Error if the value is not a valid path, or if the path is taken
 */
export function parseEndpointPath(
  value: unknown,
  { option, fallback, example, deep, isReserved }: EndpointPath,
): string | undefined {
  if (value === undefined || value === false) return undefined
  const path = value === true ? fallback : value
  const pattern = new RegExp(deep ? `^(/${SEGMENT})+$` : `^/${SEGMENT}$`)
  if (typeof path !== 'string' || !pattern.test(path)) {
    const kind = deep ? 'a path below the prefix' : 'a path of one segment'
    throw new Error(
      `${option} must be true, false, or ${kind}, such as "${fallback}", but is ${JSON.stringify(value)}.`,
    )
  }
  const [, segment = ''] = path.split('/', 2)
  if (isReserved(segment))
    throw new Error(`${option}: "/${segment}" is taken. Use another path: ${option}: "${example}".`)
  return path
}
