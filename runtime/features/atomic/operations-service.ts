import { Hono } from 'hono'

import { rolledBackError } from '../../errors/respond-to-write.js'
import { codeForStatus } from '../../errors/http-error.js'
import { createOutageLog } from '../../errors/logging.js'
import { type ErrorDetail, RequestError, mapErrors } from '../../errors/request-error.js'
import { toRequestError } from '../../errors/to-request-error.js'
import { readBytes } from '../../http/read-body.js'
import { rejectConditionalHeaders } from '../../http/reject-conditional-headers.js'
import {
  createPostEndpoint,
  explainError,
  type PostEndpoint,
  type PostEndpointEnv,
  forwardVariables,
} from '../../http/routing/endpoints.js'
import type { ApiEnv } from '../../http/handler-types.js'
import { isRouteMethod } from '../../http/routing/route.js'
import { getPrimary } from '../../prisma/replicas.js'
import { runStepsInTransaction, type Step } from '../../prisma/transactions/retry-on-conflict.js'
import { exceedsByteLength } from '../../serialization/write-json.js'
import { isObject } from '../../values/is-object.js'
import type { OperationRoutes } from '../../rest/custom/custom-rest-routes.js'
import type { RestContext } from '../../rest/rest-context.js'
import {
  JSONAPI,
  respondNoContent,
  responseTooLargeError,
  withPreferenceApplied,
  withPointer,
} from '../../rest/document/respond.js'
import type { RestModel } from '../../rest/rest-model.js'
import { checkMembers, decodeDocument } from '../../rest/request/body/parse-document.js'
import { childPointer } from '../../rest/request/request-errors.js'
import { parseQuery } from '../../rest/request/query/parse-query.js'
import { type LocalIds, createLocalIds } from './local-ids.js'
import {
  ATOMIC_EXTENSION,
  ATOMIC_HEADERS,
  checkAtomicAccept,
  checkAtomicContentType,
  OPERATIONS,
  RESULTS,
} from './atomic-media-type.js'
import { type AtomicOperation, parseOperations } from './parse-operations.js'
import { createTargetParser } from './operation-target.js'

/** The requests that the routers receive, by operation code. The routers receive all other data of an operation in the bindings. */
const REQUESTS = requestsWith({})
const MINIMAL_REQUESTS = requestsWith({ Prefer: 'return=minimal' })

function requestsWith(headers: HeadersInit) {
  const request = (method: string) => new Request('http://localhost/', { method, headers })
  return { add: request('POST'), update: request('PATCH'), remove: request('DELETE') } as const
}

/** The context shared by the operations of a request. */
interface StepContext {
  readonly lids: LocalIds
  readonly env: PostEndpointEnv
  readonly requests: typeof REQUESTS
}

/** The hint for a response that is too large. Operations have no query parameters that could make it smaller. */
const SHORTER = 'Send fewer operations, or the header "Prefer: return=minimal".'

const DONE = { add: 'added', update: 'updated', remove: 'removed' } as const

/**
 * Creates the endpoint for atomic operations, which run in order and in one transaction, so that either all of them succeed or none (Atomic
 * Operations). Each operation uses the same router as a separate request, so it has the same permissions.
 * @param path the path, relative to the prefix
 * @param declaredRoutes the declared routes that operations can call
 */
