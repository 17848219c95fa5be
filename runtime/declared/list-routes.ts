import { didYouMean } from '../errors/did-you-mean.js'
import type { RouteDeclaration, RouteDeclarations } from '../http/routing/declaration-types.js'
import type { StandardSchema } from '../http/standard-schema.js'
import { unsafeCast } from '../http/unsafe-cast.js'
import type { Model } from '../schema/model.js'
import { checkDeclaration } from './check-declaration.js'

/** A declared route with the function that implements it. */
export interface DeclaredRoute {
  /** The delegate name of the model, or the name of a group without a model. */
  readonly group: string
  readonly name: string
  /** `post.publish`, for messages. */
  readonly label: string
  readonly declaration: RouteDeclaration
  /** The path below the model or group in REST. Empty for the path of the group. */
  readonly path: string
  /** Whether the path contains the model's id. */
  readonly hasId: boolean
  readonly implementation: (call: object) => unknown
}

/** The functions that implement routes, by group and route. Their types exist only in the emitted code. */
export type Implementations = Readonly<Record<string, Readonly<Record<string, (call: never) => unknown>>>>

/**
 * Lists declared routes.
 * @throws Error if a route has no implementation, an invalid name, method, path or property, or the method and path of another route, or if
 *   an implementation has no declaration
 */
export function listDeclaredRoutes(
  declarations: RouteDeclarations,
  implementations: Implementations,
): readonly DeclaredRoute[] {
  const labels = new Map<string, string>()
  const listed = Object.entries(declarations).flatMap(([group, routes = {}]) =>
    Object.entries(routes).map(([name, declaration]): DeclaredRoute => {
      const label = `${group}.${name}`
      const { method, path } = declaration
      // RPC serves the route under its name.
      if (!/^[\w-]+$/.test(name))
        throw new Error(`The name of the route ${label} must consist of letters, digits, "-" and "_".`)
      checkDeclaration(declaration, label)
      const key = `${method} /${group}${path}`
      const other = labels.get(key)
      if (other !== undefined) throw new Error(`The routes ${other} and ${label} have the same method and path.`)
      labels.set(key, label)
      const implementation = findValue(findValue(implementations, group) ?? {}, name)
      if (typeof implementation !== 'function') throw new Error(`The route ${label} has no implementation.`)
      const hasId = path.split('/').includes(':id')
      const subpath = path === '/' ? '' : path
      return { group, name, label, declaration, path: subpath, hasId, implementation: unsafeCast(implementation) }
    }),
  )
  assertDeclared(listed, implementations)
  // The first route with a matching path handles a request. Otherwise, `/:id/close` could hide `/all/close`.
  return listed.toSorted((a, b) => getIdIndex(b) - getIdIndex(a))
}

/** @throws Error that names the first implementation without a declaration */
function assertDeclared(routes: readonly DeclaredRoute[], implementations: Implementations): void {
  const labels = routes.map(({ label }) => label)
  const implemented = Object.entries(implementations).flatMap(([group, functions]) =>
    Object.keys(functions ?? {}).map((name) => `${group}.${name}`),
  )
  const unknown = implemented.find((label) => !labels.includes(label))
  if (unknown === undefined) return
  throw new Error(`The route ${unknown} is implemented, but not declared.${didYouMean(unknown, labels)}`)
}

/** Returns the index of the segment `:id` in the path of a route, or the largest index if it has none. */
function getIdIndex({ path }: DeclaredRoute): number {
  const index = path.split('/').indexOf(':id')
  return index < 0 ? Number.MAX_SAFE_INTEGER : index
}

/** Returns a property that the object does not inherit. */
function findValue<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** The models of a schema, for the routes of a handler. */
export interface RouteModels {
  readonly exposed: readonly Model[]
  /** The delegate names of models that the handler does not expose. May also contain those of exposed models. */
  readonly hidden: readonly string[]
  /** Returns the spellings of a model in paths. */
  readonly spellings: (model: Model) => readonly string[]
}

/** The methods that the REST client has for each model. */
const REST_CLIENT_METHODS = [
  'create',
  'delete',
  'each',
  'get',
  'list',
  'pages',
  'related',
  'relationship',
  'update',
  'upsert',
]

/**
 * Returns the model of a route.
 * @returns undefined if the group of the route is not a model
 * @throws Error if the handler does not expose the model or the model of the result, if the group or its paths are invalid, or if the route has
 *   the name of a method of the REST client
 */
export function findRouteModel(route: DeclaredRoute, models: RouteModels): Model | undefined {
  const { group, label } = route
  const model = models.exposed.find(({ delegate }) => delegate === group)
  if (!model) assertGroup(route, models)
  else if (route.path === '') {
    throw new Error(`The path "/" of the route ${label} is the collection of ${model.name}. Add a segment.`)
  } else if (REST_CLIENT_METHODS.includes(route.name)) {
    throw new Error(`The route ${label} must have another name, because the REST client has a method "${route.name}".`)
  }
  const names = models.exposed.map(({ name }) => name)
  const result = getResultModel(route)
  if (result !== undefined && !names.includes(result))
    throw new Error(`The result "${result}" of the route ${label} is not an exposed model.${didYouMean(result, names)}`)
  // The other style may expose a model that this one does not.
  const isHidden = (model: string) => models.hidden.some((delegate) => delegate.toLowerCase() === model.toLowerCase())
  const unknown = [route.declaration.writes ?? []].flat().find((name) => !names.includes(name) && !isHidden(name))
  if (unknown !== undefined)
    throw new Error(
      `The route ${label} writes "${unknown}", which is not an exposed model.${didYouMean(unknown, names)}`,
    )
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

/** Returns the model of the rows that a route returns, or undefined if it returns none. */
export function getResultModel({ declaration: { result } }: DeclaredRoute): string | undefined {
  if (typeof result === 'string') return result
  return isList(result) ? result[0] : undefined
}

/** Returns the schema of the value that a route returns, or undefined if it returns rows or nothing. */
export function getResultSchema({ declaration: { result } }: DeclaredRoute): StandardSchema | undefined {
  return typeof result === 'string' || isList(result) ? undefined : result
}

function isList(result: RouteDeclaration['result']): result is readonly [string] {
  return Array.isArray(result)
}
