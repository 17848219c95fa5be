import type { AnyApi, ClientOf } from '../api.js'
import { encode } from '../codec/encode.js'
import { hasId, hasRows, type RouteDeclaration, type RouteDeclarations } from '../declarations.js'
import type { CallOptions } from '../http/options.js'
import { lazyMembers } from '../lazy-members.js'
import type { JsonApiDocument } from './document.js'
import { RestError } from './error.js'
import { getId, getVersion, idString } from './id.js'
import { createResourceList, type ResourceList } from './list.js'
import type { PendingRoute } from './pending.js'
import type { RestClientOptions } from './options.js'
import { buildQueryString } from './query.js'
import { isList, type ResourceObject, toResources } from './resources.js'
import type { RestTransport } from './rest-transport.js'
import { valueToText } from './text.js'
import { typeNames, uncapitalized } from './type-names.js'
import type { ClientTypes } from './types/api.js'
import type { RestClientWithRoutes } from './types/routes.js'
import type { ResourceOrId } from './types/values.js'

/** The internals of a client, which the property `$server` contains. */
type Server = readonly [
  transport: RestTransport,
  options: Pick<RestClientOptions, 'modelNameMapping'> & { readonly graph?: object },
]

/**
 * Adds a method for each declared custom route to a REST client. Its arguments are the id and the body or query, if the route has them,
 * then the query of the response if the route returns rows, and the request options. A route with list parameters has the query of `list`.
 * Methods of routes with `transaction` also have a `call` method, for `$operations`. Its arguments are the id and the body or query.
 * @param client the client from `createRestClient`
 * @param declarations the result of the generated `declareRoutes`
 * @throws TypeError if a route has the name of a method of its collection. A client without `graph` and `modelNameMapping` does not know its
 * models and therefore checks the routes of all groups.
 * @example
 * ```ts
 * import { createRestClient, withRestRoutes } from '@routewright/client'
 * import type { Api } from './routes/client.js'
 * import { declareRoutes } from './routes/declare-routes.js'
 *
 * const declarations = declareRoutes({ post: { publish: { method: 'POST', path: '/:id/publish', result: 'Post' } } })
 * const rest = withRestRoutes(createRestClient<Api>({ url: '/api/rest' }), declarations)
 * const post = await rest.post.publish('7', { include: ['author'] })
 * ```
 * @see [Custom routes of the REST client](docs/rest-client.md#custom-routes)
 */
export function withRestRoutes<
  T extends object,
  A extends AnyApi,
  C extends ClientTypes,
  const R extends RouteDeclarations,
>(client: T & ClientOf<A, C>, declarations: R): RestClientWithRoutes<T, A, C, R>
export function withRestRoutes(client: object, declarations: RouteDeclarations): object {
  const [transport, { modelNameMapping, graph = {} }]: Server = Reflect.get(client, '$server')
  const getType = typeNames(modelNameMapping)
  const models = new Set(Object.keys(modelNameMapping ?? graph).map(uncapitalized))
  return lazyMembers((name) => {
    const routes = Object.hasOwn(declarations, name) ? declarations[name] : undefined
    if (!routes) return Reflect.get(client, name)
    const isModel = models.size === 0 || models.has(name)
    const type = isModel ? getType(name) : name.toLowerCase()
    const collection: unknown = isModel ? Reflect.get(client, name) : {}
    const methods = Object.entries(routes).map(([route, declaration]) => {
      if (route in Object(collection)) throw new TypeError(`${name}.${route} is a method of the REST client.`)
      return [route, createRoute(type, declaration, transport, getType)]
    })
    return Object.assign({}, collection, Object.fromEntries(methods))
  })
}

function createRoute(
  type: string,
  declaration: RouteDeclaration,
  transport: RestTransport,
  getType: (name: string) => string,
) {
  const { method, path: template, body: bodySchema, query: querySchema, errors, transaction } = declaration
  const takesId = hasId(declaration)
  const returnsRows = hasRows(declaration)
  const pathWithSegment = (segment: string) =>
    `/${encodeURIComponent(type)}${template === '/' ? '' : template.replace(':id', segment)}`
  const toPath = (target: ResourceOrId | undefined) => pathWithSegment(takesId ? toSegment(target) : '')
  const request = async (args: readonly unknown[]): Promise<unknown> => {
    let position = 0
    const nextArgument = () => Object(args)[position++]
    const target: ResourceOrId | undefined = takesId ? nextArgument() : undefined
    const input: unknown = bodySchema || querySchema ? nextArgument() : undefined
    const shape: unknown = returnsRows ? nextArgument() : undefined
    const options: CallOptions | undefined = nextArgument()
    const path = toPath(target)
    const search = [
      (await buildQueryString(Object(shape), getType)).slice(1),
      querySchema ? String(toParameters(input)) : '',
    ].filter(Boolean)
    const url = search.length > 0 ? `${path}?${search.join('&')}` : path
    const body = bodySchema && JSON.stringify(encode(input ?? {}).json)
    if (returnsRows) {
      const { document } = await transport.request(method, url, body, options, target)
      return document ? toRows(document, path, transport) : null
    }
    const { json } = await transport.exchange(method, url, { body, key: 'meta', target }, options)
    return json && Object(json['meta']).result
  }
  const send = async (...args: readonly unknown[]): Promise<unknown> => {
    try {
      return await request(args)
    } catch (error) {
      throw error instanceof RestError ? Object.assign(error, { isCustomRoute: true }) : error
    }
  }
  const pending = (...args: readonly unknown[]): PendingRoute => ({
    toOperation(createdIds) {
      const input: unknown = args[takesId ? 1 : 0]
      const target: ResourceOrId | undefined = takesId ? Object(args)[0] : undefined
      const id = target && getId(target)
      // The server replaces ":id" with the id of the resource that the same request creates.
      const lid = createdIds.has(id) ? id : undefined
      const body = bodySchema && encode(input ?? {}).json
      const search = querySchema ? String(toParameters(input)) : ''
      return {
        op: CODES[method] ?? 'update',
        href: (lid ? pathWithSegment(':id') : toPath(target)).slice(1) + (search && `?${search}`),
        meta: { body, lid, version: getVersion(target) },
      }
    },
  })
  const isError = (error: unknown) => error instanceof RestError && errors?.[error.code ?? ''] === error.status
  return Object.assign(send, { declaration }, errors && { isError }, transaction && { call: pending })
}

/** Method → operation code. Other methods update. */
const CODES: Readonly<Record<string, string>> = { POST: 'add', DELETE: 'remove' }

/** Converts the query of a route to query parameters. */
function toParameters(query: unknown): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(Object(query))) {
    if (value === undefined) continue
    const text = valueToText(value)
    if (text === undefined) throw new TypeError(`${name} must be a single value, because it is sent in the URL.`)
    parameters.append(name, text)
  }
  return parameters
}

function toSegment(target: ResourceOrId | undefined): string {
  return encodeURIComponent(idString(getId(target ?? '')))
}

/** Returns the resource or the list of a document. */
function toRows(document: JsonApiDocument, path: string, transport: RestTransport): unknown {
  const data = toResources(document)
  if (!isList(data)) return data
  const readPage = async (
    search: string,
    options?: CallOptions,
  ): Promise<ResourceList<ResourceObject, CallOptions>> => {
    const { document: next = { data: [] } } = await transport.request('GET', path + search, undefined, options)
    const page = toResources(next)
    return createResourceList(isList(page) ? page : [], next, readPage)
  }
  return createResourceList(data, document, readPage)
}