export function operationsService(
  path: string,
  routers: ReadonlyMap<RestModel, Hono<ApiEnv>>,
  context: RestContext,
  declaredRoutes?: OperationRoutes,
): PostEndpoint {
  const { limits, features } = context.settings
  // Hono is fastest for routes without middleware.
  const plainApps = new Map<RestModel, OperationApp>()
  const appsWithVariables = new Map<RestModel, OperationApp>()
  const routeApp = { app: declaredRoutes?.app ?? new Hono<ApiEnv>(), hasMiddleware: false }
  const appOf = ({ model, routePath }: AtomicOperation, { variables }: PostEndpointEnv) => {
    if (routePath !== undefined) return routeApp
    const apps = variables ? appsWithVariables : plainApps
    const app = apps.get(model) ?? operationApp(model, variables !== undefined, routers.get(model))
    apps.set(model, app)
    return app
  }
  const logOutage = createOutageLog()
  const targetParser = createTargetParser(context)

  const createStep = (
    operation: AtomicOperation,
    index: number,
    { lids, env, requests }: StepContext,
  ): Step<Result> => {
    const { op, model, target, lid } = operation
    let bindings: ApiEnv['Bindings'] | undefined
    return {
      async run(orm, before) {
        env.assertActive()
        let text: string | undefined
        const { app, hasMiddleware } = appOf(operation, env)
        bindings = {
          ...env,
          outcome: undefined,
          getOrm: () => orm,
          path: operationPath(operation, lids),
          isLocalId: target !== undefined && 'lid' in target,
          ...documentBinding(operation, lids),
          capture(data, meta) {
            text = resultText(data, meta)
            // Only middleware reads this response. Middleware may modify it, so each operation gets a new response.
            return hasMiddleware ? new Response(null) : CAPTURED_RESPONSE
          },
        }
        const response = await app.fetch(requests[op], bindings)
        if (response.status >= 400) throw errorFromResponse(response)
        // Routes of custom templates might not call `capture`.
        text ??= response.status === 204 ? NOTHING : parseResult(await response.text())
        const id = lid && parseResultId(text)
        if (model && id) lids.resolve(model.type, lid, id)
        const length = text.length + (before.at(-1)?.length ?? 0)
        if (length > limits.responseBytes) throw responseTooLargeError(limits.responseBytes, SHORTER)
        return { text, length }
      },
      explain: async (error) => (bindings ? explainError(error, bindings) : error),
      locate: (error) =>
        withOperationPointer(index, toRequestError(error, context.schema, env, logOutage), operation, error),
    }
  }

  return createPostEndpoint(path, 'operations', async (request, env) => {
    checkAtomicAccept(request.headers.get('Accept'))
    parseQuery(request.url, 'none', context.settings.families)
    rejectConditionalHeaders(request.headers, 'Use "meta": { "version": … } in the operation.')
    checkAtomicContentType(request.headers.get('Content-Type'))
    // The operation object around a document does not count as a level of nesting.
    const bytes = await readBytes(request, limits.bodyBytes)
    const document = checkMembers(decodeDocument(bytes, { ...limits, depth: limits.depth + 1 }))
    const lids = createLocalIds()
    const operations = await parseOperations(document, lids, targetParser, declaredRoutes, limits.operations)
    const isMinimal = features.minimalResponses?.(request.headers.get('Prefer')) === true
    const stepContext: StepContext = { lids, env, requests: isMinimal ? MINIMAL_REQUESTS : REQUESTS }
    const steps = operations.map((operation, index) => createStep(operation, index, stepContext))
    return runStepsInTransaction(getPrimary(await env.getOrm()), steps, (results) => {
      env.assertActive()
      if (env.outcome) env.outcome.rows = results.length
      const response = operationsResponse(
        results.map(({ text }) => text),
        limits.responseBytes,
      )
      return isMinimal ? withPreferenceApplied(response) : response
    })
  })
}

/** The result of an operation. */
interface Result {
  /** The result as JSON. */
  readonly text: string
  /** The total length of this result and all earlier ones. */
  readonly length: number
}

/** Placeholder response for an operation whose result was captured. */
const CAPTURED_RESPONSE = new Response(null)

/** The routes of a model, for operations. */
interface OperationApp {
  readonly app: Hono<ApiEnv>
  readonly hasMiddleware: boolean
}

/** Creates an app with a model's routes that rethrows errors instead of rendering them. */
function operationApp(model: RestModel, withVariables: boolean, router = new Hono<ApiEnv>()): OperationApp {
  const app = new Hono<ApiEnv>({ getPath: (_request, options) => options?.env?.path ?? '/' })
  if (withVariables) app.use(forwardVariables)
  app.route('/', router)
  app.onError((error) => {
    throw error
  })
  app.notFound((c) => {
    const { method, path } = c.req
    const op = method === 'POST' ? 'add' : method === 'DELETE' ? 'remove' : 'update'
    const name = /\/relationships\/(\w+)$/.exec(path)?.[1]
    const subject =
      name === undefined ? `A "${model.type}" cannot be` : `Members of "${name}" of a "${model.type}" cannot be`
    const code = name === undefined ? 'read-only' : 'unsupported-change'
    throw new RequestError({ code, detail: `${subject} ${DONE[op]}.` })
  })
  return { app, hasMiddleware: withVariables || mayHaveMiddleware(router) }
}

