import type { Context } from 'hono'

import { mapErrors, RequestError } from '../errors/request-error.js'
import { decodeSegment } from '../http/routing/mount-path.js'
import { listMethods, methodsForPath, withAction } from '../http/routing/route.js'
import type { StandardSchema } from '../http/standard-schema.js'
import { applyBodySchema, type OperationRoutes, type RouteOperation } from '../rest/custom/custom-rest-routes.js'
import { childPointer, errorAt, type JsonObject, malformedDocument } from '../rest/request/request-errors.js'
import { parseQuery } from '../rest/request/query/parse-query.js'
import type { RestContext } from '../rest/rest-context.js'
import type { RestModel } from '../rest/rest-model.js'
import { deserialize } from '../serialization/deserialize.js'
import { isObject } from '../values/is-object.js'
import { type DeclaredRoute, notInTransaction } from './list-routes.js'
import { createInnerApp } from './register-routes.js'
import { applyQuerySchema, splitQuery } from './query-parameters.js'

/** The methods of requests that have the same effect as an operation. */
const METHODS: Readonly<Record<RouteOperation['op'], string>> = { add: 'POST', update: 'PATCH', remove: 'DELETE' }

/** The path of a collection, a resource or a relationship. */
const RESOURCE_PATH = /^\/[^/]+(\/[^/]+(\/relationships\/[^/]+)?)?$/

interface Target {
  /** Undefined if the group of the route has no model. */
  readonly model: RestModel | undefined
  readonly route: DeclaredRoute
}

/**
 * Creates the declared routes that atomic operations can call.
 * @param createAction creates the function that handles the requests of a route
 * @returns undefined if there are no declared routes
 * @throws Error if two routes have the same path and operation code
 */
export function createOperationRoutes(
  routes: readonly DeclaredRoute[],
  context: RestContext,
  createAction: (route: DeclaredRoute, model: RestModel | undefined) => (c: Context) => Promise<Response>,
): OperationRoutes | undefined {
  if (routes.length === 0) return undefined
  const app = createInnerApp()
  // Only for error messages: the routes that operations cannot call.
  const excluded = createInnerApp()
  const targets = new Map<string, Target>()
  const models = [...context.models.values()]
  for (const route of routes) {
    const { group, label, name, declaration, path: subpath } = route
    const model = models.find((candidate) => candidate.model.delegate === group)
    // Both methods of an update have the same operation code.
    const method = declaration.method === 'PUT' ? 'PATCH' : declaration.method
    const path = `/${encodeURIComponent(model?.type ?? group.toLowerCase())}${subpath}`
    if (!declaration.transaction) {
      excluded.on(method, path, (c) => c.body(null))
      continue
    }
    const other = targets.get(`${method} ${path}`)
    if (other) {
      throw new Error(
        `The routes ${other.route.label} and ${label} must not both have "transaction", because PUT and PATCH are the same atomic operation.`,
      )
    }
    targets.set(`${method} ${path}`, { model, route })
    app.on(method, path, withAction({ operation: name }, createAction(route, model)))
  }
  const methods = listMethods(app)
  const excludedMethods = listMethods(excluded)
  return {
    app,
    parse(operation, path, pointer) {
      const { op, url, data } = operation
      // If several routes match, the first one handles the request.
      const [found] = app.router.match(METHODS[op], path)[0]
      const target = found && targets.get(`${found[0][1].method} ${found[0][1].path}`)
      if (target) {
        const acceptsUrl = !url.includes('?') || target.route.declaration.query !== undefined
        return acceptsUrl ? parseOperation(operation, path, target, pointer, context) : undefined
      }
      const others = methodsForPath(app, methods, path)
      // A segment of a route's path may also be the id of a resource.
      const [, type = ''] = path.split('/')
      const isOfModel = context.byType.has(decodeSegment(type) ?? type)
      const mayBeResource = isOfModel && (op === 'remove' || data !== undefined) && RESOURCE_PATH.test(path)
      if (mayBeResource) return undefined
      const unavailable = methodsForPath(excluded, excludedMethods, path)
      if (unavailable.includes(METHODS[op]) || (others.length === 0 && unavailable.length > 0)) {
        const code = isOfModel ? 'malformed-document' : 'unknown-path'
        throw new RequestError(errorAt(code, childPointer(pointer, 'href'), notInTransaction(unavailable)))
      }
      if (others.length === 0) return undefined
      const codes = Object.entries(METHODS).flatMap(([code, method]) => (others.includes(method) ? [`"${code}"`] : []))
      throw malformedDocument(`The "op" of this route must be ${codes.join(' or ')}.`, childPointer(pointer, 'op'))
    },
  }
}

