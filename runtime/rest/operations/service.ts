import { Hono } from 'hono'

import { rolledBackError } from '../../errors/result-not-readable.js'
import { codeForStatus } from '../../errors/http-error.js'
import { createOutageLog } from '../../errors/logging.js'
import { type ErrorDetail, RequestError, mapFaults } from '../../errors/request-error.js'
import { toRequestError } from '../../errors/to-request-error.js'
import { readBytes } from '../../http/body.js'
import { resolveError } from '../../http/resolve-error.js'
import type { ApiEnv } from '../../http/api-handler.js'
import { isRoute } from '../../http/allowed-methods.js'
import type { PostEndpoint, PostEndpointEnv } from '../../http/post-endpoint.js'
import { forwardVariables } from '../../http/forward-variables.js'
import { getPrimary } from '../../orm/primary.js'
import { runInTransaction, type Step } from '../../orm/steps.js'
import { exceedsByteLength } from '../../serialization/byte-length.js'
import { isObject } from '../../values/is-object.js'
import type { RestContext } from '../context.js'
import { JSONAPI } from '../document/document.js'
import { withPointer } from '../document/errors.js'
import { respondNoContent, responseTooLargeError } from '../document/respond.js'
import type { RestModel } from '../model.js'
import { childPointer, decodeDocument } from '../request/body.js'
import { withPreferenceApplied, prefersMinimal } from '../request/prefer.js'
import { parseQuery } from '../request/query.js'
import { type LocalIds, createLocalIds } from './local-ids.js'
import { ATOMIC_EXTENSION, ATOMIC_HEADERS, checkAtomicAccept, checkAtomicContentType } from './media-type.js'
import { OPERATIONS, RESULTS } from './member-names.js'
import { type AtomicOperation, parseOperations } from './parse-operations.js'
import { createTargetParser } from './operation-target.js'

/** The requests that operations stand for. What they say is in their bindings. */
const REQUESTS = requestsWith({})
const MINIMAL_REQUESTS = requestsWith({ Prefer: 'return=minimal' })

function requestsWith(headers: HeadersInit) {
  const request = (method: string) => new Request('http://localhost/', { method, headers })
  return { add: request('POST'), update: request('PATCH'), remove: request('DELETE') } as const
}

/** What the operations of a request have in common. */
interface Asking {
  readonly lids: LocalIds
  readonly env: PostEndpointEnv
  readonly requests: typeof REQUESTS
}

/** What makes an answer shorter: no operation has a query. */
const SHORTER = 'Send fewer operations, or the header "Prefer: return=minimal".'

const DONE = { add: 'added', update: 'updated', remove: 'removed' } as const

/**
 * Takes several operations that are done in order and in one transaction (Atomic Operations): all of them, or nothing. Each is what a
 * request of its own would be, with the same router, so that what one may not do alone, it may not do here.
 * @param path below the prefix
 */
