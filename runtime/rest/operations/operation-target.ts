import { decodeSegment } from '../../http/decode.js'
import { didYouMean } from '../../errors/did-you-mean.js'
import { RequestError } from '../../errors/request-error.js'
import { isObject } from '../../values/is-object.js'
import type { RestContext } from '../context.js'
import type { RestModel } from '../model.js'
import { childPointer, isAtMember, type JsonObject, malformedDocument } from '../request/body.js'
import { type Identity, parseIdentity } from './identity.js'

/** What an operation is about. */
export interface OperationTarget {
  readonly model: RestModel
  /** The resource, where it is one. */
  readonly target: Identity | undefined
  /** Its relationship, where it is one. */
  readonly relationship?: string
}

/** Finds out what operations are about. */
export interface TargetParser {
  /** @throws RequestError 400 or 404 with a pointer */
  ofRef(ref: unknown, at: string): OperationTarget
  /**
   * A URL below the endpoint: a collection, a resource, or a relationship.
   * @throws RequestError 400 or 404 with a pointer
   */
  ofHref(href: unknown, at: string): OperationTarget
  /**
   * A resource that says itself what it is.
   * @param isThere whether it is one that there is already, so that its id is looked at
   * @throws RequestError 400 or 404 with a pointer
   */
  ofData(data: unknown, isThere: boolean, at: string): OperationTarget
}

/** See {@link PlaceReader}. Made once for a handler. */
export function createTargetParser({ byType, settings }: RestContext): TargetParser {
  const bases = basesOf(settings.endpoint)
  return {
    ofRef: (ref, at) => readRef(ref, at, byType),
    ofHref: (href, at) => readHref(href, at, byType, bases),
    ofData(data, isThere, at) {
      if (!isObject(data)) throw malformedDocument('It must be one resource: an object.', at)
      const model = modelOf(data['type'], childPointer(at, 'type'), byType)
      return { model, target: isThere ? parseIdentity(data, at) : undefined }
    },
  }
}

type ByType = RestContext['byType']

function readRef(ref: unknown, at: string, byType: ByType): OperationTarget {
  if (!isObject(ref)) throw malformedDocument('It must be an object.', at)
  const { type, relationship } = ref
  assertKnownMembers(ref, ['type', 'id', 'lid', 'relationship'], at)
  const model = modelOf(type, childPointer(at, 'type'), byType)
  const target = parseIdentity(ref, at)
  if (relationship === undefined) return { model, target }
  if (!target) throw malformedDocument('It needs "id" or "lid".', at)
  if (typeof relationship !== 'string')
    throw malformedDocument('It must be a string.', childPointer(at, 'relationship'))
  return { model, target, relationship: relationshipOf(model, relationship, childPointer(at, 'relationship')) }
}

/** Refuses members that mean nothing: what is called "relation" would be a change of the resource itself. */
export function assertKnownMembers(given: JsonObject, known: readonly string[], at: string): void {
  const odd = Object.keys(given).find((name) => !known.includes(name) && !isAtMember(name))
  if (odd !== undefined)
    throw malformedDocument(`There is no such member. There are: ${known.join(', ')}.`, childPointer(at, odd))
}

/** A URL below the endpoint: a collection, a resource, or a relationship. */
function readHref(href: unknown, at: string, byType: ByType, bases: readonly string[]): OperationTarget {
  const path = typeof href === 'string' ? pathBelow(href, bases) : undefined
  if (path === undefined) throw malformedDocument('It must be a URL below that of this API, without a query.', at)
  const segments = path.split('/').map(decodeSegment)
  const [type, id, word, relationship] = segments
  const model = modelOf(type, at, byType)
  if (segments.length === 1) return { model, target: undefined }
  if (id === '') throw malformedDocument('It leads to no collection, resource or relationship.', at)
  if (id !== undefined && segments.length === 2) return { model, target: { id } }
  if (id !== undefined && word === 'relationships' && relationship !== undefined && segments.length === 4) {
    return { model, target: { id }, relationship: relationshipOf(model, relationship, at) }
  }
  throw malformedDocument('It leads to no collection, resource or relationship.', at)
}

/** What URLs of the API may begin with: the endpoint, or its path, or nothing of it. */
function basesOf(endpoint: string): readonly string[] {
  const mount = new URL(endpoint).pathname.replace(/\/$/, '')
  return [endpoint, ...(mount === '' ? [] : [mount]), '']
}

function pathBelow(href: string, bases: readonly string[]): string | undefined {
  if (/[?#\s\\]/.test(href)) return undefined
  const prefix = bases.find((one) => href.startsWith(`${one}/`))
  const path = (prefix === undefined ? href : href.slice(prefix.length + 1)).replace(/^\.\//, '')
  return path === '' || path.startsWith('/') || /^[a-z][a-z\d+.-]*:/i.test(path) ? undefined : path
}

function modelOf(type: unknown, at: string, byType: ByType): RestModel {
  if (typeof type !== 'string') throw malformedDocument('A resource needs a type, which is a string.', at)
  const model = byType.get(type)
  if (model) return model
  throw new RequestError({
    code: 'unsupported-model',
    detail: `There is no resource type ${JSON.stringify(type.slice(0, 100))}.${didYouMean(type, byType.keys())}`,
    source: { pointer: at },
  })
}

function relationshipOf(model: RestModel, name: string, at: string): string {
  if (model.relationships.has(name)) return name
  const detail = `"${model.type}" has no relationship ${JSON.stringify(name.slice(0, 100))}.`
  throw new RequestError({ code: 'unknown-path', detail, source: { pointer: at } })
}
