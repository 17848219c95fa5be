import fc from 'fast-check'

import type { JsonSchema, OpenApiDocument, Parameter } from '../../../runtime/openapi/document-types.js'
import { valuesOf } from './arbitrary.js'
import { type Described, operationsOf, responseOf } from './described.js'
import { type Validate, validatorOf } from './validator.js'

/** The parameters and the body of a request to an operation. */
export interface Call {
  readonly id?: string
  readonly query?: readonly (readonly [name: string, value: string])[]
  /** The raw query, instead of `query`. */
  readonly search?: string
  readonly body?: unknown
  /** The raw body, instead of `body`. */
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A response with its text. */
export interface CapturedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Serves the API that a document describes. */
export type Send = (request: Request) => Response | Promise<Response>

const MEDIA_TYPE = 'application/vnd.api+json'

/** Creates the request of a call. */
export function requestOf({ method, path }: Described, call: Call, base: string): Request {
  const { id = '1', query = [], body, headers = {} } = call
  const queryString = new URLSearchParams(query.map(([name, value]) => [name, value])).toString()
  const search = call.search ?? (queryString === '' ? '' : `?${queryString}`)
  const sent = call.raw ?? (body === undefined ? undefined : JSON.stringify(body))
  return new Request(`${base}${path.replace('{id}', encodeURIComponent(id))}${search}`, {
    method: method.toUpperCase(),
    headers: { ...(sent !== undefined && { 'Content-Type': MEDIA_TYPE }), ...headers },
    ...(sent !== undefined && { body: sent }),
  })
}

/** Generates calls that are valid according to the document. */
export function callsOf(described: Described, document: OpenApiDocument): fc.Arbitrary<Call> {
  const values = valuesOf(document)
  const queried = described.parameters.filter((parameter) => parameter.in === 'query')
  const chosen = fc.uniqueArray(fc.nat({ max: Math.max(0, queried.length - 1) }), {
    maxLength: queried.length === 0 ? 0 : 4,
  })
  const query = chosen.chain((indices) => {
    const parameters = indices.flatMap((index) => queried[index] ?? [])
    return fc.tuple(
      ...parameters.map(({ name, schema = {} }) =>
        values(schema).map((value): [string, string] => [name, textOf(value)]),
      ),
    )
  })
  const id = fc.integer({ min: 1, max: 9 }).map(String)
  const schema = described.requestBody?.content[MEDIA_TYPE]?.schema
  if (!schema) return fc.record({ id, query })
  return fc.record({ id, query, body: values(schema) })
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value)
}

/**
 * Returns what contradicts the document in a response, or undefined: an undocumented status, header or member, or an error
 * for a valid call.
 */
export function contradiction(
  described: Described,
  call: Call,
  { status, headers, text }: CapturedResponse,
  validate: Validate,
): string | undefined {
  const declared = responseOf(described, status)
  if (!declared) return `${status} is not listed`
  const type = headers.get('Content-Type')
  if (text === '') return declared.content ? `${status} has no body` : undefined
  if (!declared.content) return `${status} has a body`
  const media = declared.content[type ?? '']
  if (!media) return `${status} is ${type ?? 'untyped'}`
  const wrong = validate(media.schema, JSON.parse(text))
  if (wrong !== '') return `${status}: ${wrong}`
  for (const name of ['Location', 'Retry-After', 'ETag']) {
    const value = headers.get(name)
    const header = declared.headers[name]
    if (value === null) {
      if (header?.required) return `${status} has no ${name}`
    } else if (!header) return `${status} has ${name}, which is not listed`
    else if (validate(header.schema, coerced(header.schema, value)) !== '') return `${status}: ${name} is ${value}`
  }
  if (![400, 415, 422].includes(status) || !isDescribed(described, call, validate)) return undefined
  const { errors } = JSON.parse(text) as { readonly errors: readonly ErrorObject[] }
  const unexplained = errors.find(
    (error) => !isExplained(error) && !isOfId(error, described) && !isOfNumberAsText(error, call),
  )
  return unexplained && `${status} for what the document says is right: ${unexplained.code} ${unexplained.detail}`
}

/** Whether a call is valid according to the document. */
function isDescribed({ parameters, requestBody }: Described, call: Call, validate: Validate): boolean {
  const { query = [], body, search, raw, headers } = call
  if (search !== undefined || raw !== undefined || headers) return false
  const hasDescribedQuery = query.every(([name, value]) => {
    const parameter = parameters.find((one) => one.in === 'query' && one.name === name)
    return parameter !== undefined && takes(parameter, value, validate)
  })
  if (!hasDescribedQuery) return false
  const schema = requestBody?.content[MEDIA_TYPE]?.schema
  return schema ? validate(schema, body) === '' : body === undefined
}