/** Validates an operation that calls a route, and the body or query of the route. */
async function parseOperation(
  { url, data, meta }: RouteOperation,
  path: string,
  { model, route }: Target,
  pointer: string,
  context: RestContext,
) {
  if (data !== undefined) {
    const detail = 'An operation that calls a custom route must not have "data". The body of the route is "meta.body".'
    throw malformedDocument(detail, childPointer(pointer, 'data'))
  }
  const { body: schema, query: querySchema } = route.declaration
  const metaPointer = childPointer(pointer, 'meta')
  const document: { readonly meta: JsonObject } = { meta: meta ?? {} }
  deserialize(document, meta?.['serialization'], { pointer: childPointer(metaPointer, 'serialization') })
  const target = parseLid(document.meta['lid'], path, route, pointer)
  const input = document.meta['body']
  const bodyPointer = childPointer(metaPointer, 'body')
  if (!schema && input !== undefined) throw malformedDocument('This custom route has no body.', bodyPointer)
  if (schema && input === undefined)
    throw malformedDocument('Must have "meta.body": the body of the custom route.', meta ? metaPointer : pointer)
  if (schema && !isObject(input)) throw malformedDocument('Must be an object.', bodyPointer)
  const body = schema && (await applyBodySchema(schema, input, bodyPointer))
  const query = querySchema && (await parseParameters(querySchema, url, childPointer(pointer, 'href'), context))
  return { model, target, document: { ...document, body, query } }
}

/**
 * Parses the local id in the `meta` of an operation. In the path, `:id` then represents the id of the resource.
 * @throws RequestError 400 if the local id is invalid, or if only one of them is present
 */
function parseLid(lid: unknown, path: string, { hasId }: DeclaredRoute, pointer: string): { lid: string } | undefined {
  const isTemplate = hasId && path.split('/').includes(':id')
  const lidPointer = childPointer(childPointer(pointer, 'meta'), 'lid')
  if (lid === undefined) {
    if (!isTemplate) return undefined
    const detail = '":id" must be replaced with an id, or "meta.lid" must contain the local id of a resource.'
    throw malformedDocument(detail, childPointer(pointer, 'href'))
  }
  if (typeof lid !== 'string' || lid === '') throw malformedDocument('Must be a non-empty string.', lidPointer)
  if (isTemplate) return { lid }
  throw malformedDocument('The "href" of an operation with "meta.lid" must contain ":id" instead of an id.', lidPointer)
}

/**
 * Validates the parameters in the `href` of an operation.
 * @throws RequestError 400 with the pointer of the `href`; the detail of each error begins with the name of the parameter
 */
async function parseParameters(
  schema: StandardSchema,
  url: string,
  pointer: string,
  context: RestContext,
): Promise<unknown> {
  try {
    const { parameters, remaining } = splitQuery(url, context, false)
    // Operations have no parameters that JSON:API defines. This rejects them.
    parseQuery(`?${remaining.join('&')}`, 'none', context.settings.families)
    return await applyQuerySchema(schema, parameters)
  } catch (error) {
    throw error instanceof RequestError
      ? mapErrors(error, ({ source, ...others }) => {
          const needsPrefix = source?.parameter !== undefined && others.message === undefined
          const detail = needsPrefix ? `${source.parameter}: ${others.detail}` : others.detail
          return { ...others, detail, source: { pointer } }
        })
      : error
  }
}
