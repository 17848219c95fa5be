import { type Context, Hono } from 'hono'

import { didYouMean } from '../errors/did-you-mean.js'
import { httpError } from '../errors/http-error.js'
import { type ErrorDetail, mapErrors, RequestError } from '../errors/request-error.js'
import type { ClientAccessors } from '../http/client-accessors.js'
import type { ApiEnv } from '../http/handler-types.js'
import { readableRequest } from '../http/read-body.js'
import { respondWithContextHeaders } from '../http/response-headers.js'
import { getBindings, type EndpointPaths } from '../http/routing/custom-routes.js'
import { listRoutes } from '../http/routing/route.js'
import { applySchema, type StandardSchema } from '../http/standard-schema.js'
import { unsafeCast } from '../http/unsafe-cast.js'
import { isInTransaction } from '../prisma/transactions/transactions.js'
import type { Model } from '../schema/model.js'
import type { RouteDeclaration, RouteDeclarations } from '../http/routing/declaration-types.js'

/** A declared route with the function that implements it. */
export interface DeclaredRoute {
  /** The delegate name of the model, or the name of a group without a model. */
  readonly group: string
  readonly name: string
  /** `post.publish`, for messages. */
  readonly label: string
  readonly declaration: RouteDeclaration
  /** Whether the path contains the model's id. */
  readonly hasId: boolean
  readonly implementation: (call: object) => unknown
}

/** The functions that implement routes, by group and route. Their types exist only in the emitted code. */
export type Implementations = Readonly<Record<string, Readonly<Record<string, (call: never) => unknown>>>>

/**
 * Lists declared routes.
 * @throws Error if a route has no implementation, an invalid name, method, path or property, or the method and path of another route
 */
export function listDeclaredRoutes(
  declarations: RouteDeclarations,
  implementations: Implementations,
): readonly DeclaredRoute[] {
  const labels = new Map<string, string>()
  return Object.entries(declarations).flatMap(([group, routes = {}]) =>
    Object.entries(routes).map(([name, declaration]): DeclaredRoute => {
      const label = `${group}.${name}`
      const { method, path } = declaration
      // RPC serves the route under its name.
      if (!/^[\w-]+$/.test(name))
        throw new Error(`The name of the route ${label} must consist of letters, digits, "-" and "_".`)
      assertMethod(method, label)
      assertList(declaration, label)
      assertProperties(declaration, label)
      if (!String(path).startsWith('/'))
        throw new Error(`The path "${path}" of the route ${label} must start with "/".`)
      const segments = path.split('/').slice(1)
      for (const segment of segments) assertSegment(segment, path, label)
      const key = `${method} /${group}${path}`
      const other = labels.get(key)
      if (other !== undefined) throw new Error(`The routes ${other} and ${label} have the same method and path.`)
      labels.set(key, label)
      const implementation = findValue(findValue(implementations, group) ?? {}, name)
      if (typeof implementation !== 'function') throw new Error(`The route ${label} has no implementation.`)
      const hasId = segments.includes(':id')
      return { group, name, label, declaration, hasId, implementation: unsafeCast(implementation) }
    }),
  )
}

