import type { Context } from 'hono'

import { listMethods, methodsForPath, withAction } from '../http/routing/route.js'
import { applyBodySchema, type OperationRoutes, type RouteOperation } from '../rest/custom/custom-rest-routes.js'
import { childPointer, type JsonObject, malformedDocument } from '../rest/request/request-errors.js'
import type { RestContext } from '../rest/rest-context.js'
import type { RestModel } from '../rest/rest-model.js'
import { deserialize } from '../serialization/deserialize.js'
import { isObject } from '../values/is-object.js'
import { createInnerApp, type DeclaredRoute, findTransactionRoutes } from './list-routes.js'

/** The methods of requests that have the same effect as an operation. */
const METHODS: Readonly<Record<RouteOperation['op'], string>> = { add: 'POST', update: 'PATCH', remove: 'DELETE' }

/** The path of a collection, a resource or a relationship. */
const RESOURCE_PATH = /^\/[^/]+(\/[^/]+(\/relationships\/[^/]+)?)?$/

interface Target {
  readonly model: RestModel
  readonly route: DeclaredRoute
}

/**
 * Creates the declared routes that atomic operations can call. Returns undefined if there are none.
 * @param createAction creates the function that handles the requests of a route
 * @throws Error if two routes have the same path and operation code
 */
export function createOperationRoutes(
  routes: readonly DeclaredRoute[],
  context: RestContext,
  createAction: (route: DeclaredRoute, model: RestModel) => (c: Context) => Promise<Response>,
): OperationRoutes | undefined {
  const app = createInnerApp()
  const targets = new Map<string, Target>()
  for (const model of context.models.values()) {
    for (const route of findTransactionRoutes(routes, model.model)) {
      const { label, name, declaration } = route
      // Both methods of an update have the same operation code.
      const method = declaration.method === 'PUT' ? 'PATCH' : declaration.method
      const url = `/${encodeURIComponent(model.type)}${declaration.path}`
      const other = targets.get(`${method} ${url}`)
      if (other) {
        throw new Error(
          `The routes ${other.route.label} and ${label} must not both have "transaction", because PUT and PATCH are the same atomic operation.`,
        )
      }
      targets.set(`${method} ${url}`, { model, route })
      app.on(method, url, withAction({ operation: name }, createAction(route, model)))
    }
  }
  if (targets.size === 0) return undefined
  const methods = listMethods(app)
  return {
    app,
    parse(operation, path, pointer) {
      const { op, data } = operation
      // If several routes match, the first one handles the request.
      const [found] = app.router.match(METHODS[op], path)[0]
      const target = found && targets.get(`${found[0][1].method} ${found[0][1].path}`)
      if (target) return parseOperation(operation, target, pointer)
      const others = methodsForPath(app, methods, path)
      // A segment of a route's path may also be the id of a resource.
      const mayBeResource = (op === 'remove' || data !== undefined) && RESOURCE_PATH.test(path)
      if (others.length === 0 || mayBeResource) return undefined
      const codes = Object.entries(METHODS).flatMap(([code, method]) => (others.includes(method) ? [`"${code}"`] : []))
      throw malformedDocument(`The "op" of this route must be ${codes.join(' or ')}.`, childPointer(pointer, 'op'))
    },
  }
}

/** Validates an operation that calls a route, and the body of the route. */
async function parseOperation({ data, meta }: RouteOperation, { model, route }: Target, pointer: string) {
  if (data !== undefined) {
    const detail = 'An operation that calls a custom route must not have "data". The body of the route is "meta.body".'
    throw malformedDocument(detail, childPointer(pointer, 'data'))
  }
  const { body: schema } = route.declaration
  const metaPointer = childPointer(pointer, 'meta')
  const document: { readonly meta: JsonObject } = { meta: meta ?? {} }
  deserialize(document, meta?.['serialization'], { pointer: childPointer(metaPointer, 'serialization') })
  const input = document.meta['body']
  const bodyPointer = childPointer(metaPointer, 'body')
  if (!schema && input !== undefined) throw malformedDocument('This custom route has no body.', bodyPointer)
  if (schema && input === undefined)
    throw malformedDocument('Must have "meta.body": the body of the custom route.', meta ? metaPointer : pointer)
  if (schema && !isObject(input)) throw malformedDocument('Must be an object.', bodyPointer)
  const body = schema && (await applyBodySchema(schema, input, bodyPointer))
  return { model, document: { ...document, body } }
}
