import { RequestError } from '../errors/request-error.js'
import { decodeForm, queryPairs } from '../http/routing/mount-path.js'
import { decodeUtf8, isJsonType, readBytes, assertJsonShape } from '../http/read-body.js'
import type { Limits } from '../limits.js'
import { isWrappedUpdate } from '../schema/keyword-named-fields.js'
import type { Model, ModelRelation } from '../schema/model.js'
import { deserialize } from '../serialization/deserialize.js'
import { isObject } from '../values/is-object.js'
import { type Args, quoteText, expectNames, invalidArguments, limitExceeded } from './guard/argument-helpers.js'

/**
 * Reads the arguments of a request (contract 4.3): from the query's `q` and `meta` for GET, HEAD and DELETE, otherwise from the body.
 * @param model the model of the arguments; undefined for custom routes
 * @returns a JSON object within the limits, whose values have the types in `meta`
 * @throws RequestError 400, 413 or 415
 */
export async function parseArguments(request: Request, model: Model | undefined, limits: Limits): Promise<Args> {
  const inQuery = request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE'
  if (!inQuery) return argumentsFromBody(model, await readJsonBody(request, limits), limits)
  const query = readQuery(request.url)
  // If a `where` in the body were ignored, all rows would match.
  const isDelete = request.method === 'DELETE'
  if (isDelete ? (await readBytes(request, limits.bodyBytes)).length > 0 : announcesBody(request.headers)) {
    invalidArguments('invalid-arguments', 'With this method, the arguments must be in the query, not in the body.')
  }
  const q = query.get('q')
  const meta = query.get('meta')
  if (q === undefined && meta !== undefined) badParameter('meta', 'Must be sent together with "q".')
  const json = q === undefined ? {} : parseJson(q, 'The query parameter "q"', limits)
  return typedArguments(
    model,
    json,
    meta === undefined ? undefined : parseJson(meta, 'The query parameter "meta"', limits),
    limits,
  )
}

/** Whether the headers announce a body. Servers drop the body itself for GET and HEAD. */
function announcesBody(headers: Headers): boolean {
  return Number(headers.get('Content-Length') ?? 0) > 0 || headers.has('Transfer-Encoding')
}

/** Parses a query that may only contain `q` and `meta`, each at most once. */
function readQuery(url: string): Map<string, string> {
  const query = new Map<string, string>()
  for (const [encoded, value] of queryPairs(url)) {
    const name = decode(encoded)
    if (name !== 'q' && name !== 'meta') badParameter(name, 'It is unknown. Available: "q", "meta".')
    if (query.has(name)) badParameter(name, 'Must not be repeated.')
    query.set(name, decode(value))
  }
  return query
}

function decode(text: string): string {
  return decodeForm(text) ?? invalidArguments('invalid-arguments', 'The query is not percent-encoded UTF-8.')
}

function badParameter(name: string, detail: string): never {
  throw new RequestError({
    code: 'invalid-arguments',
    detail: `Query parameter ${quoteText(name)}: ${detail}`,
    source: { parameter: name },
  })
}

/**
 * Reads the JSON body of a request that has no query.
 * @returns any JSON value within the limits; `{}` if there is no body
 * @throws RequestError 400, 413 or 415
 */
export async function readJsonBody(request: Request, limits: Limits): Promise<unknown> {
  const [parameter] = readQuery(request.url).keys()
  if (parameter !== undefined) badParameter(parameter, 'With this method, the arguments must be in the body.')
  const type = request.headers.get('content-type')
  const bytes = await readBytes(request, limits.bodyBytes)
  // A request without arguments needs no body. Some clients send a content type anyway.
  if (bytes.length === 0) return {}
  assertJsonContentType(type)
  let text: string
  try {
    text = decodeUtf8(bytes)
  } catch {
    return invalidArguments('invalid-arguments', 'The body is not UTF-8.')
  }
  return parseJson(text, 'The body', limits)
}

/**
 * Rejects a body that is not declared as JSON. Browsers can send other content types across origins without a CORS preflight.
 * @throws RequestError 415
 */
export function assertJsonContentType(type: string | null): void {
  if (type === null || !isJsonType(type))
    invalidArguments('unsupported-media-type', 'The body must be sent with Content-Type: application/json, in UTF-8.')
}