/** Whether a request may pass through middleware. Without middleware, all routes have plain and distinct paths. */
function mayHaveMiddleware({ routes }: Hono<ApiEnv>): boolean {
  const patterns = new Set(routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`))
  return (
    patterns.size < routes.length || routes.some(({ method, path }) => !isRouteMethod(method) || /[*?{]/.test(path))
  )
}

function operationPath({ model, target, relationship, routePath }: AtomicOperation, localIds: LocalIds): string {
  if (!target) return routePath ?? '/'
  const template = routePath ?? (relationship === undefined ? '/:id' : `/:id/relationships/${relationship}`)
  return template.replace('/:id', `/${encodeURIComponent(localIds.getId(target, model?.type ?? ''))}`)
}

function documentBinding(
  { op, document, relationship }: AtomicOperation,
  localIds: LocalIds,
): Pick<ApiEnv['Bindings'], 'document'> {
  if (document['data'] === undefined) return { document }
  const kind = relationship !== undefined ? 'linkage' : op === 'add' ? 'added' : 'changed'
  return { document: { ...document, data: localIds.replaceLids(document['data'], kind) } }
}

/** Converts an error response, which can only come from middleware of custom templates. */
function errorFromResponse({ status }: Response): Error {
  const code = codeForStatus(status)
  const detail = `The operation failed with status ${status}, so nothing was changed.`
  return code ? new RequestError({ code, detail }) : new Error(detail)
}

/** A result without data. */
const NOTHING = '{}'

/**
 * Returns a result as JSON.
 * @param data empty if the result only has `meta`
 * @param meta the members of its `meta`
 */
function resultText(data: string, meta: string): string {
  if (data === '') return `{"meta":{${meta}}}`
  return meta === '' ? `{"data":${data}}` : `{"data":${data},"meta":{${meta}}}`
}

/** Returns a document's data and `meta` as a result. */
function parseResult(text: string): string {
  const { data, meta }: { data?: unknown; meta?: unknown } = JSON.parse(text)
  return JSON.stringify({ data, meta })
}

function parseResultId(result: string): string {
  const { data }: { data?: unknown } = JSON.parse(result)
  return isObject(data) ? String(data['id']) : ''
}

const JSONAPI_MEMBER = JSON.stringify({ ...JSONAPI, ext: [ATOMIC_EXTENSION] })

/** Creates the response with a result for each operation, or a 204 if no result has data. */
function operationsResponse(results: readonly string[], maxBytes: number): Response {
  if (results.every((result) => result === NOTHING)) return respondNoContent()
  const text = `{${JSON.stringify(RESULTS)}:[${results.join(',')}],"jsonapi":${JSONAPI_MEMBER}}`
  if (exceedsByteLength(maxBytes, text)) throw responseTooLargeError(maxBytes, SHORTER)
  return new Response(text, { headers: ATOMIC_HEADERS })
}

/** Adds the pointer of the failed operation to an error. */
function withOperationPointer(
  index: number,
  error: RequestError,
  { model, document, isOneOfMany, routePath }: AtomicOperation,
  thrown: unknown,
): RequestError {
  const operationPointer = childPointer(`/${OPERATIONS}`, index)
  const relocateError = (errorDetail: ErrorDetail): ErrorDetail => {
    // The body of a declared route has other members than a resource.
    const located = withPointer(rolledBackError(errorDetail), routePath === undefined ? model : undefined)
    const pointer = located.source?.pointer ?? ''
    const { data } = document
    // In the request, this id was a local id.
    const within = pointer === '/data/id' && isObject(data) && 'lid' in data ? '/data/lid' : pointer
    return {
      ...located,
      source: { pointer: operationPointer + (isOneOfMany ? within.replace(/^\/data\/0/, '/data') : within) },
    }
  }
  return mapErrors(error, relocateError, { cause: thrown })
}