export function operationsService(
  path: string,
  routers: ReadonlyMap<RestModel, Hono<ApiEnv>>,
  context: RestContext,
): PostEndpoint {
  const { limits } = context.settings
  const appsOf = (takesVariables: boolean) => {
    const apps = new Map<RestModel, OperationApp>()
    return (model: RestModel) => {
      const app = apps.get(model) ?? operationApp(model, takesVariables, routers.get(model))
      apps.set(model, app)
      return app
    }
  }
  // A route without middleware is what Hono runs fastest.
  const plainApp = appsOf(false)
  const appWithVariables = appsOf(true)
  const appOf = (model: RestModel, env: PostEndpointEnv) => (env.variables ? appWithVariables(model) : plainApp(model))
  const logOutage = createOutageLog()
  const places = createTargetParser(context)

  const stepOf = (operation: AtomicOperation, index: number, { lids, env, requests }: Asking): Step<Result> => {
    const { op, model, target, relationship } = operation
    // An update may give the resource another id.
    const isUpdated = op === 'update' && relationship === undefined && target && 'lid' in target
    const lid = isUpdated ? target.lid : operation.lid
    let own: ApiEnv['Bindings'] | undefined
    return {
      async run(orm, before) {
        env.alive()
        let text: string | undefined
        const { app, hasMiddleware } = appOf(model, env)
        own = {
          ...env,
          seen: undefined,
          getOrm: () => orm,
          path: pathOf(operation, lids),
          isNew: target !== undefined && 'lid' in target,
          ...given(operation, lids),
          keep(data, meta) {
            text = resultText(data, meta)
            // Nobody reads it but middleware, which may change it.
            return hasMiddleware ? new Response(null) : KEPT
          },
        }
        const response = await app.fetch(requests[op], own)
        if (response.status >= 400) throw refusedBy(response)
        // Routes of someone's own templates answer as they like.
        text ??= response.status === 204 ? NOTHING : resultIn(await response.text())
        const id = lid === undefined ? '' : idIn(text)
        if (lid !== undefined && id !== '') lids.resolve(model.type, lid, id)
        const length = text.length + (before.at(-1)?.length ?? 0)
        if (length > limits.responseBytes) throw responseTooLargeError(limits.responseBytes, SHORTER)
        return { text, length }
      },
      explain: async (error) => (own ? resolveError(error, own) : error),
      locate: (error) => at(index, toRequestError(error, context.schema, env, logOutage), operation, error),
    }
  }

  return {
    path,
    operation: 'operations',
    async answer(request, env) {
      checkAtomicAccept(request.headers.get('Accept'))
      parseQuery(request.url, [])
      refuseConditions(request.headers)
      checkAtomicContentType(request.headers.get('Content-Type'))
      // The operation that contains a document does not count as one of its levels.
      const bytes = await readBytes(request, limits.bodyBytes)
      const document = decodeDocument(bytes, { ...limits, depth: limits.depth + 1 })
      const lids = createLocalIds()
      const operations = parseOperations(document, lids, places, limits.operations)
      const isMinimal = prefersMinimal(request.headers.get('Prefer'))
      const asking: Asking = { lids, env, requests: isMinimal ? MINIMAL_REQUESTS : REQUESTS }
      const steps = operations.map((operation, index) => stepOf(operation, index, asking))
      return runInTransaction(getPrimary(await env.getOrm()), steps, (results) => {
        env.alive()
        if (env.seen) env.seen.rows = results.length
        const response = answer(
          results.map(({ text }) => text),
          limits.responseBytes,
        )
        return isMinimal ? withPreferenceApplied(response) : response
      })
    },
  }
}

/**
 * Refuses headers that ask something of a resource: there are several.
 * @throws RequestError 400
 */
function refuseConditions(headers: Headers): void {
  const header = ['If-Match', 'If-None-Match'].find((name) => headers.has(name))
  if (header === undefined) return
  const detail = `${header} cannot say which operation it is about. Write "meta": { "version": … } into that operation.`
  throw new RequestError({ code: 'bad-request', detail, source: { header } })
}

/** What an operation gave. */
interface Result {
  /** It, as JSON. */
  readonly text: string
  /** How long it is, with all those before it. */
  readonly length: number
}

/** What stands for a response where the answer was kept. */
const KEPT = new Response(null)

/** The routes of a model, for operations. */
interface OperationApp {
  readonly app: Hono<ApiEnv>
  readonly hasMiddleware: boolean
}

