import { decodeUtf8, readBytes } from '../../http/body.js'
import type { ErrorCode } from '../../errors/codes.js'
import { type Fault, RequestError } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import { deserialize } from '../../serialization/deserialize.js'
import { isObject } from '../../values/is-object.js'
import { checkContentType } from './negotiation.js'

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Reads the document in a request's body: media type, size, UTF-8, JSON, nesting, and the values that `meta.serialization`
 * tells of (contract 2.5).
 * @throws RequestError 400, 413 or 415
 */
export async function readDocument(request: Request, limits: Limits): Promise<JsonObject> {
  checkContentType(request.headers.get('Content-Type'))
  const bytes = await readBytes(request, limits.bodyBytes)
  const document = parseJson(bytes)
  if (!isObject(document)) throw malformedDocument('The body must be a JSON object.')
  checkSize(document, limits)
  const { meta } = document
  if (meta !== undefined && !isObject(meta)) throw malformedDocument('It must be an object.', '/meta')
  refuseUnwritten(document)
  deserialize(document, meta?.['serialization'])
  return document
}

/** Refuses members that JSON:API knows, and whose contents a client may expect to be stored. What it does not know is ignored. */
function refuseUnwritten({ included, errors }: JsonObject): void {
  if (errors !== undefined) throw malformedDocument('A request has no errors.', '/errors')
  if (included === undefined || (Array.isArray(included) && included.length === 0)) return
  throw malformedDocument(
    'Nothing in "included" would be stored: each resource is written by a request of its own.',
    '/included',
  )
}

/**
 * The members of an object in the body, each with its pointer, but for those that JSON:API leaves to others: "@-Members".
 * @param value what the body gives; undefined has none
 * @param at the object's own pointer
 * @param faults where it is noted that it is no object
 */
export function membersOf(
  value: unknown,
  at: string,
  faults: Fault[],
): readonly (readonly [name: string, value: unknown, pointer: string])[] {
  if (value === undefined) return []
  if (!isObject(value)) {
    faults.push(faultAt('malformed-document', at, 'It must be an object.'))
    return []
  }
  const members: (readonly [name: string, value: unknown, pointer: string])[] = []
  for (const name of Object.keys(value)) {
    if (!name.startsWith('@')) members.push([name, value[name], below(at, name)])
  }
  return members
}

/** A fault at a place in the body. */
export function faultAt(code: ErrorCode, pointer: string, detail: string): Fault {
  return { code, detail, source: { pointer } }
}

/** Throws what was noted, if anything was. */
export function throwFaults(faults: readonly Fault[]): void {
  const [first, ...others] = faults
  if (first) throw new RequestError([first, ...others])
}

/** A 400: the body is no document of JSON:API. */
export function malformedDocument(detail: string, pointer?: string): RequestError {
  return new RequestError({
    code: 'malformed-document',
    detail,
    ...(pointer === undefined ? {} : { source: { pointer } }),
  })
}

/** A pointer (RFC 6901) one step further. */
export function below(pointer: string, key: string | number): string {
  if (typeof key === 'number' || !/[~/]/.test(key)) return `${pointer}/${key}`
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes))
  } catch {
    throw new RequestError({ code: 'malformed-body', detail: 'The body is not JSON in UTF-8.' })
  }
}

/** Refuses what nests too deep or holds too much, and names through which a prototype could be reached. */
function checkSize(document: JsonObject, { depth, nodes }: Limits): void {
  let count = 0
  const visit = (value: unknown, level: number): void => {
    count += 1
    if (count > nodes) throw exceeded(`The body may hold at most ${nodes} values.`)
    if (typeof value !== 'object' || value === null) return
    if (level > depth) throw exceeded(`The body may nest at most ${depth} levels.`)
    if (Array.isArray(value)) for (const element of value) visit(element, level + 1)
    else if (isObject(value)) visitMembers(value, level)
  }
  const visitMembers = (object: JsonObject, level: number): void => {
    for (const name of Object.keys(object)) {
      if (name === '__proto__') throw malformedDocument('No member can be called "__proto__".')
      visit(object[name], level + 1)
    }
  }
  visit(document, 1)
}

function exceeded(detail: string): RequestError {
  return new RequestError({ code: 'limit-exceeded', detail })
}