/** Returns a property that the object does not inherit. */
function findValue<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function assertSegment(segment: string, path: string, label: string): void {
  if (segment === ':id' || /^[\w.~-]+$/.test(segment)) return
  const problem = segment.startsWith(':')
    ? `has an unknown parameter "${segment}". The only parameter is ":id".`
    : 'must consist of ":id" and segments of letters, digits, "-", "_", "." and "~".'
  throw new Error(`The path "${path}" of the route ${label} ${problem}`)
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Checks the method, which apps without TypeScript may write in lower case. */
function assertMethod(method: string, label: string): void {
  if (METHODS.includes(method)) return
  throw new Error(`The method of the route ${label} is ${JSON.stringify(method)}. Allowed: ${METHODS.join(', ')}.`)
}

/** The properties of a declaration that `list` depends on. Apps without TypeScript can combine them in any way. */
interface ListDeclaration {
  readonly list?: unknown
  readonly method: string
  readonly result?: unknown
}

function assertList({ list, method, result }: ListDeclaration, label: string): void {
  if (!list || (method === 'GET' && Array.isArray(result))) return
  throw new Error(`The route ${label} has "list", so its method must be GET and its result a list such as ['Post'].`)
}

/** Checks the properties of a declaration, because apps without TypeScript can combine them in any way. */
function assertProperties(declaration: RouteDeclaration, label: string): void {
  const { method } = declaration
  const input = method === 'GET' || method === 'DELETE' ? 'query' : 'body'
  const option = method === 'GET' ? 'list' : 'transaction'
  const allowed = ['method', 'path', 'summary', 'description', 'result', 'writes', 'errors', input, option]
  for (const [name, value] of Object.entries(declaration)) {
    if (value === undefined) continue
    if (!allowed.includes(name))
      throw new Error(`The route ${label} must not have "${name}". A ${method} route can have: ${allowed.join(', ')}.`)
    if ((name === 'summary' || name === 'description') && typeof value !== 'string')
      throw new Error(`The property "${name}" of the route ${label} must be a string.`)
    const isSchema = name === input || (name === 'result' && typeof value !== 'string' && !Array.isArray(value))
    if (isSchema && !Object(value)['~standard'])
      throw new Error(`The ${name} of the route ${label} must be a schema, such as z.object({ … }).`)
    // Only the rows of a model are checked before they are sent.
    if (name === 'result' && Array.isArray(value) && (value.length !== 1 || typeof value[0] !== 'string'))
      throw new Error(`The result of the route ${label} must be a list with the name of one model, such as ['Post'].`)
  }
}

/** The models of a schema, for the routes of a handler. */
export interface RouteModels {
  readonly exposed: readonly Model[]
  /** The delegate names of models that the handler does not expose. May also contain those of exposed models. */
  readonly hidden: readonly string[]
  /** Returns the spellings of a model in paths. */
  readonly spellings: (model: Model) => readonly string[]
}

/**
 * Returns the model of a route.
 * @returns undefined if the group of the route is not a model
 * @throws Error if the handler does not expose the model or the model of the result, or if the group or its paths are invalid
 */
export function findRouteModel(route: DeclaredRoute, models: RouteModels): Model | undefined {
  const { group, label } = route
  const model = models.exposed.find(({ delegate }) => delegate === group)
  if (!model) assertGroup(route, models)
  const result = getResultModel(route)
  if (result !== undefined && !models.exposed.some(({ name }) => name === result)) {
    throw new Error(`The result "${result}" of the route ${label} is not an exposed model.`)
  }
  return model
}

/**
 * Returns the message for calls of routes that transactions and atomic operations must not contain.
 * @param methods the methods of the routes at the path
 */
export function notInTransaction(methods: readonly string[]): string {
  const reason = methods.every((method) => method === 'GET') ? 'method is GET' : 'declaration lacks "transaction: true"'
  return `This route cannot be part of a transaction, because its ${reason}.`
}

/** Checks a route whose group is not an exposed model. */
function assertGroup(
  { group, label, hasId, declaration }: DeclaredRoute,
  { exposed, hidden, spellings }: RouteModels,
): void {
  const isGroup = (name: string) => name.toLowerCase() === group.toLowerCase()
  const model = exposed.find((candidate) => spellings(candidate).some(isGroup))
  if (model) {
    throw new Error(
      `The group "${group}" of the route ${label} is another spelling of the model ${model.name}. Use "${model.delegate}".`,
    )
  }
  if (hidden.some(isGroup)) throw new Error(`The model "${group}" of the route ${label} is not exposed.`)
  if (!/^[a-z][\w-]*$/i.test(group)) {
    throw new Error(
      `The group "${group}" of the route ${label} must start with a letter and consist of letters, digits, "-" and "_".`,
    )
  }
  if (!hasId) return
  const delegates = exposed.map(({ delegate }) => delegate)
  throw new Error(
    `The route ${label} must not have ":id" in its path "${declaration.path}", because "${group}" is not a model.` +
      `${didYouMean(group, delegates)} Models: ${delegates.join(', ')}.`,
  )
}

/** The groups without a model that a handler serves, under their names in lower case. */
export interface GroupPaths {
  /** Path name of a group → the paths of its routes. */
  readonly paths: Map<string, string[]>
  /**
   * Adds a route and returns the path name of its group.
   * @throws Error if another endpoint has its path, or another group has the same path name
   */
  readonly add: (route: DeclaredRoute, path: string) => string
}

/** Creates an empty list of groups without a model. */
export function createGroupPaths(endpointPaths: EndpointPaths): GroupPaths {
  const paths = new Map<string, string[]>()
  const names = new Map<string, string>()
  return {
    paths,
    add({ group, label }, path) {
      const segment = group.toLowerCase()
      const other = names.get(segment) ?? group
      if (other !== group) throw new Error(`The groups "${other}" and "${group}" of routes have the same path.`)
      names.set(segment, group)
      if (endpointPaths.includes(`/${segment}${path}`)) {
        throw new Error(`The route ${label} has the path of another endpoint: /${segment}${path}.`)
      }
      paths.set(segment, [...new Set([...(paths.get(segment) ?? []), path.slice(1)])])
      return segment
    },
  }
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

/** Creates an app for requests from other routes. It rethrows errors instead of rendering them. */
export function createInnerApp(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>({ getPath: (_request, options) => options?.env?.path ?? '/' })
  app.onError((error) => {
    throw error
  })
  return app
}

/** Registers the action of a declared route. */
export type RegisterRoute = (method: string, path: string, action: (c: Context) => Promise<Response>) => void

/** Creates a function that registers declared routes on an app. Their writes are executed at most once per idempotency key. */
export function registerOn(app: Hono<ApiEnv>): RegisterRoute {
  // Each attempt has its own context, so that it reads the request again, and its stored response has no headers of middleware.
  const writes = createInnerApp()
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

/** The rows that a list route returned, and the number of rows on all pages, if the route returned it. */
interface ListResult {
  readonly rows: readonly unknown[]
  readonly total?: number
}

/**
 * Returns the rows of a list route and their total.
 * @param result the result of the route's function: rows or `{ rows, total }`
 * @throws Error if it is neither
 */
export function toListResult(result: unknown, label: string): ListResult {
  const { rows, total }: { rows?: unknown; total?: unknown } = Array.isArray(result) ? { rows: result } : Object(result)
  if (!Array.isArray(rows)) throw new Error(`The route ${label} must return rows or { rows, total }.`)
  if (total === undefined) return { rows }
  if (typeof total === 'number' && Number.isInteger(total) && total >= 0) return { rows, total }
  throw new Error(`The total that the route ${label} returned must be a non-negative integer.`)
}

/** The validated parts of a request to a route. */
export interface RouteInput {
  readonly where?: object
  readonly args?: object
  readonly body?: unknown
  readonly query?: unknown
}

/**
 * Calls the function that implements a route.
 * @param accessors provide the client and the context of the request
 * @param locate returns the location of a member of the body or query in the request, for errors that name a field
 * @returns the result, validated if the declaration has a schema, or null if the declaration has no result
 */
export async function callRoute(
  { getContext, getOrm }: Pick<ClientAccessors, 'getContext' | 'getOrm'>,
  route: DeclaredRoute,
  input: RouteInput,
  locate: LocateInput,
): Promise<unknown> {
  const { declaration, label, implementation } = route
  const fail = (code: string, detail: string): Error => {
    const { errors = {} } = declaration
    const status = Object.hasOwn(errors, code) ? errors[code] : undefined
    return status === undefined
      ? new Error(`The route ${label} does not declare the error "${code}".`)
      : httpError(status, detail, { code })
  }
  const result = await locateErrors(input, locate, async () => {
    const context = await getContext()
    const orm = withNestedLists(await getOrm())
    return implementation({ ...input, orm, context, fail })
  })
  // Without `result`, a function may still return a row: `() => orm.post.update(…)`. It must not be sent.
  if (declaration.result === undefined) return null
  const schema = getResultSchema(route)
  return schema ? validateResult(schema, result, label) : result
}

/** Returns the location of a member of the body or query of a route in the request. */
export type LocateInput = (part: 'body' | 'query', name: string) => Pick<ErrorDetail, 'path' | 'source'>

/**
 * Calls the function of a route and corrects the locations of its errors. Errors that name a field point to it if the validated input contains
 * it. Other locations are removed, because they refer to calls inside the function.
 */
async function locateErrors(
  { body, query }: RouteInput,
  locate: LocateInput,
  call: () => Promise<unknown>,
): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const relocateError = ({ field, path: _path, source: _source, ...detail }: ErrorDetail): ErrorDetail => {
      const isIn = (input: unknown) => field !== undefined && Object.hasOwn(Object(input), field)
      if (isIn(body)) return { ...detail, ...locate('body', `${field}`) }
      return isIn(query) ? { ...detail, ...locate('query', `${field}`) } : detail
    }
    throw mapErrors(error, relocateError, { cause: error.cause ?? error })
  }
}

/**
 * Returns a client whose `$transaction` runs lists of queries in its transaction, if it is in one because the request has an idempotency
 * key or contains several operations. Prisma would run them in a separate transaction.
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
    return await applySchema(schema, result, () => ({ code: 'internal-error' }))
  } catch (cause) {
    throw new Error(`The route ${label} returned an invalid result.`, { cause })
  }
}