/** The same routes, without answers to failures: who asks has to know of them. */
function operationApp(model: RestModel, takesVariables: boolean, router = new Hono<ApiEnv>()): OperationApp {
  const app = new Hono<ApiEnv>({ getPath: (_request, options) => options?.env?.path ?? '/' })
  if (takesVariables) app.use(forwardVariables)
  app.route('/', router)
  app.onError((error) => {
    throw error
  })
  app.notFound((c) => {
    const { method, path } = c.req
    const op = method === 'POST' ? 'add' : method === 'DELETE' ? 'remove' : 'update'
    const name = /\/relationships\/(\w+)$/.exec(path)?.[1]
    const what = name === undefined ? `"${model.type}" cannot be` : `Members of "${name}" of "${model.type}" cannot be`
    const code = name === undefined ? 'read-only' : 'unsupported-change'
    throw new RequestError({ code, detail: `${what} ${DONE[op]}.` })
  })
  return { app, hasMiddleware: takesVariables || mayHaveMiddleware(router) }
}

/** Whether a request to some route may go through something before: where all paths are plain and different, it does not. */
function mayHaveMiddleware({ routes }: Hono<ApiEnv>): boolean {
  const places = new Set(routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`))
  return places.size < routes.length || routes.some(({ method, path }) => !isRoute(method) || /[*?{]/.test(path))
}

function pathOf({ model, target, relationship }: AtomicOperation, localIds: LocalIds): string {
  if (!target) return '/'
  const resource = `/${encodeURIComponent(localIds.idOf(target, model.type))}`
  return relationship === undefined ? resource : `${resource}/relationships/${relationship}`
}

function given(
  { op, document, relationship }: AtomicOperation,
  localIds: LocalIds,
): Pick<ApiEnv['Bindings'], 'document'> {
  if (document['data'] === undefined) return { document }
  const kind = relationship !== undefined ? 'linkage' : op === 'add' ? 'added' : 'changed'
  return { document: { ...document, data: localIds.resolved(document['data'], kind) } }
}

/** What middleware of someone's own templates has refused with. */
function refusedBy({ status }: Response): Error {
  const code = codeForStatus(status)
  if (code) return new RequestError({ code, detail: `It was answered with ${status}, so nothing is done.` })
  return new Error(`An operation was answered with ${status}.`)
}

/** A result that has nothing to say. */
const NOTHING = '{}'

/**
 * A result, as JSON.
 * @param meta the members of its `meta`
 */
function resultText(data: string, meta: string): string {
  return meta === '' ? `{"data":${data}}` : `{"data":${data},"meta":{${meta}}}`
}

/** What of a document stands in a result: its data, and what is to be known of it. */
function resultIn(text: string): string {
  const { data, meta }: { data?: unknown; meta?: unknown } = JSON.parse(text)
  return JSON.stringify({ data, meta })
}

function idIn(result: string): string {
  const { data }: { data?: unknown } = JSON.parse(result)
  return isObject(data) ? String(data['id']) : ''
}

const JSONAPI_MEMBER = JSON.stringify({ ...JSONAPI, ext: [ATOMIC_EXTENSION] })

/** The answer: with a result for each operation, or with nothing where none has anything to say. */
function answer(results: readonly string[], most: number): Response {
  if (results.every((result) => result === NOTHING)) return respondNoContent()
  const text = `{${JSON.stringify(RESULTS)}:[${results.join(',')}],"jsonapi":${JSONAPI_MEMBER}}`
  if (exceedsByteLength(most, text)) throw responseTooLargeError(most, SHORTER)
  return new Response(text, { headers: ATOMIC_HEADERS })
}

/** Says which operation it is that failed. */
function at(
  index: number,
  error: RequestError,
  { model, document, isOneOfMany }: AtomicOperation,
  thrown: unknown,
): RequestError {
  const place = childPointer(`/${OPERATIONS}`, index)
  const moved = (fault: ErrorDetail): ErrorDetail => {
    const placed = withPointer(rolledBackError(fault), model)
    const given = placed.source?.pointer ?? ''
    const { data } = document
    // The id that is wrong was said by a local one.
    const within = given === '/data/id' && isObject(data) && 'lid' in data ? '/data/lid' : given
    return {
      ...placed,
      source: { pointer: place + (isOneOfMany ? within.replace(/^\/data\/0/, '/data') : within) },
    }
  }
  return mapFaults(error, moved, { cause: thrown })
}
