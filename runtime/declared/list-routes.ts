import { type Context, Hono } from 'hono'

import { httpError } from '../errors/http-error.js'
import type { ApiEnv } from '../http/handler-types.js'
import { readableRequest } from '../http/read-body.js'
import { respondWithContextHeaders } from '../http/response-headers.js'
import { getBindings } from '../http/routing/custom-routes.js'
import { listRoutes } from '../http/routing/route.js'
import { applySchema, type StandardSchema } from '../http/standard-schema.js'
import { unsafeCast } from '../http/unsafe-cast.js'
import { isInTransaction } from '../prisma/transactions/transactions.js'
import type { Model } from '../schema/model.js'
import type { RouteDeclaration, RouteDeclarations } from '../http/routing/declaration-types.js'

/** A declared route with the function that implements it. */
export interface DeclaredRoute {
  /** The delegate name of the model. */
  readonly delegate: string
  readonly name: string
  /** `post.publish`, for messages. */
  readonly label: string
  readonly declaration: RouteDeclaration
  /** Whether the path contains the model's id. */
  readonly hasId: boolean
  readonly implementation: (call: object) => unknown
}

/** The functions that implement routes, by delegate name and route. Their types exist only in the emitted code. */
export type Implementations = Readonly<Record<string, Readonly<Record<string, (call: never) => unknown>>>>

/**
 * Lists declared routes.
 * @throws Error if a route has no implementation, an invalid path, or the method and path of another route
 */
export function listDeclaredRoutes(
  declarations: RouteDeclarations,
  implementations: Implementations,
): readonly DeclaredRoute[] {
  const labels = new Map<string, string>()
  return Object.entries(declarations).flatMap(([delegate, routes = {}]) =>
    Object.entries(routes).map(([name, declaration]): DeclaredRoute => {
      const label = `${delegate}.${name}`
      const { method, path } = declaration
      const segments = path.split('/').slice(1)
      for (const segment of segments) assertSegment(segment, path, label)
      const key = `${method} /${delegate}${path}`
      const other = labels.get(key)
      if (other !== undefined) throw new Error(`The routes ${other} and ${label} have the same method and path.`)
      labels.set(key, label)
      const implementation = implementations[delegate]?.[name]
      if (typeof implementation !== 'function') throw new Error(`The route ${label} has no implementation.`)
      const hasId = segments.includes(':id')
      return { delegate, name, label, declaration, hasId, implementation: unsafeCast(implementation) }
    }),
  )
}

function assertSegment(segment: string, path: string, label: string): void {
  if (segment === ':id' || /^[\w.~-]+$/.test(segment)) return
  const problem = segment.startsWith(':')
    ? `has an unknown parameter "${segment}". The only parameter is ":id".`
    : 'must consist of ":id" and segments of letters, digits, "-", "_", "." and "~".'
  throw new Error(`The path "${path}" of the route ${label} ${problem}`)
}

/**
 * Returns the model of a route.
 * @throws Error if the handler does not expose it or the model of the result
 */
export function findRouteModel(route: DeclaredRoute, models: readonly Model[]): Model {
  const { delegate, label } = route
  const model = models.find((candidate) => candidate.delegate === delegate)
  if (!model) throw new Error(`The model "${delegate}" of the route ${label} is not exposed.`)
  const result = getResultModel(route)
  if (result !== undefined && !models.some(({ name }) => name === result)) {
    throw new Error(`The result "${result}" of the route ${label} is not an exposed model.`)
  }
  return model
}

/** @throws Error if the generated router of the model already has a route with this method and path */
export function assertNotGenerated(
  { label, declaration: { method } }: DeclaredRoute,
  path: string,
  router: Hono<ApiEnv> | undefined,
): void {
  if (listRoutes(router).some((route) => route.method === method && route.path === path)) {
    throw new Error(`The route ${label} has the method and path of a generated route: ${method} ${path}.`)
  }
}