function parseJson(text: string, what: string, limits: Limits): unknown {
  if (text.length > limits.bodyBytes)
    limitExceeded('bodyBytes', `${what} must not be longer than ${limits.bodyBytes} characters.`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return invalidArguments('invalid-arguments', `${what} is not JSON.`)
  }
  assertJsonShape(json, what, limits, 'invalid-arguments')
  return json
}

/**
 * Returns the arguments in a body. Its `meta` specifies the types of values.
 * @throws RequestError 400
 */
export function argumentsFromBody(model: Model | undefined, body: unknown, limits: Limits): Args {
  if (!isObject(body)) return invalidArguments('invalid-arguments', 'The arguments must be an object.')
  if (!Object.hasOwn(body, 'meta')) return body
  const { meta, ...args } = body
  return typedArguments(model, args, meta, limits)
}

function typedArguments(model: Model | undefined, json: unknown, meta: unknown, limits: Limits): Args {
  if (!isObject(json)) return invalidArguments('invalid-arguments', 'The arguments must be an object.')
  if (meta === undefined) return json
  if (!isObject(meta))
    return invalidArguments('invalid-serialization', 'meta must be an object with the key "serialization".')
  expectNames(meta, ['serialization'], 'meta')
  assertJsonShape(meta, 'meta', limits, 'invalid-arguments')
  deserialize(json, meta['serialization'], undefined, (keys) => isUndefinedAllowed(model, json, keys))
  return json
}

/** Arguments that determine the matching rows. If a part of them is missing, more rows match. */
const CONDITIONS: ReadonlySet<string> = new Set(['where', 'having', 'cursor', 'limit'])

/** Arguments that contain the data of a row. */
const DATA: ReadonlySet<string> = new Set(['data', 'create', 'update'])

/** Arguments that select fields and relations of the result. */
const SELECTIONS: ReadonlySet<string> = new Set(['select', 'include', 'omit'])

/** Nested writes whose value is a condition. */
const CONDITIONAL: ReadonlySet<string> = new Set(['connect', 'disconnect', 'delete', 'deleteMany', 'set'])

/**
 * Whether a value may be `undefined`, which is treated like a missing value, as in Prisma. Arguments, data and parts of a selection may be
 * undefined. Conditions may not, because they would match more rows if a part were missing.
 * @param model the model of the arguments; if undefined, no condition at any depth may contain `undefined`
 * @param args the arguments of the request, not validated
 * @param keys the path of the value
 */
function isUndefinedAllowed(model: Model | undefined, args: unknown, keys: readonly string[]): boolean {
  if (!model) return !keys.some((key) => CONDITIONS.has(key))
  const [key, ...rest] = keys
  if (key === undefined) return true
  if (CONDITIONS.has(key)) return false
  const nested = member(args, key)
  if (DATA.has(key)) return isInData(model, nested, rest)
  return SELECTIONS.has(key) ? isInSelection(model, nested, rest) : true
}

function isInSelection(model: Model, selection: unknown, keys: readonly string[]): boolean {
  const [key, ...rest] = keys
  if (key === undefined) return true
  const nested = member(selection, key)
  const relation = model.relations.get(key)
  if (relation) return isUndefinedAllowed(relation.target, nested, rest)
  // `_count` selects relations, each with its own condition.
  return key === '_count' ? isUndefinedAllowed(model, nested, rest) : true
}

function isInData(model: Model, data: unknown, keys: readonly string[]): boolean {
  const [key, ...rest] = keys
  if (key === undefined) return true
  const nested = member(data, key)
  if (Array.isArray(data)) return isInData(model, nested, rest)
  const relation = model.relations.get(key)
  return relation ? isInWrites(relation, nested, rest) : true
}

function isInWrites(relation: ModelRelation, writes: unknown, keys: readonly string[]): boolean {
  const [operation, ...rest] = keys
  if (operation === undefined || rest.length === 0) return true
  return !CONDITIONAL.has(operation) && isInWrite(relation, operation, member(writes, operation), rest)
}

function isInWrite(relation: ModelRelation, operation: string, write: unknown, keys: readonly string[]): boolean {
  const [key, ...rest] = keys
  if (key === undefined) return true
  if (Array.isArray(write)) return isInWrite(relation, operation, member(write, key), rest)
  const { target, many } = relation
  const isBare = operation === 'create' || (operation === 'update' && !many && !isWrapped(target, write))
  return isBare ? isInData(target, write, keys) : isUndefinedAllowed(target, write, keys)
}

function isWrapped(target: Model, write: unknown): boolean {
  return isObject(write) && isWrappedUpdate(target, write)
}

function member(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)]
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
