import type { JsonSchema, OpenApiDocument } from '../../../runtime/openapi/document-types.js'
import { type Described, operationsOf, responseOf } from '../../openapi/support/described.js'
import { type Validate, validatorOf } from '../../openapi/support/validator.js'
import { corpusOf } from './corpus/corpus.js'
import type { ApiResponse, ApiRequest, Served, Style } from './serve.js'

/** The results of sending the same requests to two APIs: the first request of each kind, or undefined. */
export interface Seen {
  /** A request that succeeded before. Now it fails, or its response does not match the old document. */
  readonly breaking: string | undefined
  /** A request for something hidden or forbidden before that now succeeds. */
  readonly exposure: string | undefined
  /** A request that was invalid before and now succeeds. */
  readonly loosened: string | undefined
}

/** An API with cached responses, because it receives the same requests for many edits. */
export interface CachedApi {
  readonly served: Served
  readonly corpus: readonly ApiRequest[]
  send(request: ApiRequest): Promise<ApiResponse>
  /** Validates a successful response against the documents of the API. Returns the errors. */
  readonly check: (request: ApiRequest, response: ApiResponse) => string
}

/** Wraps an API for comparisons. */
export function createCachedApi(served: Served): CachedApi {
  const cached = new Map<string, Promise<ApiResponse>>()
  const check = checkerOf(served.documents)
  const checked = new WeakMap<ApiResponse, string>()
  return {
    served,
    corpus: corpusOf(served.datamodel),
    async send(request) {
      const name = nameOf(request)
      const response = cached.get(name) ?? served.send(request)
      cached.set(name, response)
      return await response
    },
    check(request, response) {
      const errors = checked.get(response) ?? check(request, response)
      checked.set(response, errors)
      return errors
    },
  }
}

/**
 * Sends all requests that either schema could allow to both APIs.
 * @param toOld translates a request to the old names
 */
export async function compareByRequests(
  before: CachedApi,
  after: CachedApi,
  toOld = (request: ApiRequest) => request,
): Promise<Seen> {
  let breaking: string | undefined
  for (const request of before.corpus) {
    const old = await before.send(request)
    if (old.status >= 300 || before.check(request, old) !== '') continue
    const now = await after.send(request)
    const wrong = now.status >= 300 ? reasonOf(now) : before.check(request, now)
    if (wrong === '') continue
    breaking = `${nameOf(request)}: ${old.status}, then ${now.status} ${wrong}`
    break
  }
  const opened = new Map<boolean, string>()
  for (const request of after.corpus) {
    if (opened.has(true)) break
    const now = await after.send(request)
    if (now.status >= 300) continue
    const old = await before.send(toOld(request))
    // If schemas allow other rows, the row may not exist.
    if (old.status < 300 || old.status >= 500 || getErrors(old).some(({ code }) => code === 'not-found')) continue
    const isDoor = isClosed(old)
    if (!opened.has(isDoor))
      opened.set(isDoor, `${nameOf(request)}: ${old.status} ${reasonOf(old)}, then ${now.status}`)
  }
  return { breaking, exposure: opened.get(true), loosened: opened.get(false) }
}

/** Error codes for something that does not exist or is forbidden. */
const CLOSED: ReadonlySet<unknown> = new Set([
  'unknown-field',
  'unknown-attribute',
  'unknown-relationship',
  'unsupported-model',
  'unknown-path',
  'method-not-allowed',
  'read-only',
  'forbidden',
  'client-id-forbidden',
  'unsupported-change',
])

/** Messages for the same, if the code is ambiguous: unknown fields, but not operators and sums, which follow from a type. */
const CLOSED_WORDS =
  /Unknown name "(?!contains"|gte")\w+" in (?!_sum\b|_avg\b)|Unknown argument "\w+"|must contain a unique key|"matchFields"/

/** Whether a request was rejected because its target is hidden or forbidden, and not because it is invalid. */
function isClosed(response: ApiResponse): boolean {
  const isForbidden = (code: string) => code === '' && (response.status === 403 || response.status === 405)
  return getErrors(response).some(
    ({ code, detail }) => CLOSED.has(code) || isForbidden(code) || CLOSED_WORDS.test(detail),
  )
}

function getErrors({ body }: ApiResponse): { readonly code: string; readonly detail: string }[] {
  const { errors, error = body } = Object(body) as { readonly errors?: readonly unknown[]; readonly error?: unknown }
  return (errors ?? [error]).map((entry) => {
    const { code, reason, detail, message } = Object(entry) as Readonly<Record<string, unknown>>
    return { code: String(code ?? reason ?? ''), detail: String(detail ?? message ?? '') }
  })
}

function reasonOf(response: ApiResponse): string {
  const [error] = getErrors(response)
  return `${error?.code} ${error?.detail}`
}

function nameOf({ style, method, path, body, ifMatch = '', afterwards = '' }: ApiRequest): string {
  return `${style} ${method}${ifMatch}${afterwards} ${decodeURIComponent(path)}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`
}

/** Creates a validator of successful responses. It ignores unknown members, as callers do. */
function checkerOf(
  documents: Readonly<Record<Style, OpenApiDocument>>,
): (request: ApiRequest, response: ApiResponse) => string {
  const open = { rest: opened(documents.rest), rpc: opened(documents.rpc) }
  const validate: Readonly<Record<Style, Validate>> = { rest: validatorOf(open.rest), rpc: validatorOf(open.rpc) }
  const operations = { rest: operationsOf(open.rest), rpc: operationsOf(open.rpc) }
  return ({ style, method, path, afterwards }, { status, body }) => {
    const [verb, target] = afterwards === undefined ? [method.toLowerCase(), path] : ['get', afterwards]
    const described = operations[style].find((one) => one.method === verb && fits(one, target))
    if (!described) return 'nothing describes it'
    const documentedResponse = responseOf(described, status)
    if (!documentedResponse) return `${status} is not listed`
    const [media] = Object.values(documentedResponse.content ?? {})
    if (media === undefined || body === undefined) return ''
    return validate[style](media.schema, body)
  }
}

function fits({ path }: Described, target: string): boolean {
  const [pathname = ''] = target.split('?')
  const pattern = path.replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(pathname)
}

/** Allows additional members in all objects of a document. */
function opened(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) =>
    (key === 'additionalProperties' || key === 'unevaluatedProperties') && value === false ? undefined : value,
  ) as OpenApiDocument & JsonSchema
}