/** Registers the action of a declared route. */
export type RegisterRoute = (method: string, path: string, action: (c: Context) => Promise<Response>) => void

/** Creates a function that registers declared routes on an app. Their writes are executed at most once per idempotency key. */
export function registerOn(app: Hono<ApiEnv>): RegisterRoute {
  // Each attempt has its own context, so that it reads the request again, and its stored response has no headers of middleware.
  const writes = new Hono<ApiEnv>({ getPath: (_request, options) => options?.env?.path ?? '/' })
  writes.onError((error) => {
    throw error
  })
  return (method, path, action) => {
    if (method === 'GET') {
      app.get(path, action)
      return
    }
    writes.on(method, path, action)
    app.on(method, path, async (c) => {
      const { executeWrite } = getBindings(c)
      if (!executeWrite) return action(c)
      const request = await readableRequest(c.req)
      return respondWithContextHeaders(
        c,
        await executeWrite(request, (attempt, bindings) => writes.fetch(attempt, bindings)),
      )
    })
  }
}

/** Returns the model of the rows that a route returns, or undefined if it returns none. */
export function getResultModel({ declaration: { result } }: DeclaredRoute): string | undefined {
  if (typeof result === 'string') return result
  return isList(result) ? result[0] : undefined
}

/** Returns the schema of the value that a route returns, or undefined if it returns rows or nothing. */
function getResultSchema({ declaration: { result } }: DeclaredRoute): StandardSchema | undefined {
  return typeof result === 'string' || isList(result) ? undefined : result
}

function isList(result: RouteDeclaration['result']): result is readonly [string] {
  return Array.isArray(result)
}

/** The part of both `api` objects that provides the client and the context of a request. */
interface RequestAccessors {
  context(c: Context): Promise<unknown>
  orm(c: Context): Promise<unknown>
}

/**
 * Calls the function that implements a route.
 * @param input the validated parts of the request
 * @returns the result, which matches the declared schema if it is not a row
 */
export async function callRoute(
  c: Context,
  api: RequestAccessors,
  route: DeclaredRoute,
  input: { readonly where?: object; readonly body?: unknown; readonly query?: unknown },
): Promise<unknown> {
  const context = await api.context(c)
  const orm = withNestedLists(await api.orm(c))
  const { declaration, label, implementation } = route
  const fail = (code: string, detail: string): Error => {
    const { errors = {} } = declaration
    const status = Object.hasOwn(errors, code) ? errors[code] : undefined
    return status === undefined
      ? new Error(`The route ${label} does not declare the error "${code}".`)
      : httpError(status, detail, { code })
  }
  const result = await implementation({ ...input, orm, context, fail })
  const schema = getResultSchema(route)
  return schema ? validateResult(schema, result, label) : result
}

/**
 * Returns a client whose `$transaction` runs lists of queries in its transaction, if it is in one because the request has an idempotency
 * key. Prisma would run them in a separate transaction.
 */
function withNestedLists(client: unknown): unknown {
  if (typeof client !== 'object' || client === null || !isInTransaction(client)) return client
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (name !== '$transaction' || typeof member !== 'function') return member
      return (work: unknown, options?: unknown): unknown =>
        member.call(target, Array.isArray(work) ? () => runInOrder(work) : work, options)
    },
  })
}

async function runInOrder(queries: readonly unknown[]): Promise<unknown[]> {
  const results: unknown[] = []
  for (const query of queries) results.push(await query)
  return results
}

/** @throws Error if the app returned an invalid result */
async function validateResult(schema: StandardSchema, result: unknown, label: string): Promise<unknown> {
  try {
    return await applySchema(schema, result, (message, path) => ({
      code: 'internal-error',
      detail: path.length > 0 ? `${path.join('.')}: ${message}` : message,
    }))
  } catch (cause) {
    throw new Error(`The route ${label} returned an invalid result.`, { cause })
  }
}
