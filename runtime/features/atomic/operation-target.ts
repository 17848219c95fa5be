import { decodeSegment } from '../../http/routing/mount-path.js'
import { didYouMean } from '../../errors/did-you-mean.js'
import { RequestError } from '../../errors/request-error.js'
import { isObject } from '../../values/is-object.js'
import type { RestContext } from '../../rest/rest-context.js'
import type { RestModel } from '../../rest/rest-model.js'
import { isAtMember, type JsonObject, malformedDocument, childPointer } from '../../rest/request/request-errors.js'
import { type Identity, parseIdentity } from './local-ids.js'

/** The target of an operation. */
export interface OperationTarget {
  readonly model: RestModel
  /** The identity of the resource. Undefined if the target is a collection. */
  readonly target: Identity | undefined
  /** The name of the relationship. Undefined if the target is a resource or a collection. */
  readonly relationship?: string
}

/** Parses the targets of operations. */
export interface TargetParser {
  /** @throws RequestError 400 or 404 with a pointer */
  fromRef(ref: unknown, pointer: string): OperationTarget
  /**
   * Parses a URL under the endpoint: a collection, a resource or a relationship.
   * @throws RequestError 400 or 404 with a pointer
   */
  fromHref(href: unknown, pointer: string): OperationTarget
  /** Returns the path of a URL relative to the endpoint, without a leading slash. Returns undefined for other URLs. */
  toPath(href: string): string | undefined
  /**
   * Parses the target from a resource object.
   * @param exists whether the resource already exists, so that its id is parsed
   * @throws RequestError 400 or 404 with a pointer
   */
  fromData(data: unknown, exists: boolean, pointer: string): OperationTarget
}

/** Creates the {@link TargetParser} of a handler. Called once per handler. */
export function createTargetParser({ byType, settings }: RestContext): TargetParser {
  const bases = getBaseUrls(settings.endpoint)
  return {
    fromRef: (ref, pointer) => parseRef(ref, pointer, byType),
    fromHref: (href, pointer) => parseHref(href, pointer, byType, bases),
    toPath: (href) => pathAfterBase(href, bases),
    fromData(data, exists, pointer) {
      if (!isObject(data)) throw malformedDocument('Must be one resource: an object.', pointer)
      const model = getModel(data['type'], childPointer(pointer, 'type'), byType)
      return { model, target: exists ? parseIdentity(data, pointer) : undefined }
    },
  }
}

type ByType = RestContext['byType']

function parseRef(ref: unknown, pointer: string, byType: ByType): OperationTarget {
  if (!isObject(ref)) throw malformedDocument('Must be an object.', pointer)
  const { type, relationship } = ref
  assertAllowedMembers(ref, ['type', 'id', 'lid', 'relationship'], pointer)
  const model = getModel(type, childPointer(pointer, 'type'), byType)
  const target = parseIdentity(ref, pointer)
  if (relationship === undefined) return { model, target }
  if (!target) throw malformedDocument('Must have "id" or "lid".', pointer)
  if (typeof relationship !== 'string')
    throw malformedDocument('Must be a string.', childPointer(pointer, 'relationship'))
  return {
    model,
    target,
    relationship: getRelationshipName(model, relationship, childPointer(pointer, 'relationship')),
  }
}

/**
 * Checks that an object has no unknown members. For example, if a caller wrote `relation` instead of `relationship`, the operation would
 * change the resource instead of the relationship.
 * @throws RequestError 400 for the first unknown member
 */
export function assertAllowedMembers(object: JsonObject, allowed: readonly string[], pointer: string): void {
  const unexpected = Object.keys(object).find((name) => !allowed.includes(name) && !isAtMember(name))
  if (unexpected !== undefined)
    throw malformedDocument(`Unknown member. Available: ${allowed.join(', ')}.`, childPointer(pointer, unexpected))
}

/** Parses a URL under the endpoint. See {@link TargetParser.fromHref}. */
function parseHref(href: unknown, pointer: string, byType: ByType, bases: readonly string[]): OperationTarget {
  const path = typeof href === 'string' ? pathAfterBase(href, bases) : undefined
  if (path === undefined)
    throw malformedDocument('Must be a URL below the base URL of this API, without a query.', pointer)
  const segments = path.split('/').map(decodeSegment)
  const [type, id, word, relationship] = segments
  const model = getModel(type, pointer, byType)
  if (segments.length === 1) return { model, target: undefined }
  if (id && segments.length === 2) return { model, target: { id } }
  if (id && word === 'relationships' && relationship !== undefined && segments.length === 4) {
    return { model, target: { id }, relationship: getRelationshipName(model, relationship, pointer) }
  }
  throw malformedDocument('The URL does not refer to a collection, resource or relationship.', pointer)
}

/** Returns the possible prefixes of URLs: the endpoint, its path, or nothing. */
function getBaseUrls(endpoint: string): readonly string[] {
  const mount = new URL(endpoint).pathname.replace(/\/$/, '')
  return [endpoint, ...(mount === '' ? [] : [mount]), '']
}

function pathAfterBase(href: string, bases: readonly string[]): string | undefined {
  if (/[?#\s\\]/.test(href)) return undefined
  const prefix = bases.find((base) => href.startsWith(`${base}/`))
  const path = (prefix === undefined ? href : href.slice(prefix.length + 1)).replace(/^\.\//, '')
  return path === '' || path.startsWith('/') || /^[a-z][a-z\d+.-]*:/i.test(path) ? undefined : path
}

function getModel(type: unknown, pointer: string, byType: ByType): RestModel {
  if (typeof type !== 'string') throw malformedDocument('A resource must have a "type" that is a string.', pointer)
  const model = byType.get(type)
  if (model) return model
  throw new RequestError({
    code: 'unsupported-model',
    detail: `Unknown resource type ${JSON.stringify(type.slice(0, 100))}.${didYouMean(type, byType.keys())}`,
    source: { pointer },
  })
}

function getRelationshipName(model: RestModel, name: string, pointer: string): string {
  if (model.relationships.has(name)) return name
  const detail = `"${model.type}" has no relationship ${JSON.stringify(name.slice(0, 100))}.`
  throw new RequestError({ code: 'unknown-path', detail, source: { pointer } })
}