function takes({ schema = {} }: Parameter, value: string, validate: Validate): boolean {
  if (schema.type === 'array') return validate(schema, value === '' ? [] : value.split(',')) === ''
  return validate(schema, value) === '' || validate(schema, coerced(schema, value)) === ''
}

/** Converts a text in a URL or a header to its value. */
function coerced(_schema: JsonSchema, text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** Whether a field of a compound id is missing. It must be an attribute or part of the id. */
function isOfId({ code, source }: ErrorObject, { bodySchema }: Described): boolean {
  if (code !== 'missing-attribute') return false
  const { properties = {} } = bodySchema?.properties?.['data'] ?? {}
  const name = /^\/data\/attributes\/(.*)/.exec(source?.pointer ?? '')?.[1] ?? ''
  return 'id' in properties && !(properties['attributes']?.required ?? []).includes(name)
}

/** Whether a number rule rejected a number in a string, which JSON Schema cannot compare. */
function isOfNumberAsText({ code, source, meta }: ErrorObject, { body }: Call): boolean {
  if (code !== 'invalid-value' || meta?.origin !== 'number') return false
  const value = (source?.pointer ?? '')
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => Reflect.get(Object(at), name), body)
  return typeof value === 'string'
}

interface ErrorObject {
  readonly code: string
  readonly detail: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string }
  readonly meta?: { readonly rule?: string; readonly origin?: string; readonly format?: string }
}

/** Errors that JSON Schema cannot express. The document describes them in words. */
const SCHEMA_EXCEPTIONS: readonly ((error: ErrorObject) => boolean)[] = [
  // A foreign key must be either an attribute or a relationship.
  ({ code, detail }) =>
    code === 'invalid-value' && /is the foreign key of the relationship .* Send only one\./.test(detail),
  ({ code, detail }) => code === 'missing-attribute' && / or the relationship /.test(detail),
  // An id can be a number or a string. The type does not define which values are ids.
  ({ code, detail }) =>
    code === 'invalid-value' && /not a valid id of|must be a string\.$|Send the id as a string\.$/.test(detail),
  ({ code, source }) => code === 'not-found' && (source?.pointer?.endsWith('/id') ?? false),
  ({ code }) => code === 'id-conflict',
  ({ code, detail }) => code === 'invalid-value' && /differs from the id|contradicts "data\.id"/.test(detail),
  ({ code, detail }) => code === 'missing-attribute' && detail.startsWith('The id'),
  // Days that do not exist.
  ({ code, detail }) => code === 'invalid-value' && /must be an existing date and time/.test(detail),
  // A sort must contain each field once, and a field to match must be unique and have a value.
  ({ code, detail }) => code === 'malformed-parameter' && / occurs more than once/.test(detail),
  ({ code, source }) => code === 'malformed-document' && (source?.pointer?.startsWith('/meta/matchFields') ?? false),
  // Rules on BigInts and dates, for which JSON has no type.
  ({ code, meta }) => code === 'invalid-value' && ['bigint', 'date'].includes(meta?.origin ?? ''),
  // Limits of the whole request.
  ({ code }) => code === 'limit-exceeded',
  // zod lists only one of two formats in a rule, for example for a URL with a prefix.
  ({ code, meta }) => code === 'invalid-value' && meta?.rule === 'invalid_format' && meta.format === 'url',
  // Characters and names that databases or clients do not accept.
  ({ detail }) => /U\+0000|valid Unicode|__proto__/.test(detail),
  // The grammar of expressions.
  ({ source }) => source?.parameter === 'filter',
  // The search syntax of the database.
  ({ code }) => code === 'invalid-arguments',
  // A relationship that an upsert may omit but not empty.
  ({ code }) => code === 'relationship-required',
]

function isExplained(error: ErrorObject): boolean {
  return SCHEMA_EXCEPTIONS.some((explains) => explains(error))
}

/** Sends random calls of a document. Returns the first contradiction, or undefined. */
export async function findMismatch(
  document: OpenApiDocument,
  send: Send,
  {
    base,
    calls,
    seed,
    only,
  }: { readonly base: string; readonly calls: number; readonly seed: number; readonly only?: RegExp },
): Promise<string | undefined> {
  const validate = validatorOf(document)
  for (const described of operationsOf(document)) {
    const { operationId } = described.operation
    if (only && !only.test(operationId)) continue
    for (const call of fc.sample(callsOf(described, document), { numRuns: calls, seed })) {
      const response = await send(requestOf(described, call, base))
      const captured = { status: response.status, headers: response.headers, text: await response.text() }
      const mismatch = contradiction(described, call, captured, validate)
      if (mismatch !== undefined) return `${operationId} ${JSON.stringify(call)}: ${mismatch}`
    }
  }
  return undefined
}
